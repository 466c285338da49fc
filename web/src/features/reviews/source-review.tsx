import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Thread } from '../../../../src/api/threads.ts'
import { useAddress } from '../../parts/address.ts'
import { CheckField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Unread } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import type { Change } from '../comparison/queries.ts'
import { type Finding, marksQuery } from '../lint/queries.ts'
import { versionQuery, type VersionRef } from '../catalog/versions.ts'
import { lineOfThread } from './marks.ts'
import { lists, type Places, PlacesList } from './places-list.tsx'
import { changesQuery, linesQuery, threadQuery, threadsQuery } from './queries.ts'
import { pieceOf, SourcePane, type SourceTarget } from './source-pane.tsx'

/** What the address says of a review. */
export interface ReviewAddress {
  readonly line: number | null
  readonly thread: string | null
  readonly list: string
  /** What is not shown below the lines of the source: "changes", "findings", with a comma between. */
  readonly hide: string
  /** "source" for the whole source; else what changed. */
  readonly show: string
}

const none: readonly never[] = []

/** Threads in the order of the source. */
const inOrder = (threads: readonly Thread[]) => threads.toSorted((a, b) => lineOfThread(a) - lineOfThread(b))

/** The threads of a version; one that the address names is among them however many there are. */
export const useThreads = (at: VersionRef, thread: string | null) => {
  const threads = useQuery(threadsQuery(at))
  const known = useMemo(
    (): readonly Thread[] => (threads.data ? [...inOrder(threads.data.open), ...inOrder(threads.data.resolved)] : none),
    [threads.data],
  )
  const isMissing = thread !== null && threads.data !== undefined && known.every((it) => it.id !== thread)
  const single = useQuery({ ...threadQuery(at, thread ?? ''), enabled: isMissing })
  const all = useMemo(
    () => (isMissing && single.data ? [...known, single.data] : known),
    [isMissing, single.data, known],
  )
  return { threads, single, all, isMissing, found: all.find((it) => it.id === thread) ?? null }
}

/** Everything that is said about a version, and what of it is still being read or could not be. */
const useEverything = (at: VersionRef, thread: string | null, start: number) => {
  const version = useQuery(versionQuery(at))
  const { threads, single, all, isMissing, found } = useThreads(at, thread)
  const piece = pieceOf(found === null ? start : lineOfThread(found))
  const first = useQuery({
    ...linesQuery(at, version.data?.digest ?? '', piece),
    enabled: version.data !== undefined && (thread === null || found !== null || threads.error !== null),
  })
  // What takes seconds for a large document is asked for once its lines are there.
  const hasLines = first.data !== undefined || first.error !== null || single.error !== null
  const changes = useQuery({ ...changesQuery(at), enabled: hasLines })
  const findings = useQuery({ ...marksQuery(at), enabled: hasLines })
  const provenance = version.data?.provenance
  const name = provenance?.path ?? provenance?.source
  const places = useMemo((): Places => {
    const own = (findings.data?.findings ?? none).filter((it: Finding) => it.source === name)
    const changed: readonly Change[] = changes.data?.items ?? none
    return {
      threads: all,
      changes: changed,
      findings: own,
      totals: {
        threads: threads.data ? all.length + threads.data.hidden : null,
        changes: changes.data?.total ?? null,
        findings: findings.data ? own.length : null,
      },
    }
  }, [all, findings.data, changes.data, threads.data, name])
  const queries = [threads, changes, findings, ...(isMissing ? [single] : [])]
  return {
    places,
    found,
    /** How much of it is here: each part moves the rows below it. */
    parts: queries.filter((it) => it.data !== undefined).length,
    failed: queries.find((it) => it.error !== null),
  }
}

/** Which of the three are shown below the lines. */
const Shown = ({ hide, onHide }: { hide: readonly string[]; onHide: (hide: readonly string[]) => void }) => (
  <fieldset className="flex flex-wrap gap-x-4 gap-y-2.5">
    <legend className="sr-only">Shown below the lines</legend>
    {(['changes', 'findings', 'resolved'] as const).map((kind) => (
      <CheckField
        key={kind}
        checked={!hide.includes(kind)}
        onChange={(on) => onHide(on ? hide.filter((one) => one !== kind) : [...hide, kind])}
      >
        {kind === 'resolved' ? 'resolved threads' : kind}
      </CheckField>
    ))}
  </fieldset>
)

/** What of the places is shown below the lines; the thread of the address is never hidden. */
const notHidden = (places: Places, hide: readonly string[], thread: string | null) => ({
  changes: hide.includes('changes') ? none : places.changes,
  findings: hide.includes('findings') ? none : places.findings,
  threads: places.threads.filter((it) => it.status === 'open' || !hide.includes('resolved') || it.id === thread),
})

/** Where the address leads: to a thread, to a line, or nowhere. */
const targetOf = ({ line, thread }: ReviewAddress, found: Thread | null, turn: number): SourceTarget | null => {
  if (found !== null) return { line: lineOfThread(found), thread: found.id, turn }
  return line === null || thread !== null ? null : { line: line - 1, thread: null, turn }
}

/** The whole source of a version with its changes, findings and threads at their lines. */
export const SourceReview = ({
  at,
  address,
  onThread,
}: {
  at: VersionRef
  address: ReviewAddress
  onThread: (thread: string) => void
}) => {
  const { thread } = address
  const { filter } = useAddress()
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const { places, found, parts, failed } = useEverything(at, thread, (address.line ?? 1) - 1)
  const [turn, setTurn] = useState(0)
  const hide = useMemo(() => address.hide.split(',').filter((it) => it !== ''), [address.hide])
  const shown = useMemo(() => notHidden(places, hide, thread), [places, hide, thread])
  const toLine = useCallback(
    (line: number): void => {
      setTurn((before) => before + 1)
      filter({ line: line + 1, thread: '' })
    },
    [filter],
  )
  const toThread = (id: string): void => {
    setTurn((before) => before + 1)
    onThread(id)
  }
  const list = lists.find((it) => it === address.list) ?? 'threads'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-sm text-soft">
        Choose the number of a line to open a thread on it; arrow keys move between the lines.
      </p>
      <Shown hide={hide} onHide={(next) => filter({ hide: next.join(',') })} />
      {failed ? <Unread error={failed.error} onRetry={() => void failed.refetch()} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <PlacesList
          places={places}
          list={list}
          onList={(next) => filter({ list: next, show: 'source' })}
          onLine={toLine}
          onThread={toThread}
        />
        <Read query={version} what="the version">
          {({ digest }) => (
            <SourcePane
              at={at}
              digest={digest}
              shown={shown}
              target={targetOf(address, found, turn)}
              parts={parts}
              mayComment={holds(identity.data, at.tenant, 'comments:create')}
              onOpened={toThread}
            />
          )}
        </Read>
      </div>
    </div>
  )
}
