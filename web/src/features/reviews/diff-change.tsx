import { MessageSquarePlus } from 'lucide-react'
import type { HunkPlace } from '../../../../src/api/reviews.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Words } from '../../parts/page.tsx'
import { count } from '../../parts/text.ts'
import { type ChangeContext, Proof, witnessOf } from '../comparison/change-proof.tsx'
import { kindOf, type Told } from '../comparison/changes.ts'
import type { Change } from '../comparison/queries.ts'
import type { Reviewed } from './diff-segment.tsx'
import { type Anchored, NewThread } from './new-thread.tsx'

/** Where a comment on a change is anchored: its place in the version, else in what it is compared with. */
export const anchorOf = ({ head, base }: Change, older: string): Anchored =>
  head === null
    ? { pointer: base?.pointer ?? '', base: base === null ? null : older }
    : { pointer: head.pointer, base: null }

/** Where the lines of a change begin: on the newer side, where it has lines there. */
const lineWords = (place: HunkPlace | null, { base, head }: ChangeContext): string => {
  if (place === null) return ''
  const [line, side] = place.added > 0 ? [place.now, head] : [place.old, base]
  return `line ${(line + 1).toLocaleString()} of ${side.label}`
}

/** The consumers that a change hits, by name. */
const Hits = ({ told, around }: { told: Told; around: ChangeContext }) => {
  const handles = [...new Set(told.all.flatMap((it) => it.consumers))]
  if (handles.length === 0) return null
  const { severity } = told.change
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
      <span className="text-soft">{severity === 'breaking' ? 'hits' : 'seen by'}</span>
      {handles.map((handle) => (
        <span key={handle} className={severity === 'breaking' ? 'font-medium text-danger' : 'font-medium'}>
          {around.consumers.get(handle)?.name ?? handle}
        </span>
      ))}
    </p>
  )
}

/** A change of a review: verdict, sentence, whom it hits, its counterexample, and what one can do about it. */
export const DiffChange = ({
  told,
  around,
  reviewed,
  isViewed,
  place,
  isWriting,
  onViewed,
  onLines,
  onWrite,
}: {
  told: Told
  around: ChangeContext
  reviewed: Reviewed
  isViewed: boolean
  /** Where its lines are on the page; null where it has none. */
  place: HunkPlace | null
  isWriting: boolean
  onViewed: () => void
  onLines: () => void
  onWrite: (writes: boolean) => void
}) => {
  const { change, all, operations } = told
  const kind = kindOf(change)
  const witness = witnessOf(change)
  const words = lineWords(change.head === null && place !== null ? { ...place, added: 0 } : place, around)
  return (
    <article
      data-change={change.fingerprint}
      tabIndex={-1}
      aria-label={change.message}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-2.5 -outline-offset-2"
    >
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="w-24 shrink-0">
          {kind === 'undecided' ? <Badge tone="warn">undecided</Badge> : <Severity severity={kind} />}
        </span>
        <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
          <p className="wrap-anywhere">
            <Words of={change.message} />
            {all.length > 1 ? (
              <span className="text-soft"> · {count(operations.length, 'operation', 'operations')}</span>
            ) : null}
          </p>
          {words === '' ? null : (
            <p className="text-xs text-soft">
              <button type="button" className="link" onClick={onLines}>
                {words}
                <span className="sr-only">: {change.message}</span>
              </button>
            </p>
          )}
        </div>
        <Hits told={told} around={around} />
        <span className="flex items-center gap-3">
          {reviewed.mayComment ? (
            <Button look="quiet" onClick={() => onWrite(!isWriting)} aria-expanded={isWriting}>
              <MessageSquarePlus size={15} aria-label={`Comment on the change: ${change.message}`} />
            </Button>
          ) : null}
          <label className="flex items-center gap-1.5 text-sm text-soft">
            <input type="checkbox" checked={isViewed} onChange={onViewed} />
            Viewed<span className="sr-only">: {change.message}</span>
          </label>
        </span>
      </div>
      {witness === null || isViewed ? null : <Proof change={change} witness={witness} around={around} />}
      {isWriting ? (
        <NewThread
          at={reviewed.at}
          on={anchorOf(change, reviewed.base.label)}
          onDone={(thread) => {
            onWrite(false)
            if (thread !== null) reviewed.onOpened(thread)
          }}
        />
      ) : null}
    </article>
  )
}
