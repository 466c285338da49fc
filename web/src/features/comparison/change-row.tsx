import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Change, changeRuleQuery, type ConsumerImpact, isPasted, type StoredRef } from './queries.ts'
import { Badge, Severity, type Tone } from '../../parts/badge.tsx'
import { documentation } from '../../parts/documentation.ts'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import { headingOf, kindOf, type Told } from './changes.ts'
import { later } from '../../parts/later.tsx'
import { type ChangeContext, type Labelled, Proof, witnessOf } from './change-proof.tsx'

const SourcePair = later('the source', async () => (await import('./source-pair.tsx')).SourcePair)

export const impactTones: Record<ConsumerImpact['status'], Tone> = {
  broken: 'danger',
  unknown: 'warn',
  touched: 'info',
  unaffected: 'plain',
}
export const impactWords: Record<ConsumerImpact['status'], string> = {
  broken: 'would break',
  unknown: 'undecided',
  touched: 'changed, compatible',
  unaffected: 'not affected',
}

const SideLine = ({ name, children }: { name: string; children: ReactNode }) => (
  <p className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 text-xs text-soft">
    <span className="w-9 shrink-0 font-medium">{name}</span>
    {children}
  </p>
)

/** As high as a finger needs it. */
const placeLink = 'link inline-flex min-h-6 items-center'

/** A line of one side: a link to the page of a stored version, a button for a pasted document. */
const LineLink = ({
  line,
  stored,
  side,
  around,
}: {
  line: number
  /** Null for a pasted document. */
  stored: StoredRef | null
  side: string
  around: ChangeContext
}) => {
  const words = (
    <>
      Open at line {line.toLocaleString()}
      <span className="sr-only"> of {side}</span>
    </>
  )
  return stored === null ? (
    <button type="button" className={placeLink} onClick={() => around.onPastedLine(line)}>
      {words}
    </button>
  ) : (
    <Link
      to="/t/$tenant/$project/$version/source"
      params={{ tenant: around.tenant, ...stored }}
      search={{ line }}
      className={placeLink}
    >
      {words}
    </Link>
  )
}

/** The location on one side: the line as a link, and the pointer. */
const Place = ({
  name,
  side,
  at,
  around,
}: {
  name: 'Base' | 'Head'
  side: Labelled
  at: Change['base']
  around: ChangeContext
}) => {
  if (at === null) return <SideLine name={name}>not present</SideLine>
  const line = at.range === null ? null : at.range.start.line + 1
  const of = name === 'Base' ? around.sides?.base : around.sides?.head
  const stored = of === undefined || isPasted(of) ? null : of
  return (
    <SideLine name={name}>
      {line === null ? null : <LineLink line={line} stored={stored} side={side.label} around={around} />}
      <code className="min-w-0 font-mono break-all">{at.pointer === '' ? 'whole document' : at.pointer}</code>
    </SideLine>
  )
}

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= 160
const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What it was and what it is: in one line where both are short, side by side as JSON where not. */
const BeforeAfter = ({ before, after }: { before: unknown; after: unknown }) => {
  if (before === null && after === null) return null
  if (isShort(before) && isShort(after))
    return (
      <p className="font-mono text-xs break-all">
        {before === null ? null : (
          <del className="rounded bg-danger-wash px-1 text-danger no-underline">
            <span className="sr-only">before: </span>
            {written(before)}
          </del>
        )}
        {before === null || after === null ? null : <span aria-hidden="true"> → </span>}
        {after === null ? null : (
          <ins className="rounded bg-ok-wash px-1 text-ok no-underline">
            <span className="sr-only">after: </span>
            {written(after)}
          </ins>
        )}
      </p>
    )
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {before === null ? null : <SmallJson label="Before" value={before} tone="bg-danger-wash" />}
      {after === null ? null : <SmallJson label="After" value={after} tone="bg-ok-wash" />}
    </div>
  )
}

const RuleWords = ({ tenant, id }: { tenant: string; id: string }) => {
  const rule = useQuery(changeRuleQuery(tenant, id))
  return (
    <Read query={rule} what="the rule">
      {({ title, explanation, concerns, opposite, aliases }) => (
        <div className="grid gap-1 border-l-2 border-edge pl-3 text-sm">
          <p className="font-medium">{title}</p>
          <p className="max-w-[75ch] text-soft">
            <Words of={explanation} />
          </p>
          <p className="text-xs text-soft">
            Applies to {concerns}.{' '}
            {opposite === null || opposite === id ? null : (
              <>
                The opposite rule is <code className="font-mono">{opposite}</code>.{' '}
              </>
            )}
            {aliases.length === 0 ? null : (
              <>
                In other tools: <code className="font-mono break-words">{aliases.join(', ')}</code>.
              </>
            )}{' '}
            <a className="link" href={documentation.change(id)} target="_blank" rel="noreferrer">
              Documentation<span className="sr-only"> of {id} (opens in a new tab)</span>
            </a>
          </p>
        </div>
      )}
    </Read>
  )
}

