import { MessageSquarePlus } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { versionsApi } from '../../../../src/api/versions.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import { kindOf } from '../comparison/changes.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { type Marks, placeName } from './marks.ts'
import { NewThread } from './new-thread.tsx'
import { ThreadCard } from './thread-card.tsx'

export type Line = Output<typeof versionsApi.lines>['lines'][number]

/** More marks of one kind than these say how many they are. */
const mostAtLine = 5

const changedLook = (line: Line | null): string => (line?.changed ? 'bg-ok-wash' : '')

/** A line of the source: its number opens a thread on it. Only one of them is reached by Tab, arrow keys move to the others. */
export const LineRow = ({
  line,
  number,
  current,
  marked,
  mayComment,
  onComment,
  onKey,
}: {
  /** Null while it is read. */
  line: Line | null
  number: number
  current: boolean
  /** Whether the address names it. */
  marked: boolean
  mayComment: boolean
  onComment: () => void
  onKey: (event: KeyboardEvent) => void
}) => (
  <div className={`group flex font-mono text-xs leading-[22px] ${marked ? 'bg-warn-wash' : changedLook(line)}`}>
    <button
      type="button"
      data-line={number}
      tabIndex={current ? 0 : -1}
      aria-label={line === null ? `Line ${number}` : `Line ${number}, ${placeName(line.pointer)}`}
      {...(mayComment ? { title: 'Comment on this line' } : {})}
      onClick={mayComment ? onComment : undefined}
      onKeyDown={onKey}
      className="flex h-[22px] w-12 shrink-0 items-center justify-end gap-1 pr-2 text-soft tabular-nums select-none sm:w-16 focus-visible:-outline-offset-2"
    >
      {mayComment ? (
        <MessageSquarePlus
          size={14}
          aria-hidden="true"
          className="text-accent opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        />
      ) : null}
      {number}
    </button>
    <span
      className={`min-w-0 grow border-l-2 pr-3 pl-2 break-all whitespace-pre-wrap ${line?.changed ? 'border-ok' : 'border-transparent'}`}
    >
      {line === null ? '…' : line.text}
      {line !== null && line.length > line.text.length
        ? ` … ${count(line.length - line.text.length, 'character', 'characters')} more`
        : ''}
      {line?.changed ? <span className="sr-only"> (changed)</span> : null}
      {line !== null && line.removed > 0 ? (
        <span className="ml-3 rounded bg-danger-wash px-1 font-sans text-danger">
          {count(line.removed, 'line', 'lines')} removed above
        </span>
      ) : null}
    </span>
  </div>
)

const More = ({ hidden, one, many }: { hidden: number; one: string; many: string }) =>
  hidden > 0 ? <p className="text-xs text-soft">and {count(hidden, one, many)} more at this line</p> : null

/** What is below a line: its changes and findings in a sentence each, and its threads. */
export const MarksRow = ({
  at,
  marks,
  pointer,
  focused,
  onDone,
}: {
  at: VersionRef
  marks: Marks
  /** The place of the line; null while it is read. */
  pointer: string | null
  /** The thread that the address names. */
  focused: string | null
  onDone: (thread: string | null) => void
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-y bg-raised px-3 py-2 font-sans text-sm sm:pl-16">
    {marks.changes.slice(0, mostAtLine).map((change) => (
      <p key={change.fingerprint} className="flex flex-wrap items-baseline gap-2">
        <span className="sr-only">Change:</span>
        {kindOf(change) === 'undecided' ? <Badge tone="warn">undecided</Badge> : <Severity severity={kindOf(change)} />}
        <span className="min-w-0 flex-1 basis-52 wrap-anywhere">
          <Words of={change.message} />
        </span>
      </p>
    ))}
    <More hidden={marks.changes.length - mostAtLine} one="change" many="changes" />
    {marks.findings.slice(0, mostAtLine).map((finding) => (
      <p key={finding.fingerprint} className="flex flex-wrap items-baseline gap-2">
        <span className="sr-only">Finding:</span>
        <Severity severity={finding.severity} />
        <span className="min-w-0 flex-1 basis-52 wrap-anywhere">
          <Words of={finding.message} /> <span className="font-mono text-xs text-soft">{finding.code}</span>
        </span>
      </p>
    ))}
    <More hidden={marks.findings.length - mostAtLine} one="finding" many="findings" />
    {marks.threads.map((it) => (
      <ThreadCard key={it.id} at={at} thread={it} focused={it.id === focused} />
    ))}
    {marks.writing && pointer !== null ? (
      <NewThread key={pointer} at={at} on={{ pointer, base: null }} onDone={onDone} />
    ) : null}
  </div>
)
