import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Binding } from '../../../../src/api/bindings.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/count.ts'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { ProjectTrail } from '../projects/project-trail.tsx'
import { Tabs } from '../../shell/tabs.tsx'
import { bindingsQuery } from './binding-queries.ts'
import { pathWords } from './binding-words.ts'
import { shortCommit } from './words.ts'

const Row = ({ tenant, project, it }: { tenant: string; project: string; it: Binding }) => (
  <li className="relative grid gap-0.5 px-4 py-3 hover:bg-raised">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="font-mono font-semibold">
        <Link
          to="/t/$tenant/$project/$version/repository"
          params={{ tenant, project, version: it.version_id }}
          className="break-all after:absolute after:inset-0"
        >
          {it.version_label ?? it.version_id}
        </Link>
      </h2>
      {it.pending_candidate_count > 0 ? (
        <Badge tone="info">{count(it.pending_candidate_count, 'change waits', 'changes wait')}</Badge>
      ) : (
        <Badge tone="ok">nothing waits</Badge>
      )}
    </div>
    <p className="flex flex-wrap gap-x-4 text-sm text-soft">
      <span className="wrap-anywhere">
        {it.repo_full_name} {it.ref}: {pathWords(it.path)}
      </span>
      <span>
        at <code className="font-mono text-xs">{shortCommit(it.commit_sha)}</code>, <Moment at={it.synchronized_at} />
      </span>
    </p>
  </li>
)

/** The drafts of a project that are bound to repositories, and how many changes wait at each. */
export const BindingsPage = ({ tenant, project, offset }: { tenant: string; project: string; offset: number }) => {
  const bindings = useQuery(bindingsQuery(tenant, project, offset))
  const { move } = useAddress()
  return (
    <Page
      trail={<ProjectTrail tenant={tenant} project={project} />}
      title="Bindings"
      description="Drafts that are bound to repositories. A change there waits for a decision here."
    >
      <Tabs of="project" params={{ tenant, project }} />
      <Toolbar>
        <span />
        <CommandHint command={svcCommand(tenant, ['binding', 'list', project])} />
      </Toolbar>
      <Listing
        query={bindings}
        what="the bindings"
        one="binding"
        onMove={move}
        empty={
          <Empty title="No bindings">
            <p>Open a draft, choose the tab Repository, and bind it to a branch and its files.</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="card divide-y overflow-hidden" aria-label="Bindings">
            {items.map((it) => (
              <Row key={it.id} tenant={tenant} project={project} it={it} />
            ))}
          </ul>
        )}
      </Listing>
    </Page>
  )
}
