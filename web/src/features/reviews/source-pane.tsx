import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { versionsApi } from '../../../../src/api/versions.ts'
import { count } from '../../parts/text.ts'
import { Loading, Unread } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import type { VersionRef } from '../catalog/versions.ts'
import { type Marks, marksOf, rowAt, rowOfLine } from './marks.ts'
import { linesInPiece, linesQuery } from './queries.ts'
import { type Line, LineRow, MarksRow } from './source-row.tsx'

type Piece = Output<typeof versionsApi.lines>

/** The number of the piece that has a line. */
export const pieceOf = (line: number): number => Math.floor(line / linesInPiece)

/** The pieces of the document that are on the screen, and how many lines it has. */
const usePieces = (at: VersionRef, digest: string, [first, last]: readonly [number, number]) => {
  const pieces = Array.from({ length: pieceOf(last) - pieceOf(first) + 1 }, (_, index) => pieceOf(first) + index)
  const read: UseQueryResult<Piece>[] = useQueries({ queries: pieces.map((piece) => linesQuery(at, digest, piece)) })
  const [known, setKnown] = useState<Piece | null>(null)
  const any = read.find((it) => it.data !== undefined)?.data
  useEffect(() => {
    if (any !== undefined) setKnown(any)
  }, [any])
  const lineAt = (line: number): Line | null =>
    read[pieceOf(line) - pieceOf(first)]?.data?.lines[line % linesInPiece] ?? null
  const failed = read.find((it) => it.error !== null)
  return { known: any ?? known, lineAt, failed }
}

/** How far a key moves among the lines; null for other keys. */
const stepOf = (key: string, line: number, total: number): number | null => {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 20,
    PageUp: -20,
    Home: -line,
    End: total - 1 - line,
  }
  return steps[key] ?? null
}

/** The line that is reached by Tab, and the focus, which follows the arrow keys to lines that are not drawn yet. */
const useCurrentLine = (total: number) => {
  const frame = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [wanted, setWanted] = useState<number | null>(null)
  const focusLine = (line: number): boolean => {
    const button = frame.current?.querySelector<HTMLElement>(`[data-line="${line + 1}"]`)
    button?.focus()
    return button !== null && button !== undefined
  }
  // Tried after each drawing, until the line is there.
  useEffect(() => {
    if (wanted !== null && focusLine(wanted)) setWanted(null)
  })
  const onKey = (line: number) => (event: KeyboardEvent) => {
    const step = event.altKey || event.ctrlKey || event.metaKey ? null : stepOf(event.key, line, total)
    if (step === null) return
    event.preventDefault()
    const next = Math.max(0, Math.min(total - 1, line + step))
    setCurrent(next)
    setWanted(next)
  }
  return { frame, current, setCurrent, wanted, setWanted, onKey }
}

/** Where to go in the source: a line, or the thread that is at it. Another `turn` goes to the same place again. */
export interface SourceTarget {
  readonly line: number
  readonly thread: string | null
  readonly turn: number
}

interface PaneRows {
  readonly at: VersionRef
  readonly marks: ReturnType<typeof marksOf>
  readonly target: SourceTarget | null
  readonly mayComment: boolean
  readonly lineAt: (line: number) => Line | null
  /** Where a thread is being written. */
  readonly writing: Writing | null
  readonly onWrite: (writing: Writing | null) => void
  /** Called with the thread that was opened; null where it was given up. */
  readonly onDone: (thread: string | null) => void
}

interface Writing {
  readonly line: number
  readonly pointer: string
}

/** A line of the source, or what belongs to the line above. */
const PaneRow = ({
  row,
  rows: { at, marks, target, mayComment, lineAt, writing, onWrite, onDone },
  lines: { current, setCurrent, onKey },
}: {
  row: number
  rows: PaneRows
  lines: ReturnType<typeof useCurrentLine>
}) => {
  const found = rowAt(marks, row)
  if ('marks' in found) {
    const pointer = writing?.line === found.marks.line ? writing.pointer : null
    return <MarksRow at={at} marks={found.marks} pointer={pointer} focused={target?.thread ?? null} onDone={onDone} />
  }
  const { line } = found
  const read = lineAt(line)
  return (
    <LineRow
      line={read}
      number={line + 1}
      current={line === current}
      marked={target !== null && target.thread === null && line === target.line}
      mayComment={mayComment}
      onComment={() => {
        setCurrent(line)
        if (read !== null) onWrite({ line, pointer: read.pointer })
      }}
      onKey={onKey(line)}
    />
  )
}

