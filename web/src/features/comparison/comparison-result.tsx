import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type Compared, comparisonQuery, isPasted, type Pair, reportOf, writeRef } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { CopyLater } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { useDownload } from '../../parts/download.ts'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Failure, NoMatch } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import type { ChangeContext } from './change-proof.tsx'
import { ConsumerImpacts } from './consumer-impacts.tsx'
import { ChangeList } from './change-list.tsx'
import { ChangeTree } from './change-tree.tsx'
import { Lines } from '../../parts/source-frame.tsx'
import { countKinds, filterChanges, groupChanges, kindOf, kinds, nodesOf } from './changes.ts'

/** What the address says about how the result is shown. */
export interface Shown {
  readonly severity: string | null
  readonly consumer: string | null
  readonly q: string
  /** The operation or component whose changes are listed. */
  readonly at: string | null
  /** The fingerprint of the change that is open. */
  readonly change: string | null
}

interface Verdict {
  readonly title: string
  readonly words: string
  readonly look: string
}

const verdictOf = ({ changes, base, head }: Compared): Verdict => {
  const { breaking, undecided, 'non-breaking': other, 'docs-only': docs } = countKinds(changes)
  const open = undecided === 0 ? '' : ` and ${count(undecided, 'undecided change', 'undecided changes')}`
  if (breaking > 0)
    return {
      title: `${count(breaking, 'breaking change', 'breaking changes')}${open}`,
      words: `Clients written for ${base.label} can fail with ${head.label}.`,
      look: 'border-transparent bg-danger-wash',
    }
  if (undecided > 0)
    return {
      title: count(undecided, 'undecided change', 'undecided changes'),
      words: 'No change is proven to break clients, but some could not be decided. Review them.',
      look: 'border-transparent bg-warn-wash',
    }
  if (other > 0)
    return {
      title: 'No breaking changes',
      words: `Clients written for ${base.label} work with ${head.label}.`,
      look: 'border-ok bg-ok-wash text-ok',
    }
  if (docs > 0)
    return {
      title: 'Only documentation changed',
      words: 'The contract is unchanged; only documentation changed.',
      look: 'border-ok bg-ok-wash text-ok',
    }
  return {
    title: 'No changes',
    words: `${base.label} and ${head.label} are identical.`,
    look: 'border-ok bg-ok-wash text-ok',
  }
}

const VerdictCard = ({ compared, children }: { compared: Compared; children?: ReactNode }) => {
  const { title, words, look } = verdictOf(compared)
  return (
    <div className={`card flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3 ${look}`}>
      <div role="status" className="grid min-w-0 gap-0.5">
        <p className="text-lg font-semibold">{title}</p>
        <p className="text-sm break-words">{words}</p>
      </div>
      {children}
    </div>
  )
}

const nameOf = ({ base, head }: Compared): string =>
  `${base.label}-to-${head.label}`.replaceAll(/[^\w.@-]+/g, '-').replaceAll('@', '-')

const formats = [
  { name: 'Markdown', type: 'text/markdown', extension: 'md' },
  { name: 'HTML', type: 'text/html', extension: 'html' },
  { name: 'SARIF', type: 'application/sarif+json', extension: 'sarif' },
  { name: 'JUnit', type: 'application/xml', extension: 'xml' },
] as const

