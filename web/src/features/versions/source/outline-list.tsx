import { useMemo, useState } from 'react'
import { count } from '../../../parts/text.ts'
import { SearchField } from '../../../parts/fields.tsx'
import { VirtualList } from '../../../parts/virtual-list.tsx'
import type { Outline } from './use-checks.ts'

type Item = Outline['items'][number]

/** What matches all words, in the order of the document. */
export const itemsMatching = (items: readonly Item[], q: string): readonly Item[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter(({ name, detail }) => {
    const text = `${name} ${detail}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** The named parts of a document; one goes to its line. */
export const OutlineList = ({
  outline,
  height,
  onLine,
}: {
  outline: Outline
  height: string
  onLine: (item: Item) => void
}) => {
  const [q, setQ] = useState('')
  const items = useMemo(() => itemsMatching(outline.items, q), [outline, q])
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-2">
      <SearchField label="Search the outline" value={q} onChange={setQ} />
      <p role="status" className="text-xs text-soft">
        {count(items.length, 'part', 'parts')}
        {outline.total > outline.items.length ? ` of the first ${outline.items.length.toLocaleString()}` : ''}
      </p>
      {items.length === 0 ? null : (
        <VirtualList label="Outline" total={items.length} estimate={28} height={height} ruled={false}>
          {(index) => {
            const item = items[index]
            return item === undefined ? null : (
              <button
                type="button"
                onClick={() => onLine(item)}
                title={item.detail === '' ? item.name : `${item.name}: ${item.detail}`}
                style={{ paddingLeft: `${0.5 + (q === '' ? item.depth : 0) * 0.75}rem` }}
                className="flex min-h-7 w-full items-center gap-2 pr-2 text-left text-sm -outline-offset-2 hover:bg-raised"
              >
                <span className={`min-w-0 truncate ${item.kind === 'group' ? 'font-medium' : 'font-mono text-xs'}`}>
                  {item.name}
                </span>
                <span className="ml-auto shrink-0 text-xs text-soft tabular-nums">{item.line + 1}</span>
              </button>
            )
          }}
        </VirtualList>
      )}
    </div>
  )
}
