import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ConsumerRef, revisionsQuery } from './queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { actorName, namesQuery } from '../members/queries.ts'

/** Every declaration that a consumer made, newest first: none is ever overwritten. */
export const RevisionsView = ({ at }: { at: ConsumerRef }) => {
  const revisions = useQuery(revisionsQuery(at))
  const names = useQuery(namesQuery(at.tenant))
  return (
    <section aria-label="Revisions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Read query={revisions} what="the revisions">
        {({ revisions: items, total }) =>
          items.length === 0 ? (
            <Empty title="No revisions yet">
              <p>Every declaration and every imported Pact file is listed here as a revision.</p>
            </Empty>
          ) : (
            <>
              <Toolbar>
                <p role="status" className="text-sm text-soft">
                  {items.length < total
                    ? `The newest ${items.length} of ${count(total, 'revision', 'revisions')}`
                    : count(total, 'revision', 'revisions')}
                </p>
                <CommandHint command={svcCommand(at.tenant, ['consumer', 'revisions', at.project, at.consumer])} />
              </Toolbar>
              <ol className="card divide-y overflow-hidden">
                {items.map((revision, index) => (
                  <li key={revision.id} className="relative grid gap-1 px-4 py-3 hover:bg-raised">
                    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                      <h2 className="font-semibold">
                        <Link
                          to="/t/$tenant/$project/-/consumers/$consumer"
                          params={{ ...at }}
                          search={index === 0 ? {} : { revision: revision.revision }}
                          className="after:absolute after:inset-0"
                        >
                          Revision {revision.revision}
                        </Link>
                      </h2>
                      {index === 0 ? <Badge tone="ok">current</Badge> : null}
                      <Badge>{revision.source === 'pact' ? 'from Pact' : 'declared'}</Badge>
                      {revision.unresolved_count > 0 ? (
                        <Badge tone="danger">{revision.unresolved_count.toLocaleString()} unresolved</Badge>
                      ) : null}
                    </div>
                    <p className="text-sm text-soft">
                      <Moment at={revision.created_at} /> by {actorName(revision.created_by, names.data)}, against{' '}
                      {revision.version_label}: {count(revision.operations_count, 'operation', 'operations')},{' '}
                      {count(revision.fields_count, 'field', 'fields')},{' '}
                      {count(revision.parameters_count, 'parameter', 'parameters')}
                    </p>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </Read>
    </section>
  )
}