/** What takes the result elsewhere: the service's own changelog on the clipboard, and files. */
const Outputs = ({ pair, compared, consumers }: { pair: Pair; compared: Compared; consumers: boolean }) => {
  const download = useDownload()
  const file = nameOf(compared)
  // What is read in pages is without the longest values.
  const written = async () =>
    JSON.stringify(JSON.parse(await reportOf(pair, consumers, 'application/json')) as unknown, null, 2)
  return (
    <div className="flex flex-wrap items-center gap-2 text-ink">
      <CopyLater name="Copy as Markdown" read={() => reportOf(pair, consumers, 'text/markdown')} />
      <Menu align="end" look="plain" label="Download">
        <MenuItem onClick={() => download.mutate({ name: `${file}.json`, type: 'application/json', read: written })}>
          JSON
        </MenuItem>
        {formats.map(({ name, type, extension }) => (
          <MenuItem
            key={name}
            onClick={() =>
              download.mutate({
                name: `${file}.${extension}`,
                type,
                read: () => reportOf(pair, consumers, type),
              })
            }
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
      {download.error ? <Failure error={download.error} /> : null}
    </div>
  )
}

const ConsumerFilter = ({
  compared,
  value,
  onChange,
}: {
  compared: Compared
  value: string | null
  onChange: (handle: string) => void
}) => {
  const consumers = compared.consumers?.consumers ?? []
  const counts = useMemo(() => {
    const found = new Map<string, number>()
    for (const it of compared.changes.flatMap((change) => change.consumers)) found.set(it, (found.get(it) ?? 0) + 1)
    return found
  }, [compared])
  if (consumers.length === 0 && value === null) return null
  return (
    <label className="flex items-center gap-2 text-sm">
      Consumer
      <select className="field w-auto max-w-56" value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">All consumers</option>
        {value === null || consumers.some((it) => it.handle === value) ? null : <option value={value}>{value}</option>}
        {consumers.map((it) => (
          <option key={it.handle} value={it.handle}>
            {it.name} ({counts.get(it.handle) ?? 0})
          </option>
        ))}
      </select>
    </label>
  )
}

const ShownCount = ({
  shown,
  total,
  at,
  onClear,
}: {
  shown: number
  total: number
  /** The place of the changes; null for all places. */
  at: string | null
  onClear: () => void
}) => {
  const isFiltered = shown < total
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm text-soft">
      <span role="status">
        {isFiltered ? `${shown.toLocaleString()} of ` : ''}
        {count(total, 'change', 'changes')}
        {at === null ? '' : ` at ${at.slice(at.indexOf(' ') + 1)}`}
      </span>
      {isFiltered ? (
        <button type="button" className="link min-h-6" onClick={onClear}>
          Show all changes
        </button>
      ) : null}
      <span className="max-sm:hidden print:hidden">
        <kbd className="rounded border px-1 font-sans text-xs">j</kbd> and{' '}
        <kbd className="rounded border px-1 font-sans text-xs">k</kbd> go to the next change and back
      </span>
    </p>
  )
}

const Sifted = ({ compared, around, shown }: { compared: Compared; around: ChangeContext; shown: Shown }) => {
  const { filter, show } = useAddress()
  const { severity, consumer, q, at, change } = shown
  const { changes } = compared
  const sifted = useMemo(
    () => filterChanges(changes, { kind: severity, consumer, q, at: null }),
    [changes, severity, consumer, q],
  )
  const nodes = useMemo(() => nodesOf(sifted), [sifted])
  const rows = useMemo(
    () => (at === null ? sifted : filterChanges(sifted, { kind: null, consumer: null, q: '', at })),
    [sifted, at],
  )
  const groups = useMemo(() => groupChanges(rows), [rows])
  // The counts say what each choice would leave of what the other filters let through.
  const counts = useMemo(
    () => countKinds(filterChanges(changes, { kind: null, consumer, q, at })),
    [changes, consumer, q, at],
  )
  const clear = (): void => filter({ severity: '', consumer: '', q: '', at: '', change: '' })
  return (
    <>
      <Toolbar>
        <SearchField label="Search changes" value={q} onChange={(text) => filter({ q: text })} />
        <ConsumerFilter compared={compared} value={consumer} onChange={(handle) => filter({ consumer: handle })} />
        <Choices
          label="Severity"
          value={severity}
          onChange={(next) => filter({ severity: next ?? '' })}
          choices={kinds
            .filter((it) => it !== 'undecided' || changes.some((one) => kindOf(one) === it))
            .map((it) => ({ value: it, name: it, count: counts[it] }))}
        />
      </Toolbar>
      {rows.length === 0 ? (
        <NoMatch what="change" onClear={clear} />
      ) : (
        <>
          <ShownCount shown={rows.length} total={changes.length} at={at} onClear={clear} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
            <div className="lg:sticky lg:top-[4.0625rem] print:hidden">
              <ChangeTree nodes={nodes} at={at} onAt={(key) => show({ at: key ?? '', change: '' })} />
            </div>
            <ChangeList
              groups={groups}
              around={around}
              chosen={change}
              onChoose={(fingerprint) => show({ change: fingerprint ?? '' })}
            />
          </div>
        </>
      )}
    </>
  )
}

const Result = ({
  pair,
  compared,
  consumers,
  shown,
}: {
  pair: Pair
  compared: Compared
  consumers: boolean
  shown: Shown
}) => {
  const [line, setLine] = useState<number | null>(null)
  const { head } = pair
  const around: ChangeContext = {
    tenant: pair.tenant,
    base: compared.base,
    head: compared.head,
    sides: { base: pair.base, head },
    consumers: new Map(compared.consumers?.consumers.map((it) => [it.handle, it]) ?? []),
    omitted: new Set(compared.omitted),
    onPastedLine: setLine,
  }
  return (
    <>
      <VerdictCard compared={compared}>
        {compared.changes.length === 0 ? null : <Outputs pair={pair} compared={compared} consumers={consumers} />}
      </VerdictCard>
      {compared.changes.length === 0 ? null : (
        <>
          <ConsumerImpacts pair={pair} compared={compared} />
          <Sifted compared={compared} around={around} shown={shown} />
        </>
      )}
      {isPasted(head) ? (
        <Window open={line !== null} onClose={() => setLine(null)} title={`${head.name}, line ${line ?? 0}`}>
          <Lines label="Lines of the pasted document" text={head.text} line={line} />
        </Window>
      ) : null}
    </>
  )
}

// What was compared before is there sooner.
const noticedMs = 700

/** Shown while two versions are compared: at first as any page that is read, then with the reason why it takes longer. */
const Comparing = ({ pair: { base, head } }: { pair: Pair }) => {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), noticedMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="grid justify-items-center gap-2 px-6 py-10 text-center text-soft">
      <p className="wrap-anywhere">
        Comparing {writeRef(base)} with {isPasted(head) ? head.name : writeRef(head)} …
      </p>
      {isLong ? (
        <>
          <span aria-hidden="true" className="h-1 w-48 rounded-full bg-accent motion-safe:animate-pulse" />
          <p className="max-w-prose text-sm">
            Documents of several megabytes take some seconds the first time. The result is kept: you can leave this page
            and come back.
          </p>
        </>
      ) : null}
    </div>
  )
}

/** The comparison of a pair, verdict first. */
export const Comparison = ({ pair, shown }: { pair: Pair; shown: Shown }) => {
  const identity = useQuery(identityQuery)
  const consumers = holds(identity.data, pair.tenant, 'consumer_contracts:view')
  const compared = useQuery({ ...comparisonQuery(pair, consumers), enabled: identity.data !== undefined })
  if (compared.data === undefined && compared.error === null) return <Comparing pair={pair} />
  return (
    <Read query={compared} what="the comparison">
      {(data) => <Result pair={pair} compared={data} consumers={consumers} shown={shown} />}
    </Read>
  )
}

/** The way to the page that compares anything with anything. */
export const CompareLink = ({ pair }: { pair: Pair }) =>
  isPasted(pair.head) ? null : (
    <Link
      to="/t/$tenant/-/compare"
      params={{ tenant: pair.tenant }}
      search={{
        base: `${pair.base.project}@${pair.base.version}`,
        head: `${pair.head.project}@${pair.head.version}`,
      }}
      className="link text-sm"
    >
      Compare with another version
    </Link>
  )
