import { useQueries, useQuery } from '@tanstack/react-query'
import { MoveVertical } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { HunkPlace } from '../../../../src/api/reviews.ts'
import type { Thread } from '../../../../src/api/threads.ts'
import type { DiffRow } from '../../parts/diff-pairs.ts'
import { DiffRows, type DiffSide } from '../../parts/diff-rows.tsx'
import { Loading, Unread } from '../../parts/states.tsx'
import type { VersionRef } from '../catalog/versions.ts'
import { type KnownLines, rowsOf, type Segment, standOf, windowOf } from './hunks.ts'
import { NewThread } from './new-thread.tsx'
import { aroundQuery, hunksInPiece, hunksQuery, pointerQuery } from './queries.ts'
import { ThreadCard } from './thread-card.tsx'

/** What the parts of a difference have in common. */
export interface Reviewed {
  readonly at: VersionRef
  /** The label and digest of what it is compared with. */
  readonly base: { readonly label: string; readonly digest: string }
  readonly digest: string
  readonly places: readonly HunkPlace[]
  readonly total: number
  readonly mayComment: boolean
  /** The thread that the address names. */
  readonly focused: string | null
  readonly onOpened: (thread: string) => void
}

/** Lines that one press shows more. */
const step = 20

const Expand = ({ count, where, onMore }: { count: number; where: 'above' | 'below'; onMore: () => void }) =>
  count <= 0 ? null : (
    <button
      type="button"
      data-expand
      className="flex min-h-6 w-full items-center gap-2 bg-raised px-3 text-left text-xs text-soft hover:text-ink"
      onClick={onMore}
    >
      <MoveVertical size={13} aria-hidden="true" />
      Show {Math.min(count, step).toLocaleString()} more lines {where}
    </button>
  )

/** The hunks of a segment, read in pieces of the list of them; null until all are here. */
const useHunks = ({ at, digest, base, places }: Reviewed, { first, last }: Segment) => {
  const pieces = Array.from(
    { length: Math.floor(last / hunksInPiece) - Math.floor(first / hunksInPiece) + 1 },
    (_, index) => Math.floor(first / hunksInPiece) + index,
  )
  const read = useQueries({
    queries: pieces.map((piece) => hunksQuery(at, `${base.digest} ${digest}`, piece, places.length)),
  })
  const failed = read.find((it) => it.error !== null)
  const isHere = read.every((it) => it.data !== undefined)
  const hunks = isHere
    ? read
        .flatMap((it) => it.data ?? [])
        .slice(first - (pieces[0] ?? 0) * hunksInPiece, last + 1 - (pieces[0] ?? 0) * hunksInPiece)
    : null
  return { hunks, failed }
}

/** Lines around a segment, as many as were asked for. */
const useAround = ({ at, digest, places, total }: Reviewed, segment: Segment) => {
  const [more, setMore] = useState({ above: 0, below: 0 })
  const { least, most } = windowOf(places, segment, total)
  const [first, last] = [places[segment.first], places[segment.last]]
  const [start, end] = [first?.now ?? 0, (last?.now ?? 0) + (last?.added ?? 0)]
  const top = Math.max(least, start - 4 - more.above)
  const bottom = Math.min(most, end + 4 + more.below)
  const above = useQuery({ ...aroundQuery(at, digest, top, start - top), enabled: more.above > 0 })
  const below = useQuery({ ...aroundQuery(at, digest, end, bottom - end), enabled: more.below > 0 })
  const lines = useMemo(
    (): KnownLines =>
      new Map([
        ...(above.data ?? []).map((it, index) => [top + index, it] as const),
        ...(below.data ?? []).map((it, index) => [end + index, it] as const),
      ]),
    [above.data, below.data, top, end],
  )
  return {
    lines,
    hidden: { above: top - least, below: most - bottom },
    showAbove: (): void => setMore((before) => ({ ...before, above: Math.min(190, before.above + step) })),
    showBelow: (): void => setMore((before) => ({ ...before, below: Math.min(190, before.below + step) })),
  }
}

/** A thread that is being written on a line: its place is asked for first. */
const NewThreadAt = ({
  reviewed,
  side,
  line,
  onDone,
}: {
  reviewed: Reviewed
  side: DiffSide
  line: number
  onDone: (thread: string | null) => void
}) => {
  const { at, base, digest } = reviewed
  const isOld = side === 'old'
  const pointer = useQuery(
    pointerQuery(isOld ? { ...at, version: base.label } : at, isOld ? base.digest : digest, line - 1),
  )
  if (pointer.error) return <Unread error={pointer.error} onRetry={() => void pointer.refetch()} />
  if (pointer.data === undefined) return <Loading what="the place" />
  return <NewThread at={at} on={{ pointer: pointer.data, base: isOld ? base.label : null }} onDone={onDone} />
}

/** Changed lines with those around them; each thread is below its line. */
export const DiffSegment = ({
  reviewed,
  segment,
  threads,
  writing,
  onWrite,
}: {
  reviewed: Reviewed
  segment: Segment
  threads: readonly Thread[]
  /** The line that a thread is being written on, as "now 12". */
  writing: string | null
  onWrite: (at: string | null) => void
}) => {
  const { at, base, focused, mayComment, onOpened } = reviewed
  const { hunks, failed } = useHunks(reviewed, segment)
  const { lines, hidden, showAbove, showBelow } = useAround(reviewed, segment)
  const rows = useMemo(
    () => (hunks === null ? null : rowsOf(reviewed.places, segment, hunks, lines)),
    [hunks, lines, reviewed.places, segment],
  )
  if (failed) return <Unread error={failed.error} onRetry={() => void failed.refetch()} />
  if (rows === null) return <Loading what="the lines" />
  const standing = Map.groupBy(threads, (it) => {
    const [side, line] = standOf(it, base.digest)
    return `${side} ${line + 1}`
  })
  const below = ({ old, now }: DiffRow) => {
    const names = [
      ...(old?.kind === 'gone' ? [`old ${old.number}`] : []),
      ...(now === null ? [] : [`now ${now.number}`]),
    ]
    const own = names.flatMap((it) => standing.get(it) ?? [])
    const written = writing !== null && names.includes(writing) ? writing : null
    if (own.length === 0 && written === null) return null
    const [side, line] = written?.split(' ') ?? []
    return (
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-2 px-3 py-2 font-sans text-sm sm:pl-14">
        {own.map((it) => (
          <ThreadCard key={it.id} at={at} thread={it} focused={it.id === focused} />
        ))}
        {written === null ? null : (
          <NewThreadAt
            reviewed={reviewed}
            side={side === 'old' ? 'old' : 'now'}
            line={Number(line)}
            onDone={(thread) => {
              onWrite(null)
              if (thread !== null) onOpened(thread)
            }}
          />
        )}
      </div>
    )
  }
  return (
    <div
      role="group"
      aria-label={`Lines from ${rows[0]?.now?.number ?? rows[0]?.old?.number ?? 1}`}
      data-segment={segment.key}
    >
      <Expand count={hidden.above} where="above" onMore={showAbove} />
      <DiffRows
        rows={rows}
        below={below}
        {...(mayComment ? { onComment: (side: DiffSide, line: number) => onWrite(`${side} ${line}`) } : {})}
      />
      <Expand count={hidden.below} where="below" onMore={showBelow} />
    </div>
  )
}