/** The rule that explains a change: its id, and what it means once that is asked for. */
const Rule = ({ tenant, id }: { tenant: string; id: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-xs text-soft">
        What <code className="font-mono">{id}</code> means
      </summary>
      {open ? (
        <div className="mt-1.5">
          <RuleWords tenant={tenant} id={id} />
        </div>
      ) : null}
    </details>
  )
}

const Affected = ({ change, around }: { change: Change; around: ChangeContext }) =>
  change.consumers.length === 0 ? null : (
    <p className="flex flex-wrap items-center gap-1.5 text-xs text-soft">
      {change.severity === 'breaking' ? 'Affects' : 'Also visible to'}
      {change.consumers.map((handle) => {
        const broken = change.severity === 'breaking'
        const brokenTone = change.classification === 'unknown' ? 'warn' : 'danger'
        const name = around.consumers.get(handle)?.name ?? handle
        return (
          <Badge key={handle} tone={broken ? brokenTone : 'info'}>
            {name}
          </Badge>
        )
      })}
    </p>
  )

const Operations = ({
  told,
  around,
  onChange,
}: {
  told: Told
  around: ChangeContext
  onChange: (change: Change) => void
}) => {
  if (told.all.length === 1 && told.operations.length <= 1) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer text-xs text-soft">
        In {count(told.reach, 'operation', 'operations')}
        {told.all.length > 1 ? `, ${count(told.all.length, 'place', 'places')}` : ''}
      </summary>
      <ul className="mt-1 grid gap-0.5 pl-4 font-mono text-xs break-all">
        {told.all.length > 1
          ? told.all.slice(0, 200).map((change) => (
              <li key={change.fingerprint}>
                <button type="button" className="link min-h-6 text-left" onClick={() => onChange(change)}>
                  {headingOf(change).title}
                </button>{' '}
                <span className="text-soft">{(change.head ?? change.base)?.pointer}</span>
              </li>
            ))
          : told.operations.slice(0, 200).map((it) => <li key={it}>{it}</li>)}
      </ul>
      <span className="sr-only">of {around.head.label}</span>
    </details>
  )
}

const Details = ({ told, around }: { told: Told; around: ChangeContext }) => {
  // Of changes that repeat each other one is shown; the list of their places leads to the others.
  const [change, setChange] = useState(told.change)
  const witness = witnessOf(change)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t px-4 pt-3 pb-4">
      {told.all.length > 1 ? <p className="text-sm font-medium wrap-anywhere">{headingOf(change).title}</p> : null}
      <BeforeAfter before={change.before} after={change.after} />
      {around.omitted?.has(change.fingerprint) ? (
        <p className="text-sm text-soft">
          A value has over 100,000 characters: it is in the source and in the download.
        </p>
      ) : null}
      {around.sides === null ? null : (
        <SourcePair change={change} tenant={around.tenant} base={around.base} head={around.head} sides={around.sides} />
      )}
      <div className="grid gap-0.5">
        <Place name="Base" side={around.base} at={change.base} around={around} />
        <Place name="Head" side={around.head} at={change.head} around={around} />
      </div>
      {witness ? <Proof change={change} witness={witness} around={around} /> : null}
      <Affected change={change} around={around} />
      <Operations told={told} around={around} onChange={setChange} />
      <Rule tenant={around.tenant} id={change.id} />
    </div>
  )
}

/** One change: its verdict and what it is in a sentence; once it is chosen, its source on both sides, its counterexample, and who is affected. */
export const ChangeRow = ({
  told,
  around,
  isChosen,
  onChoose,
}: {
  told: Told
  around: ChangeContext
  isChosen: boolean
  onChoose: () => void
}) => {
  const { change, all, reach } = told
  const kind = kindOf(change)
  const consumers = new Set(all.flatMap((it) => it.consumers)).size
  return (
    <article className={`grid grid-cols-[minmax(0,1fr)] ${isChosen ? 'bg-surface' : ''}`}>
      <button
        type="button"
        data-change={change.fingerprint}
        aria-expanded={isChosen}
        onClick={onChoose}
        className={`flex w-full flex-wrap items-baseline gap-x-2 gap-y-1 px-4 py-2 text-left -outline-offset-2 hover:bg-raised ${isChosen ? 'border-l-4 border-accent bg-wash pl-3' : ''}`}
      >
        {kind === 'undecided' ? <Badge tone="warn">undecided</Badge> : <Severity severity={kind} />}
        {change.direction ? <Badge>{change.direction}</Badge> : null}
        {change.policy ? <Badge>by policy {change.policy}</Badge> : null}
        <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <Words of={change.message} />
          {all.length > 1 ? <span className="text-soft"> · {count(reach, 'operation', 'operations')}</span> : null}
        </span>
        {consumers === 0 ? null : (
          <Badge tone={change.severity === 'breaking' ? 'danger' : 'info'}>
            {count(consumers, 'consumer', 'consumers')}
          </Badge>
        )}
      </button>
      {isChosen ? <Details key={change.fingerprint} told={told} around={around} /> : null}
    </article>
  )
}
