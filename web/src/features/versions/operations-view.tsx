import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { Badge, Method } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { shellWord } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Beside } from '../../parts/inspector.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure, Loading, NoMatch } from '../../parts/states.tsx'
import { mostPrinted, usePrintWhole, VirtualList } from '../../parts/virtual-list.tsx'
import { pieceSize } from '../../query-client.ts'
import { type Operation, operationsQuery, overviewQuery, type VersionRef } from '../catalog/versions.ts'
import { OperationDetail } from './operation-detail.tsx'

const OperationRow = ({
  operation,
  chosen,
  isNarrow,
  onChoose,
}: {
  operation: Operation
  chosen: boolean
  /** Beside an operation that is shown there is no room for the summary. */
  isNarrow: boolean
  onChoose: () => void
}) => (
  <button
    type="button"
    aria-pressed={chosen}
    onClick={onChoose}
    style={{ ['--columns' as string]: isNarrow ? '4rem minmax(0,1fr)' : '4rem minmax(0,2fr) minmax(0,3fr)' }}
    className="row w-full text-left hover:bg-raised aria-pressed:bg-wash -outline-offset-2"
  >
    <Method method={operation.method} />
    <span className="flex min-w-0 items-baseline gap-2 max-md:flex-1">
      <span className="truncate font-mono text-xs" title={operation.path}>
        {operation.path}
      </span>
      {operation.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
    </span>
    {isNarrow ? null : (
      <span className="truncate text-soft max-md:w-full">
        {operation.summary || operation.operation_id || '\u00a0'}
      </span>
    )}
  </button>
)

/** So many tags are buttons; more are a list to choose from. */
const mostButtons = 10

/** The tags of the document with how many operations have each: one of them narrows the list. */
const TagFilter = ({ at, tag, onChoose }: { at: VersionRef; tag: string; onChoose: (tag: string) => void }) => {
  const overview = useQuery(overviewQuery(at))
  const known = overview.data?.tags.filter((it) => it.operations > 0) ?? []
  // A tag of the address is offered even while the others are read.
  const tags = tag === '' || known.some((it) => it.name === tag) ? known : [{ name: tag, operations: null }, ...known]
  if (tags.length === 0) return null
  if (tags.length <= mostButtons)
    return (
      <Choices
        label="Tag"
        value={tag === '' ? null : tag}
        choices={tags.map((it) => ({
          value: it.name,
          name: it.name,
          ...(it.operations === null ? {} : { count: it.operations }),
        }))}
        onChange={(next) => onChoose(next ?? '')}
      />
    )
  return (
    <label className="flex items-center gap-2 text-sm">
      Tag
      <select className="field w-auto max-w-full" value={tag} onChange={(event) => onChoose(event.target.value)}>
        <option value="">All</option>
        {tags.map((tag) => (
          <option key={tag.name} value={tag.name}>
            {tag.name}
            {tag.operations === null ? '' : ` (${tag.operations})`}
          </option>
        ))}
      </select>
    </label>
  )
}

const NoOperations = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <NoMatch what="operation" onClear={onClear} />
  ) : (
    <Empty title="No operations">
      <p>This document has no operations. It may contain only schemas or workflows: see the source.</p>
    </Empty>
  )

interface Shown {
  readonly q: string
  readonly tag: string
  readonly chosen: string | null
}

/** The operations that match, read as the list is scrolled; up to the chosen one from the beginning, all of them for print. */
const useOperations = (at: VersionRef, { q, tag, chosen }: Shown) => {
  const operations = useInfiniteQuery(operationsQuery(at, q, tag))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = operations
  const items = operations.data?.pages.flatMap((page) => page.items) ?? []
  const total = operations.data?.pages[0]?.total ?? 0
  // The list begins at the operation that the address names.
  const [first] = useState(chosen)
  const firstAt = items.findIndex((it) => it.ref === first)
  const loaded = items.length
  const isSought = first !== null && firstAt < 0 && hasNextPage && !isFetchingNextPage && !operations.isError
  useEffect(() => {
    if (isSought) void fetchNextPage()
  }, [isSought, fetchNextPage])
  usePrintWhole(async () => {
    if (!hasNextPage) return
    for (let read = await fetchNextPage(); read.hasNextPage && !read.isError; read = await fetchNextPage())
      if ((read.data?.pages.length ?? 0) * pieceSize >= mostPrinted) break
  })
  const more = useCallback(
    (_: number, last: number) => {
      if (last >= loaded - 40 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [loaded, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  return { operations, items, total, first, firstAt, more }
}

/** The operations of a version: a list of any length, and beside it the one that is chosen. */
export const OperationsView = ({ at, q, tag, chosen }: Shown & { at: VersionRef }) => {
  const navigate = useNavigate()
  const { operations, items, total, first, firstAt, more } = useOperations(at, { q, tag, chosen })
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
  if (operations.isError) return <Failure error={operations.error} onRetry={() => void operations.refetch()} />
  if (!operations.data) return <Loading what="the operations" />
  return (
    <section aria-label="Operations" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Search operations" value={q} onChange={(text) => go({ q: text })} />
        <TagFilter at={at} tag={tag} onChoose={(next) => go({ tag: next })} />
        <CommandHint
          command={`svc --tenant ${shellWord(at.tenant)} version operations ${shellWord(at.project)} ${shellWord(at.version)}${q === '' ? '' : ` --search ${shellWord(q)}`}`}
        />
      </div>
      <p className="text-sm text-soft" role="status">
        {count(total, 'operation', 'operations')}
      </p>
      {total === 0 ? (
        <NoOperations isFiltered={q !== '' || tag !== ''} onClear={() => go({ q: '', tag: '' })} />
      ) : (
        <Beside
          list={
            <VirtualList
              label="List of operations"
              total={items.length}
              estimate={37}
              onVisible={more}
              {...(firstAt < 0 ? {} : { focusIndex: firstAt, focusKey: first ?? '' })}
            >
              {(index) => {
                const operation = items[index]
                return operation ? (
                  <OperationRow
                    operation={operation}
                    chosen={operation.ref === chosen}
                    isNarrow={chosen !== null}
                    onChoose={() => go({ operation: operation.ref })}
                  />
                ) : null
              }}
            </VirtualList>
          }
          chosen={
            chosen === null ? null : (
              <OperationDetail at={at} operation={chosen} onClose={() => go({ operation: '' })} />
            )
          }
        />
      )}
    </section>
  )
}
