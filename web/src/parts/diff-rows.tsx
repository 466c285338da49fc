import { Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { type DiffCell, type DiffRow, inOneColumn } from './diff-pairs.ts'
import { count } from './text.ts'
import { useNarrow } from './use-narrow.ts'

const looks = { same: '', gone: 'bg-danger-wash', new: 'bg-ok-wash' } as const
const marks = {
  same: '',
  gone: 'bg-[color-mix(in_srgb,var(--color-danger)_28%,transparent)]',
  new: 'bg-[color-mix(in_srgb,var(--color-ok)_28%,transparent)]',
} as const
const signs = { same: '', gone: '−', new: '+' } as const
const spoken = { same: '', gone: 'removed: ', new: 'added: ' } as const

/** Hatched: this side has nothing there. */
const nothing = 'min-h-5 min-w-0 bg-[repeating-linear-gradient(-45deg,transparent_0_5px,var(--color-line)_5px_6px)]'

export type DiffSide = 'old' | 'now'

interface Commenting {
  /** The line that Tab leads to. */
  readonly current: string
  readonly onComment: (side: DiffSide, line: number) => void
  readonly onKey: (event: KeyboardEvent<HTMLButtonElement>) => void
}

const LineNumber = ({ cell, side, on }: { cell: DiffCell; side: DiffSide; on: Commenting | null }) => {
  const { number } = cell
  const look = 'flex w-11 shrink-0 items-start justify-end self-stretch pr-2 text-soft tabular-nums select-none sm:w-14'
  if (on === null || number === null)
    return (
      <span aria-hidden="true" className={look}>
        {number}
      </span>
    )
  const at = `${side} ${number}`
  return (
    <button
      type="button"
      data-at={at}
      tabIndex={at === on.current ? 0 : -1}
      aria-label={`Comment on ${side === 'old' ? 'removed line' : 'line'} ${number}`}
      onClick={() => on.onComment(side, number)}
      onKeyDown={on.onKey}
      className={`${look} group/number gap-0.5 hover:bg-raised focus-visible:-outline-offset-2`}
    >
      <Plus
        size={13}
        aria-hidden="true"
        className="mt-0.5 text-accent opacity-0 group-focus/number:opacity-100 group-hover/line:opacity-100 pointer-coarse:opacity-100"
      />
      {number}
    </button>
  )
}

/** What is not shown of a long line. */
const restOf = ({ text, from = 0, length = text.length }: DiffCell): number => length - from - text.length

const Cell = ({ cell, side, on }: { cell: DiffCell | null; side: DiffSide; on: Commenting | null }) => {
  if (cell === null) return <div aria-hidden="true" className={nothing} />
  const { kind, parts, from = 0 } = cell
  const rest = restOf(cell)
  return (
    <div className={`group/line flex min-w-0 ${looks[kind]}`}>
      <LineNumber cell={cell} side={side} on={on} />
      <span aria-hidden="true" className="w-4 shrink-0 text-soft select-none">
        {signs[kind]}
      </span>
      <code className="min-h-5 min-w-0 grow pr-2 break-all whitespace-pre-wrap">
        {kind === 'same' ? null : <span className="sr-only">{spoken[kind]}</span>}
        {from > 0 ? <span className="text-soft">… </span> : null}
        {parts.map(({ text, isMarked }, index) =>
          isMarked ? (
            <mark key={index} className={`rounded-xs text-ink ${marks[kind]}`}>
              {text}
            </mark>
          ) : (
            <span key={index}>{text}</span>
          ),
        )}
        {rest > 0 ? <span className="text-soft"> … {count(rest, 'character', 'characters')} more</span> : null}
      </code>
    </div>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }

/** Arrow keys move between the lines of a difference, to the left and right between its sides. */
const moveFocus = (event: KeyboardEvent<HTMLButtonElement>): string | null => {
  if (event.altKey || event.ctrlKey || event.metaKey) return null
  const { currentTarget } = event
  const all = [...(currentTarget.closest('[data-diff]')?.querySelectorAll<HTMLElement>('[data-at]') ?? [])]
  const [side = ''] = (currentTarget.dataset['at'] ?? '').split(' ')
  const isColumn = (it: HTMLElement): boolean => it.dataset['at']?.startsWith(`${side} `) === true
  const step = steps[event.key]
  let next: HTMLElement | undefined
  if (step !== undefined) {
    const own = currentTarget.closest('[data-columns="1"]') === null ? all.filter(isColumn) : all
    const at = Math.max(0, Math.min(own.length - 1, own.indexOf(currentTarget) + step))
    next = own[at]
  } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const row = currentTarget.closest('[data-row]')
    next = all.find((it) => it.closest('[data-row]') === row && it !== currentTarget)
  }
  if (next === undefined) return null
  event.preventDefault()
  next.focus()
  return next.dataset['at'] ?? null
}

const atOf = ({ old, now }: DiffRow): string => {
  if (now?.number != null) return `now ${now.number}`
  return old?.number == null ? '' : `old ${old.number}`
}

const Row = ({ row, isNarrow, on }: { row: DiffRow; isNarrow: boolean; on: Commenting | null }) => {
  if (!isNarrow)
    return (
      <div data-row className="grid grid-cols-2 divide-x">
        <Cell cell={row.old} side="old" on={row.old?.kind === 'gone' ? on : null} />
        <Cell cell={row.now} side="now" on={on} />
      </div>
    )
  return (
    <div data-row>
      {row.now === null ? <Cell cell={row.old} side="old" on={on} /> : <Cell cell={row.now} side="now" on={on} />}
    </div>
  )
}

/**
 * A difference of lines: in pairs where there is room, else below each other. Where lines can be commented on, Tab leads to one of
 * them and arrow keys to the others.
 */
export const DiffRows = ({
  rows,
  narrow = false,
  below,
  onComment,
}: {
  rows: readonly DiffRow[]
  /** One column wherever it is. */
  narrow?: boolean
  /** What is below a line. */
  below?: (row: DiffRow) => ReactNode
  onComment?: (side: DiffSide, line: number) => void
}) => {
  const isNarrow = useNarrow() || narrow
  const shown = useMemo(() => (isNarrow ? inOneColumn(rows) : rows), [rows, isNarrow])
  const [wanted, setWanted] = useState('')
  const first = shown.find((it) => it.now?.kind !== 'same') ?? shown[0]
  const isThere = shown.some(({ old, now }) => `old ${old?.number}` === wanted || `now ${now?.number}` === wanted)
  const on: Commenting | null = onComment
    ? {
        current: isThere || first === undefined ? wanted : atOf(first),
        onComment: (side, line) => {
          setWanted(`${side} ${line}`)
          onComment(side, line)
        },
        onKey: (event) => {
          const next = moveFocus(event)
          if (next !== null) setWanted(next)
        },
      }
    : null
  return (
    <div data-diff data-columns={isNarrow ? 1 : 2} className="font-mono text-xs leading-5">
      {shown.map((row) => (
        <div key={row.key}>
          <Row row={row} isNarrow={isNarrow} on={on} />
          {below?.(row)}
        </div>
      ))}
    </div>
  )
}