/** How long the source is, and how much of it changed since the published version. */
const changedWords = ({ base, changed }: Piece): string => {
  if (base === null) return ''
  if (changed.places === 0) return `, the same as in ${base.label}`
  return `, ${count(changed.lines, 'line', 'lines')} changed in ${count(changed.places, 'place', 'places')} since ${base.label}`
}

/** The row that the list scrolls to, and a key that changes whenever it has to do so again. */
const useGoal = (
  target: SourceTarget | null,
  parts: number,
  { frame, wanted, setCurrent, setWanted }: ReturnType<typeof useCurrentLine>,
) => {
  const turn = target === null ? '' : `${target.turn} ${target.thread ?? target.line}`
  useEffect(() => {
    if (target === null) return
    setCurrent(target.line)
    // A thread takes the focus itself.
    setWanted(target.thread === null ? target.line : null)
  }, [turn])
  // What comes in above moves a target away: the list follows it while the focus is there.
  const [moves, setMoves] = useState(0)
  useEffect(() => {
    if (frame.current?.contains(document.activeElement)) setMoves((before) => before + 1)
  }, [parts, frame])
  return (marks: PaneRows['marks'], total: number) => {
    const goal = wanted ?? target?.line ?? null
    if (goal === null) return {}
    // A thread is below its line.
    const below = wanted === null && target?.thread ? 1 : 0
    const focusIndex = Math.min(total + marks.length - 1, rowOfLine(marks, Math.min(goal, total - 1)) + below)
    return { focusIndex, focusKey: wanted === null ? `${turn} ${moves}` : `line ${wanted}` }
  }
}

interface SourcePaneProps {
  readonly at: VersionRef
  readonly digest: string
  readonly shown: Pick<Marks, 'changes' | 'findings' | 'threads'>
  /** How much of what is shown was read: more of it moves the rows. */
  readonly parts: number
  readonly target: SourceTarget | null
  readonly mayComment: boolean
  readonly onOpened: (thread: string) => void
}

/**
 * The source of a version by lines, which are read in pieces as they come to the screen, with what belongs to them below each:
 * changes, findings, threads. Arrow keys move between the lines, Enter opens a thread on one.
 */
export const SourcePane = ({ at, digest, shown, parts, target, mayComment, onOpened }: SourcePaneProps) => {
  const start = target?.line ?? 0
  const [visible, setVisible] = useState<readonly [number, number]>([start, start + 50])
  const [writing, setWriting] = useState<Writing | null>(null)
  const marks = useMemo(() => marksOf(shown, writing?.line ?? null), [shown, writing])
  // Numbers: the list makes one for each line of the document.
  const keyOf = useCallback(
    (row: number): number => {
      const found = rowAt(marks, row)
      return 'line' in found ? found.line : -1 - found.marks.line
    },
    [marks],
  )
  const { known, lineAt, failed } = usePieces(at, digest, visible)
  const total = known?.total ?? 0
  const lines = useCurrentLine(total)
  const goalIn = useGoal(target, parts, lines)
  const again = failed ? <Unread error={failed.error} onRetry={() => void failed.refetch()} /> : null
  if (known === null) return again ?? <Loading what="the source" />
  const lineOf = (row: number): number => {
    const found = rowAt(marks, row)
    return Math.min(total - 1, 'line' in found ? found.line : found.marks.line)
  }
  const onDone = (thread: string | null): void => {
    const { line } = writing ?? { line: lines.current }
    setWriting(null)
    if (thread !== null) return onOpened(thread)
    lines.setCurrent(line)
    lines.setWanted(line)
  }
  const rows: PaneRows = { at, marks, target, mayComment, lineAt, writing, onWrite: setWriting, onDone }
  return (
    <div ref={lines.frame} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-sm text-soft">
        {count(known.total, 'line', 'lines')}
        {changedWords(known)}
      </p>
      {again}
      <VirtualList
        label="Source with its threads"
        total={total + marks.length}
        estimate={22}
        ruled={false}
        height="max-h-[80vh]"
        {...goalIn(marks, total)}
        keyOf={keyOf}
        keep={[rowOfLine(marks, lines.current), ...(writing === null ? [] : [rowOfLine(marks, writing.line) + 1])]}
        onVisible={(first, last) => {
          const [from, to] = [lineOf(first), lineOf(last)]
          if (from !== visible[0] || to !== visible[1]) setVisible([from, to])
        }}
      >
        {(row) => <PaneRow row={row} rows={rows} lines={lines} />}
      </VirtualList>
    </div>
  )
}
