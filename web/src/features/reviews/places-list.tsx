import { capitalized } from '../../parts/text.ts'
import type { ReactNode } from 'react'
import type { Thread } from '../../../../src/api/threads.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Words } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { kindOf } from '../comparison/changes.ts'
import type { Change } from '../comparison/queries.ts'
import type { Finding } from '../lint/queries.ts'
import { lineOfChange, lineOfFinding, lineOfThread } from './marks.ts'

export const lists = ['threads', 'changes', 'findings'] as const
export type ListName = (typeof lists)[number]

/** What there is to read in a draft, each with its way to the line. */
export interface Places {
  readonly threads: readonly Thread[]
  readonly changes: readonly Change[]
  readonly findings: readonly Finding[]
  /** How many there are, where not all of them are here; null: not known yet. */
  readonly totals: Readonly<Record<ListName, number | null>>
}

const GoTo = ({ line, about, onGo }: { line: number | null; about: string; onGo: (line: number) => void }) =>
  line === null ? (
    <span className="text-xs text-soft">removed</span>
  ) : (
    <button
      type="button"
      className="link inline-flex min-h-6 items-center text-xs whitespace-nowrap tabular-nums"
      onClick={() => onGo(line)}
    >
      line {(line + 1).toLocaleString()}
      <span className="sr-only"> of the source: {about}</span>
    </button>
  )

const Item = ({ mark, text, go }: { mark: ReactNode; text: ReactNode; go: ReactNode }) => (
  <div className="grid gap-0.5 px-3 py-2 text-sm">
    <p className="flex flex-wrap items-center justify-between gap-x-2">
      <span className="flex flex-wrap gap-1">{mark}</span>
      {go}
    </p>
    <p className="line-clamp-3 min-w-0 wrap-anywhere">{text}</p>
  </div>
)

/** A comment in one line, without the marks of Markdown. */
const plainText = (body: string): string =>
  body
    .slice(0, 400)
    .replaceAll(/\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')

export const threadText = ({ comments: [first] }: Thread): string =>
  `${first?.author?.name ?? 'The service'}: ${first?.deleted ? 'deleted' : plainText(first?.body ?? '')}`

const emptyWords: Readonly<Record<ListName, string>> = {
  threads: 'No threads yet. Choose a line of the source to open one.',
  changes: 'No changes since the published version.',
  findings: 'No findings: all rules passed.',
}

interface Lists {
  readonly places: Places
  readonly list: ListName
  readonly onLine: (line: number) => void
  readonly onThread: (thread: string) => void
}

/** One line of a list. */
const PlaceItem = ({
  places: { threads, changes, findings },
  list,
  index,
  onLine,
  onThread,
}: Lists & { index: number }) => {
  const [thread, change, finding] = [threads[index], changes[index], findings[index]]
  if (list === 'threads' && thread) {
    const { id, status, anchor_state: state } = thread
    return (
      <Item
        mark={
          <>
            <Badge tone={status === 'open' ? 'info' : 'ok'}>{status}</Badge>
            {state === 'anchored' ? null : (
              <Badge tone="warn">{state === 'moved' ? 'place moved' : 'place lost'}</Badge>
            )}
          </>
        }
        text={threadText(thread)}
        go={<GoTo line={lineOfThread(thread)} about={thread.place.key} onGo={() => onThread(id)} />}
      />
    )
  }
  if (list === 'changes' && change)
    return (
      <Item
        mark={
          kindOf(change) === 'undecided' ? <Badge tone="warn">undecided</Badge> : <Severity severity={kindOf(change)} />
        }
        text={<Words of={change.message} />}
        go={<GoTo line={lineOfChange(change)} about={change.message} onGo={onLine} />}
      />
    )
  return finding ? (
    <Item
      mark={<Severity severity={finding.severity} />}
      text={<Words of={finding.message} />}
      go={<GoTo line={lineOfFinding(finding)} about={finding.message} onGo={onLine} />}
    />
  ) : null
}

/** The list itself; until it is read, that it is loading. */
const PlaceRows = (props: Lists) => {
  const { places, list } = props
  const total = places[list].length
  if (places.totals[list] === null) return <Loading what={`the ${list}`} />
  if (total === 0) return <p className="card px-3 py-4 text-sm text-soft">{emptyWords[list]}</p>
  return (
    <VirtualList key={list} label={`List of ${list}`} total={total} estimate={72} height="max-h-[40vh] lg:max-h-[76vh]">
      {(index) => <PlaceItem {...props} index={index} />}
    </VirtualList>
  )
}

/** Threads, changes and findings as lists that lead to the source. */
export const PlacesList = ({ onList, ...props }: Lists & { onList: (list: ListName) => void }) => {
  const { places, list } = props
  const { totals } = places
  const total = places[list].length
  const whole = totals[list]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      <Choices
        label="List"
        value={list}
        onChange={(next) => onList(lists.find((it) => it === next) ?? list)}
        choices={lists.map((value) => ({
          value,
          name: capitalized(value),
          ...(totals[value] === null ? {} : { count: totals[value] }),
        }))}
      />
      <PlaceRows {...props} />
      {whole !== null && whole > total ? (
        <p className="text-xs text-soft">
          The first {total.toLocaleString()} of {whole.toLocaleString()}.
        </p>
      ) : null}
    </div>
  )
}
