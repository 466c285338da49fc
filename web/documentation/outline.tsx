import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Listed } from '../src/parts/openapi-document.ts'
import { OperationBody } from '../src/parts/operation-body.tsx'
import { Method } from '../src/parts/badge.tsx'
import { count } from '../src/parts/count.ts'
import { SearchField } from '../src/parts/search-field.tsx'
import { VirtualList } from '../src/parts/virtual-list.tsx'

export interface Outline {
  readonly root: unknown
  readonly operations: readonly Listed[]
  /** Address of the style sheet that it is drawn with. */
  readonly style: string
  /** Draws the interactive reference instead; the page stays, since a key it was opened with exists only in memory. */
  readonly onInteractive: () => void
}

const chosenNow = (): string => decodeURIComponent(location.hash.slice(1))

const OutlineView = ({ root, operations, onInteractive }: Outline) => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(chosenNow)
  const words = text.toLowerCase()
  const shown = operations.filter((it) => `${it.ref} ${it.summary}`.toLowerCase().includes(words))
  const open = operations.find((it) => it.ref === chosen)
  const choose = (ref: string): void => {
    setChosen(ref)
    history.replaceState(history.state, '', `#${encodeURIComponent(ref)}`)
  }
  return (
    <main className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-6 font-sans text-ink">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField label="Search operations" value={text} onChange={setText} />
        <button type="button" className="link text-sm" onClick={onInteractive}>
          Open all of it interactively (slow for a document of this size)
        </button>
      </div>
      <p role="status" className="text-sm text-soft">
        {count(shown.length, 'operation', 'operations')}
      </p>
      <div className={open ? 'grid items-start gap-4 lg:grid-cols-[minmax(18rem,2fr)_3fr]' : ''}>
        <VirtualList label="List of operations" total={shown.length} estimate={59} height="max-h-[70vh]">
          {(index) => {
            const it = shown[index]
            return it ? (
              <button
                type="button"
                aria-pressed={it.ref === chosen}
                onClick={() => choose(it.ref)}
                className="flex w-full items-baseline gap-2 px-4 py-2 text-left -outline-offset-2 hover:bg-raised aria-pressed:bg-wash"
              >
                <Method method={it.method} />
                <span className="min-w-0 grow">
                  <span className="font-mono text-sm break-all">{it.path}</span>
                  <span className="block truncate text-sm text-soft">{it.summary || '\u00a0'}</span>
                </span>
              </button>
            ) : null
          }}
        </VirtualList>
        {open ? (
          <article
            className="card grid max-h-[70vh] grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-auto p-4"
            tabIndex={0}
            aria-label={open.ref}
          >
            <h2 className="flex flex-wrap items-baseline gap-x-1 font-semibold">
              <Method method={open.method} />
              <span className="font-mono text-sm break-all">{open.path}</span>
            </h2>
            <OperationBody root={root} item={open.item} operation={open.operation} />
          </article>
        ) : null}
      </div>
    </main>
  )
}

/** Draws the outline of a large document: its operations as a list of which only the visible part exists. */
export const showOutline = (target: Element, outline: Outline): void => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = outline.style
  // Drawn once it can be drawn well: without its style the list has no height and would hold every row.
  link.addEventListener('load', () => {
    const drawn = createRoot(target)
    const onInteractive = (): void => {
      drawn.unmount()
      link.remove()
      outline.onInteractive()
    }
    drawn.render(<OutlineView {...outline} onInteractive={onInteractive} />)
  })
  document.head.append(link)
}
