/** What atoms of messages are made of: a change of one object of OpenAPI, with the message that shows it or the reason why none does. */
import type { Direction, Json, JsonObject, MadeCase, Message, Verdict } from '../case.ts'
import type { Random } from './random.ts'
import type { Version } from './schemas.ts'

export interface MessageAtom {
  readonly direction: Direction
  readonly verdict: Verdict
  readonly base: JsonObject
  readonly head: JsonObject
  readonly message?: Message
  readonly value?: Json
  readonly reason?: string
  readonly question?: string
}

export interface Template {
  /** The field of the specification that changes. */
  readonly field: string
  readonly versions: readonly Version[]
  readonly make: (version: Version, random: Random) => MessageAtom
}

export type Templates = Readonly<Record<string, Template>>

export const three: readonly Version[] = ['3.0', '3.1', '3.2']

type Pair = readonly [base: JsonObject, head: JsonObject]

export const breaksRequest = (
  [base, head]: Pair,
  request: Extract<Message, { request: unknown }>['request'],
): MessageAtom => ({
  direction: 'request',
  verdict: 'breaking',
  base,
  head,
  message: { request },
})

export const breaksResponse = (
  [base, head]: Pair,
  response: Extract<Message, { response: unknown }>['response'],
): MessageAtom => ({
  direction: 'response',
  verdict: 'breaking',
  base,
  head,
  message: { response },
})

export const isSafe = (direction: Direction, [base, head]: Pair, reason: string): MessageAtom => ({
  direction,
  verdict: 'safe',
  base,
  head,
  reason,
})

export const isPolicy = (direction: Direction, [base, head]: Pair, question: string, reason: string): MessageAtom => ({
  direction,
  verdict: 'policy',
  base,
  head,
  question,
  reason,
})

/** The certificate of an atom. @throws Error where it has no proof at all. */
export function certificateOf(atom: MessageAtom, samples: number): MadeCase['certificate'] {
  const { direction, message, value, reason } = atom
  if (atom.verdict === 'breaking') {
    const sender = direction === 'response' || (message !== undefined && 'response' in message) ? 'head' : 'base'
    const shown = message === undefined ? { value: value ?? null } : { message }
    return { accepts: sender, refuses: sender === 'base' ? 'head' : 'base', ...shown }
  }
  if (reason === undefined) throw new Error('A case that does not break needs a reason')
  return { reason, samples: atom.verdict === 'safe' ? samples : 0 }
}
