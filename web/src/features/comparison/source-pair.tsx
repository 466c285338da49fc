import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Excerpt, openPair } from '../../editor/pair.ts'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { SourceFrame } from '../../parts/source-frame.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { excerptQuery, placesOf, type Span, spanOf } from './excerpt.ts'
import type { Change, Pasted, StoredRef } from './queries.ts'

const Sides = ({ base, head }: { base: Excerpt; head: Excerpt }) => {
  const host = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrow()
  useEffect(() => {
    if (host.current === null) return
    const syntax = /^\s*["{}[\]]/m.test(`${base.text}\n${head.text}`) ? 'json' : 'yaml'
    return openPair(host.current, { base, head, syntax, isNarrow })
  }, [base.text, head.text, isNarrow])
  return <div ref={host} className="overflow-hidden rounded-md border" />
}

const hiddenWords = (span: Span | null, name: string): string =>
  span === null || span.hidden === 0 ? '' : `${count(span.hidden, 'more line', 'more lines')} in the ${name}`

interface Side {
  readonly label: string
  readonly digest: string
}

/** The lines of what only one side has. The lines around it did not change: only the place is marked. */
const OneSide = ({
  side,
  place,
  text,
  span,
  tone,
}: {
  side: Side
  place: Change['base']
  text: string
  span: Span
  tone: 'ok' | 'danger'
}) =>
  place?.range == null ? null : (
    <div role="group" aria-label={`Source of ${side.label}`} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="truncate text-xs font-medium text-soft">
        {tone === 'ok' ? 'Added in' : 'Removed from'} {side.label}
      </p>
      <SourceFrame
        tone={tone}
        range={place.range}
        excerpt={{
          first: span.first,
          lines: text.split('\n').map((line) => ({ text: line, from: 0, length: line.length })),
        }}
      />
    </div>
  )

/** The lines of a change on both sides, with four around them; of what only one side has its own. */
export const SourcePair = ({
  change,
  tenant,
  base: older,
  head: newer,
  sides,
}: {
  change: Change
  tenant: string
  base: Side
  head: Side
  sides: { readonly base: StoredRef; readonly head: StoredRef | Pasted }
}) => {
  const places = placesOf(change)
  const [base, head] = [spanOf(places.base), spanOf(places.head)]
  const before = useQuery(excerptQuery(tenant, sides.base, older.digest, base))
  const after = useQuery(excerptQuery(tenant, sides.head, newer.digest, head))
  if (base === null && head === null) return null
  const [only, isAdded] = base === null ? [head, true] : [head === null ? base : null, false]
  if (only !== null)
    return (
      <Read query={isAdded ? after : before} what="the source">
        {({ text }) => (
          <>
            <OneSide
              side={isAdded ? newer : older}
              place={isAdded ? places.head : places.base}
              text={text}
              span={only}
              tone={isAdded ? 'ok' : 'danger'}
            />
            {only.hidden > 0 ? (
              <p className="text-xs text-soft">{hiddenWords(only, isAdded ? 'head' : 'base')}</p>
            ) : null}
          </>
        )}
      </Read>
    )
  const hidden = [hiddenWords(base, 'base'), hiddenWords(head, 'head')].filter((it) => it !== '')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="hidden grid-cols-2 gap-2 text-xs font-medium text-soft md:grid">
        <span className="truncate">{older.label}</span>
        <span className="truncate">{newer.label}</span>
      </div>
      <Read query={before} what="the source">
        {({ text: old, isCut }) => (
          <Read query={after} what="the source">
            {({ text: now, isCut: isAlsoCut }) => (
              <>
                <Sides
                  base={{ text: old, first: (base?.first ?? 0) + 1, label: `Source of ${older.label}` }}
                  head={{ text: now, first: (head?.first ?? 0) + 1, label: `Source of ${newer.label}` }}
                />
                {hidden.length > 0 || isCut || isAlsoCut ? (
                  <p className="text-xs text-soft">
                    {[...hidden, ...(isCut || isAlsoCut ? ['long lines are shortened'] : [])].join(', ')}
                  </p>
                ) : null}
              </>
            )}
          </Read>
        )}
      </Read>
    </div>
  )
}
