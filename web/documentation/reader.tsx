import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from '../src/parts/button.tsx'
import { later } from '../src/parts/later.tsx'
import { Contents } from './contents.tsx'
import { GroupView, Introduction } from './introduction.tsx'
import { OperationView } from './operation.tsx'
import { type Parts, schemaPart } from './parts.ts'
import { hrefOf, nameOf, type PagePlace, placeOf } from './place.ts'
import { ReadingContext, type Setting, useReading } from './reading.ts'
import { Method } from '../src/parts/badge.tsx'
import { Loading } from '../src/parts/states.tsx'
import { Html } from './html.tsx'
import { SchemaTree } from './schema.tsx'
import { PartError } from './part-error.tsx'

/** A schema, and the operations that name it. */
const SchemaPage = ({ index }: { index: number }) => {
  const { parts, href } = useReading()
  const part = useQuery({ queryKey: ['schema', index], queryFn: () => schemaPart(parts, index) })
  if (part.isError) return <PartError error={part.error} onRetry={() => void part.refetch()} />
  if (part.data === undefined) return <Loading what="the schema" />
  const { schema, usedBy } = part.data
  return (
    <article aria-label={schema.name} className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <h2 tabIndex={-1} className="font-mono text-xl font-semibold break-all outline-none">
        {schema.name}
      </h2>
      <Html html={schema.view.description} />
      <SchemaTree view={schema.view} />
      {usedBy.length > 0 ? (
        <section className="grid gap-1 border-t pt-4">
          <h3 className="font-semibold">Used by</h3>
          <ul>
            {usedBy.map((at) => {
              const operation = parts.index.operations[at]
              return operation === undefined ? null : (
                <li key={at}>
                  <a
                    className="flex flex-wrap items-baseline gap-x-1 py-1 hover:bg-raised"
                    href={href({ kind: 'operation', index: at })}
                  >
                    <Method method={operation.method} />
                    <span className="font-mono text-sm break-all">{operation.path}</span>
                    <span className="text-sm text-soft">{operation.summary}</span>
                  </a>
                </li>
              )
            })}
          </ul>
        </section>
      ) : null}
    </article>
  )
}

const Changes = later('the changes', async () => (await import('./changes.tsx')).Changes)

const watchFragment = (changed: () => void): (() => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

const Shown = ({ place }: { place: PagePlace }) => {
  const { setting } = useReading()
  switch (place.kind) {
    case 'introduction':
      return <Introduction />
    case 'changes':
      return <Changes />
    case 'operation':
      return <OperationView key={place.index} index={place.index} />
    case 'schema':
      return <SchemaPage key={place.index} index={place.index} />
    case 'group':
      return <GroupView key={place.index} at={place.index} />
    case 'unknown':
      return (
        <div className="grid justify-items-start gap-2">
          <h2 tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
            Not in this version
          </h2>
          <p className="wrap-anywhere">
            Version {setting.label} has no <code className="font-mono text-sm">{place.name}</code>. Search for it on
            this page, or choose another version above.
          </p>
          <a className="link" href="#">
            Introduction
          </a>
        </div>
      )
  }
}

const Reader = () => {
  const { parts, setting } = useReading()
  const fragment = useSyncExternalStore(watchFragment, () => location.hash)
  const [isListed, setIsListed] = useState(false)
  const place = placeOf(parts.index, fragment)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(fragment)
  useEffect(() => {
    const name = nameOf(parts.index, place)
    document.title = `${name === '' ? '' : `${name} · `}${setting.title} ${setting.label}`
    if (shown.current === fragment) return
    shown.current = fragment
    setIsListed(false)
    scrollTo(0, 0)
    // A keyboard and a screen reader continue where the new content begins.
    main.current?.focus({ preventScroll: true })
  }, [fragment, parts, place, setting])
  return (
    <div className="mx-auto grid w-full max-w-[100rem] grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-3 px-4 py-4 font-sans text-ink lg:grid-cols-[18rem_minmax(0,1fr)] print:block">
      <div className="lg:hidden print:hidden">
        <Button aria-expanded={isListed} onClick={() => setIsListed(!isListed)}>
          {isListed ? 'Close the contents' : 'Contents and search'}
        </Button>
      </div>
      <nav
        aria-label="Contents"
        className={`${isListed ? '' : 'hidden'} min-w-0 lg:sticky lg:top-16 lg:block print:hidden`}
      >
        <Contents place={place} onGo={() => setIsListed(false)} />
      </nav>
      <main ref={main} tabIndex={-1} className="min-w-0 pb-16 outline-none">
        <Shown place={place} />
      </main>
    </div>
  )
}

const queries = new QueryClient({
  // The service may run on this very machine: it is asked whether or not the browser believes to be online.
  defaultOptions: { queries: { networkMode: 'always', staleTime: Infinity, retry: false } },
})

/** Draws the documentation of a version into `target`. */
export const showReader = (target: Element, setting: Setting, parts: Parts): void => {
  const reading = { setting, parts, href: (place: PagePlace) => hrefOf(parts.index, place) }
  createRoot(target).render(
    <QueryClientProvider client={queries}>
      <ReadingContext value={reading}>
        <Reader />
      </ReadingContext>
    </QueryClientProvider>,
  )
}
