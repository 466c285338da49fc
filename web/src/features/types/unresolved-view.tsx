import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'
import { refOf, readRef } from '../../../../src/kernel/type-ref.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { unresolvedQuery } from './queries.ts'

type Affected = Output<typeof primitivesApi.unresolved>['primitives'][number]
type Edge = Affected['unresolved'][number]

/** Creating the type that is missing resolves the reference: its namespace and name are in the reference. */
const CreateLink = ({ tenant, target }: { tenant: string; target: string }) => {
  const ref = readRef(target)
  if (ref === null || ref.revision !== null) return null
  const { namespace, name } = ref
  return (
    <Link to="/t/$tenant/-/types/new" params={{ tenant }} search={{ namespace, name }} className="link">
      Create {refOf(ref)}
    </Link>
  )
}

const Missing = ({ tenant, reference, may }: { tenant: string; reference: Edge; may: boolean }) => (
  <div className="grid gap-1 pl-4">
    <p className="text-sm">
      <code className="font-mono break-all text-danger">{reference.target}</code>{' '}
      <span className="text-soft">
        at <code className="font-mono text-xs break-all">{reference.pointer}</code>
      </span>
    </p>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {reference.suggestions.length === 0 ? (
        <span className="text-soft">No type has this name.</span>
      ) : (
        <span className="text-soft">Types of this name:</span>
      )}
      {reference.suggestions.map((ref) => (
        <span key={ref} className="inline-flex min-w-0 items-center gap-1">
          <Link
            to="/t/$tenant/-/types/find"
            params={{ tenant }}
            search={{ ref }}
            className="link min-w-0 font-mono text-xs break-all"
          >
            {ref}
          </Link>
          <CopyButton text={ref} what={ref} />
        </span>
      ))}
      {may ? <CreateLink tenant={tenant} target={reference.target} /> : null}
    </div>
  </div>
)

const Row = ({ tenant, primitive, may }: { tenant: string; primitive: Affected; may: boolean }) => (
  <article className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 className="min-w-0 wrap-anywhere">
        <Link to="/t/$tenant/-/types/$type" params={{ tenant, type: primitive.id }} className="link font-medium">
          {primitive.namespace}/{primitive.name}
        </Link>
      </h2>
      {may ? (
        <Link to="/t/$tenant/-/types/$type/edit" params={{ tenant, type: primitive.id }} className="link text-sm">
          Edit<span className="sr-only"> {primitive.name}</span>
        </Link>
      ) : null}
    </div>
    {primitive.unresolved.map((edge) => (
      <Missing key={edge.pointer} tenant={tenant} reference={edge} may={may} />
    ))}
  </article>
)

/** The unresolved references of types, with types of the same name. */
export const UnresolvedView = ({ tenant }: { tenant: string }) => {
  const report = useQuery(unresolvedQuery(tenant))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, tenant, 'primitives:edit')
  const rows = useMemo(() => report.data?.primitives ?? [], [report.data])
  return (
    <section aria-label="Unresolved references" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Read query={report} what="the references">
        {({ total_edges: edges, affected_primitives: types }) =>
          edges === 0 ? (
            <Empty title="All references are resolved">
              <p>Unresolved references are listed here, with types of the same name.</p>
            </Empty>
          ) : (
            <>
              <p role="status">
                {count(edges, 'reference', 'references')} of {count(types, 'type', 'types')}{' '}
                {edges === 1 ? 'is' : 'are'} unresolved.{' '}
                <span className="text-soft">They resolve as soon as the type exists.</span>
              </p>
              <VirtualList
                label="Types with unresolved references"
                total={rows.length}
                estimate={110}
                height="max-h-[80vh]"
              >
                {(index) => {
                  const it = rows[index]
                  return it === undefined ? null : <Row tenant={tenant} primitive={it} may={may} />
                }}
              </VirtualList>
            </>
          )
        }
      </Read>
    </section>
  )
}
