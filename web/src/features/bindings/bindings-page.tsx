import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Binding } from '../../../../src/api/bindings.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { ProjectTrail } from '../catalog/project-trail.tsx'
import { Tabs } from '../../routing/tabs.tsx'
import { bindingsQuery } from './queries.ts'
import { pathWords } from './words.ts'
import { shortCommit } from '../repositories/words.ts'

const Row = ({ tenant, project, binding }: { tenant: string; project: string; binding: Binding }) => (
  <li className="relative grid gap-0.5 px-4 py-3 hover:bg-raised">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="font-mono font-semibold">
        <Link
          to="/t/$tenant/$project/$version/repository"
          params={{ tenant, project, version: binding.version_id }}
          className="break-all after:absolute after:inset-0"
        >
          {binding.version_label ?? binding.version_id}
        </Link>
      </h2>
      {binding.pending_candidate_count > 0 ? (
        <Badge tone="info">{count(binding.pending_candidate_count, 'change waiting', 'changes waiting')}</Badge>
      ) : (
        <Badge tone="ok">no changes waiting</Badge>
      )}
    </div>
    <p className="flex flex-wrap gap-x-4 text-sm text-soft">
      <span className="wrap-anywhere">
        {binding.repo_full_name} {binding.ref}: {pathWords(binding.path)}
      </span>
      <span>
        at <code className="font-mono text-xs">{shortCommit(binding.commit_sha)}</code>,{' '}
        <Moment at={binding.synchronized_at} />
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
              <Row key={it.id} tenant={tenant} project={project} binding={it} />
            ))}
          </ul>
        )}
      </Listing>
    </Page>
  )
}
