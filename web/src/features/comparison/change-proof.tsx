import { Check, X } from 'lucide-react'
import { useState } from 'react'
import type { Change, Compared, ConsumerImpact, Pasted, StoredRef } from './queries.ts'
import { writeJson } from '../../parts/json.tsx'
import { Words } from '../../parts/page.tsx'
import { messageOf } from './counterexample.ts'

/** One side of a comparison by what sentences call it. */
export type Labelled = Pick<Compared['base'], 'label' | 'digest'>

/** What a row has to know beside its change. */
export interface ChangeContext {
  readonly tenant: string
  readonly base: Labelled
  readonly head: Labelled
  /** What the lines are of; null where there is no page of them. */
  readonly sides: { readonly base: StoredRef; readonly head: StoredRef | Pasted } | null
  /** By handle, of those who declared what they use. */
  readonly consumers: ReadonlyMap<string, ConsumerImpact>
  /** The fingerprints of changes of which values are too long to be shown. */
  readonly omitted?: ReadonlySet<string>
  /** Shows a line, counted from one, of the pasted document. */
  readonly onPastedLine: (line: number) => void
}

interface Witness {
  readonly value: unknown
  /** JSON Pointer to the part that shows the change. */
  readonly at?: string
  readonly acceptedBy: 'base' | 'head'
  readonly reason: string
}

export const witnessOf = ({ witness }: Change): Witness | null =>
  typeof witness === 'object' && witness !== null && 'value' in witness ? (witness as Witness) : null

/** What each side does with the value, and who is affected; the engine's reason where the value is neither sent nor returned. */
const fateOf = (direction: Change['direction'], { acceptedBy, reason }: Witness) => {
  if (direction === 'request' && acceptedBy === 'base')
    return { yes: 'accepted by', no: 'rejected by', why: 'clients that send it will fail' }
  if (direction === 'response' && acceptedBy === 'head')
    return { yes: 'may be sent by', no: 'not allowed by', why: 'clients written for that version do not expect it' }
  return { yes: 'accepted by', no: 'rejected by', why: reason }
}

/** Longer counterexamples are shortened until all of it is asked for. */
const longestExample = 600

const mostLines = 14

const Example = ({ change, value, at }: { change: Change; value: unknown; at: string }) => {
  const [isWhole, setWhole] = useState(false)
  const message = messageOf(change, value)
  const body = message === null || message.body !== undefined ? writeJson(message === null ? value : message.body) : ''
  const short = body.slice(0, longestExample).split('\n').slice(0, mostLines).join('\n')
  const isLong = body.length > short.length
  const shown = isLong && !isWhole ? `${short} …` : body
  return (
    <>
      <pre
        role="group"
        aria-label="Counterexample"
        tabIndex={0}
        className="max-h-96 min-w-0 overflow-auto rounded-md border bg-raised px-2.5 py-1.5 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {message === null ? null : (
          <>
            <span className="font-semibold">{message.start}</span>
            {'\n'}
            {message.headers.map((it) => `${it}\n`)}
            {body === '' ? '' : '\n'}
          </>
        )}
        {shown}
      </pre>
      <p className="flex flex-wrap gap-x-3 text-xs text-soft">
        {at !== '' ? (
          <span>
            The change shows at <code className="font-mono">{at}</code>.
          </span>
        ) : null}
        {isLong ? (
          <button type="button" className="link min-h-6" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${body.length.toLocaleString()} characters`}
          </button>
        ) : null}
      </p>
    </>
  )
}

/** The value that proves the change: one side accepts it and the other rejects it. */
export const Proof = ({ change, witness, around }: { change: Change; witness: Witness; around: ChangeContext }) => {
  const fromBase = witness.acceptedBy === 'base'
  const [yes, no] = fromBase ? [around.base, around.head] : [around.head, around.base]
  const fate = fateOf(change.direction, witness)
  return (
    <figure className="grid min-w-0 gap-1.5 rounded-lg border p-2.5">
      <figcaption className="text-xs font-medium text-soft">
        Counterexample{change.direction === null ? '' : `: a ${change.direction}`}
      </figcaption>
      <Example change={change} value={witness.value} at={witness.at ?? ''} />
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
