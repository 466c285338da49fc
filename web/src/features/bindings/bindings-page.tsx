import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Binding } from '../../../../src/api/bindings.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { ProjectFrame } from '../projects/project-frame.tsx'
import { bindingsQuery } from './queries.ts'
import { pathWords } from './words.ts'
import { shortCommit } from '../repositories/words.ts'

const BindingRow = ({ tenant, project, binding }: { tenant: string; project: string; binding: Binding }) => (
  <Row>
    <h3 className="truncate font-mono text-xs font-semibold">
      <Link
        to="/t/$tenant/$project/$version/repository"
        params={{ tenant, project, version: binding.version_id }}
        className="after:absolute after:inset-0"
      >
        {binding.version_label ?? binding.version_id}
      </Link>
    </h3>
    {binding.pending_candidate_count > 0 ? (
      <Badge tone="warn">{count(binding.pending_candidate_count, 'change waiting', 'changes waiting')}</Badge>
    ) : (
      <Badge tone="ok">no changes waiting</Badge>
    )}
    <span className="truncate">
      {binding.repo_full_name} {binding.ref}
    </span>
    <span className="truncate font-mono text-xs text-soft">{pathWords(binding.path)}</span>
    <code className="font-mono text-xs text-soft">{shortCommit(binding.commit_sha)}</code>
    <span className="text-soft">
      <Moment at={binding.synchronized_at} />
    </span>
  </Row>
)

/** The drafts of a project that are bound to repositories, and how many changes wait at each. */
export const BindingsPage = ({ tenant, project, offset }: { tenant: string; project: string; offset: number }) => {
  const bindings = useQuery(bindingsQuery(tenant, project, offset))
  const { move } = useAddress()
  return (
    <ProjectFrame tenant={tenant} project={project} tab="Bindings">
      <CommandHint command={svcCommand(tenant, ['binding', 'list', project])} />
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
          <List
            label="Bindings"
            columns="minmax(0,1fr) 9.5rem minmax(0,1.5fr) minmax(0,1.5fr) 5rem 7rem"
            heads={['Version', 'State', 'Repository', 'File', 'Commit', 'Synchronized']}
          >
            {items.map((it) => (
              <BindingRow key={it.id} tenant={tenant} project={project} binding={it} />
            ))}
          </List>
        )}
      </Listing>
    </ProjectFrame>
  )
}
