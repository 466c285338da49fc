import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { Badge, Method } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { shellWord } from '../../parts/copy.tsx'
import { count } from '../../parts/count.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Failure, Loading, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { type Operation, operationsQuery, type VersionRef } from './queries.ts'
import { OperationDetail } from './operation-detail.tsx'

const OperationRow = ({
  operation,
  chosen,
  onChoose,
}: {
  operation: Operation
  chosen: boolean
  onChoose: () => void
}) => (
  <button
    type="button"
    aria-pressed={chosen}
    onClick={onChoose}
    className="flex w-full items-baseline gap-2 px-4 py-2 text-left hover:bg-raised aria-pressed:bg-wash -outline-offset-2"
  >
    <Method method={operation.method} />
    <span className="min-w-0 grow">
      <span className="font-mono text-sm break-all">{operation.path}</span>
      {operation.deprecated ? (
        <span className="ml-2">
          <Badge tone="warn">deprecated</Badge>
        </span>
      ) : null}
      <span className="block truncate text-sm text-soft">
        {operation.summary || operation.operation_id || '\u00a0'}
      </span>
    </span>
  </button>
)

/** The operations of a version: a list of any length, and beside it the one that is chosen. */
export const OperationsView = ({
  at,
  q,
  tag,
  chosen,
}: {
  at: VersionRef
  q: string
  tag: string
  chosen: string | null
}) => {
  const navigate = useNavigate()
  const operations = useInfiniteQuery(operationsQuery(at, q, tag))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = operations
  const items = operations.data?.pages.flatMap((page) => page.items) ?? []
  const total = operations.data?.pages[0]?.total ?? 0
  const go = (changed: { q?: string; tag?: string; operation?: string }): void => {
    const search = Object.fromEntries(
      Object.entries({ q, tag, operation: chosen ?? '', ...changed }).filter(([, value]) => value !== ''),
    )
    void navigate({
      to: '/t/$tenant/$project/$version/operations',
      params: { tenant: at.tenant, project: at.project, version: at.version },
      search,
      replace: true,
      // The list and the operation stay where they are.
      resetScroll: false,
    })
  }
  // The list begins at the operation that the address names.
  const [first] = useState(chosen)
  const firstAt = items.findIndex((it) => it.ref === first)
  const loaded = items.length
  const isSought = first !== null && firstAt < 0 && hasNextPage && !isFetchingNextPage && !operations.isError
  useEffect(() => {
    if (isSought) void fetchNextPage()
  }, [isSought, fetchNextPage])
  const more = useCallback(
    (_: number, last: number) => {
      if (last >= loaded - 40 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [loaded, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  if (operations.isError) return <Failure error={operations.error} onRetry={() => void operations.refetch()} />
  if (!operations.data) return <Loading what="the operations" />
  return (
    <section aria-label="Operations" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField label="Search operations" value={q} onChange={(text) => go({ q: text })} />
        <CommandHint
          command={`svc --tenant ${shellWord(at.tenant)} version operations ${shellWord(at.project)} ${shellWord(at.version)}${q === '' ? '' : ` --search ${shellWord(q)}`}`}
        />
      </div>
      <p className="flex flex-wrap items-center gap-3 text-sm text-soft" role="status">
        {count(total, 'operation', 'operations')}
        {tag === '' ? null : (
          <>
            <span>
              with the tag <Badge>{tag}</Badge>
            </span>
            <Button onClick={() => go({ tag: '' })}>All tags</Button>
          </>
        )}
      </p>
      {total === 0 && q === '' && tag === '' ? (
        <Empty title="No operations">
          <p>This document has no operations. It may contain only schemas or workflows: see the source.</p>
        </Empty>
      ) : total === 0 ? (
        <NoMatch what="operation" onClear={() => go({ q: '', tag: '' })} />
      ) : (
        <div className={chosen === null ? '' : 'grid items-start gap-4 lg:grid-cols-[minmax(18rem,2fr)_3fr]'}>
          {/* Without the room for both, the chosen one takes the place of the list. */}
          <div className={chosen === null ? '' : 'max-lg:hidden'}>
            <VirtualList
              label="List of operations"
              total={items.length}
              estimate={59}
              onVisible={more}
              {...(firstAt < 0 ? {} : { focusIndex: firstAt, focusKey: first ?? '' })}
            >
              {(index) => {
                const operation = items[index]
                return operation ? (
                  <OperationRow
                    operation={operation}
                    chosen={operation.ref === chosen}
                    onChoose={() => go({ operation: operation.ref })}
                  />
                ) : null
              }}
            </VirtualList>
          </div>
          {chosen === null ? null : (
            <OperationDetail at={at} operation={chosen} onClose={() => go({ operation: '' })} />
          )}
        </div>
      )}
    </section>
  )
}
