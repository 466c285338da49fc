import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { changeRuleQuery, type Compared, type ConsumerImpact, type Change, type StoredRef } from './queries.ts'
import { Badge, Severity, type Tone } from '../../parts/badge.tsx'
import { documentation } from '../../parts/documentation.ts'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Words } from '../../parts/page.tsx'
import { kindOf } from './changes.ts'

/** One side of a comparison by what sentences call it. */
type Labelled = Pick<Compared['base'], 'label'>

/** What a row has to know beside its change. */
export interface Around {
  readonly tenant: string
  readonly base: Labelled
  readonly head: Labelled
  /** The versions that the lines are of; null where there is no page of them. */
  readonly baseAt: StoredRef | null
  readonly headAt: StoredRef | null
  /** By handle, of those who declared what they use. */
  readonly consumers: ReadonlyMap<string, ConsumerImpact>
  /** Shows a line, counted from one, of the pasted document. */
  readonly onPastedLine: (line: number) => void
}

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
  around: Around
}) => {
  if (at === null) return <SideLine name={name}>not present</SideLine>
  const line = at.range === null ? null : at.range.start.line + 1
  const ref = name === 'Base' ? around.baseAt : around.headAt
  const words = line === null ? null : `line ${line.toLocaleString()}`
  return (
    <SideLine name={name}>
      {line === null ? null : ref === null ? (
        <button type="button" className={placeLink} onClick={() => around.onPastedLine(line)}>
          {words}
          <span className="sr-only"> of {side.label}</span>
        </button>
      ) : (
        <Link
          to="/t/$tenant/$project/$version/source"
          params={{ tenant: around.tenant, ...ref }}
          search={{ line }}
          className={placeLink}
        >
          {words}
          <span className="sr-only"> of {side.label}</span>
        </Link>
      )}
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

interface Witness {
  readonly value: unknown
  readonly acceptedBy: 'base' | 'head'
  readonly reason: string
}
const witnessOf = ({ witness }: Change): Witness | null =>
  typeof witness === 'object' && witness !== null && 'value' in witness ? (witness as Witness) : null

/** What each side does with the value, and who is affected; the engine's reason where the value is neither sent nor returned. */
const fateOf = (direction: Change['direction'], { acceptedBy, reason }: Witness) => {
  if (direction === 'request' && acceptedBy === 'base')
    return { yes: 'accepted by', no: 'rejected by', why: 'clients that send it will fail' }
  if (direction === 'response' && acceptedBy === 'head')
    return { yes: 'may be sent by', no: 'not allowed by', why: 'clients written for that version do not expect it' }
  return { yes: 'accepted by', no: 'rejected by', why: reason }
}

/** The value that proves the change: one side accepts it and the other rejects it. */
const Proof = ({ change, witness, around }: { change: Change; witness: Witness; around: Around }) => {
  const fromBase = witness.acceptedBy === 'base'
  const [yes, no] = fromBase ? [around.base, around.head] : [around.head, around.base]
  const fate = fateOf(change.direction, witness)
  return (
    <figure className="grid min-w-0 gap-1.5 rounded-lg border p-2.5">
      <figcaption className="text-xs font-medium text-soft">Counterexample</figcaption>
      <SmallJson label="Counterexample" value={witness.value} />
      <ul className="grid gap-0.5 text-sm">
        <li className="flex items-start gap-1.5">
          <Check size={15} aria-hidden="true" className="mt-1 shrink-0 text-ok" />
          <span className="min-w-0">
            {fate.yes} <span className="font-mono text-xs break-all">{yes.label}</span>
          </span>
        </li>
        <li className="flex items-start gap-1.5">
          <X size={15} aria-hidden="true" className="mt-1 shrink-0 text-danger" />
          <span className="min-w-0">
            {fate.no} <span className="font-mono text-xs break-all">{no.label}</span>: <Words of={fate.why} />
          </span>
        </li>
      </ul>
    </figure>
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

const Affected = ({ change, around }: { change: Change; around: Around }) =>
  change.consumers.length === 0 ? null : (
    <p className="flex flex-wrap items-center gap-1.5 text-xs text-soft">
      {change.severity === 'breaking' ? 'Affects' : 'Also visible to'}
      {change.consumers.map((handle) => {
        const broken = change.severity === 'breaking'
        const name = around.consumers.get(handle)?.name ?? handle
        return (
          <Badge key={handle} tone={broken ? (change.classification === 'unknown' ? 'warn' : 'danger') : 'info'}>
            {name}
          </Badge>
        )
      })}
    </p>
  )

/** One change: its verdict, what it is in a sentence, its counterexample, where it is, and who is affected. */
export const ChangeRow = ({ change, around }: { change: Change; around: Around }) => {
  const witness = witnessOf(change)
  const kind = kindOf(change)
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <p className="flex flex-wrap items-center gap-2">
        {kind === 'undecided' ? <Badge tone="warn">undecided</Badge> : <Severity severity={kind} />}
        {change.direction ? <Badge>{change.direction}</Badge> : null}
        {change.policy ? <Badge>by policy {change.policy}</Badge> : null}
      </p>
      <p className="break-words">
        <Words of={change.message} />
      </p>
      <BeforeAfter before={change.before} after={change.after} />
      {witness ? <Proof change={change} witness={witness} around={around} /> : null}
      <Affected change={change} around={around} />
      <div className="grid gap-0.5">
        <Place name="Base" side={around.base} at={change.base} around={around} />
        <Place name="Head" side={around.head} at={change.head} around={around} />
      </div>
      {change.operations.length > 1 ? (
        <details>
          <summary className="w-fit cursor-pointer text-xs text-soft">
            In {count(change.operations.length, 'operation', 'operations')}
          </summary>
          <ul className="mt-1 grid gap-0.5 pl-4 font-mono text-xs break-all">
            {change.operations.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </details>
      ) : null}
      <Rule tenant={around.tenant} id={change.id} />
    </article>
  )
}
