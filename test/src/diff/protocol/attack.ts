/**
 * Attacks the comparison of what goes over the wire: pairs of API descriptions are generated and judged by requests and responses as
 * text, written by serializers that are not ours (`openapi-fetch` for queries, RFC 6570 templates for paths and headers).
 */
import type { Json } from '../../../../src/document/json.ts'
import { changesOf } from '../changes-of.ts'
import type { Random } from '../mutations.ts'
import { answers, security, servers } from './attack-messages.ts'
import { parameters } from './attack-parameters.ts'

/** A generated pair and what the wire says: a message that only one side understands, or none. */
export interface Trial {
  readonly base: Json
  readonly head: Json
  /** What the base allows and the head does not understand, as it travels; null where everything is understood. */
  readonly lost: string | null
  /** Whether every message was tried, so that a breaking verdict has to be proven. */
  readonly exhaustive: boolean
}

export interface WireTally {
  readonly safe: number
  readonly breaking: number
  /** Breaking without a message that proves it, where not every message could be tried. */
  readonly unproven: number
}

export interface WireRefuted extends Trial {
  readonly why: string
  readonly changes: readonly string[]
}

const kinds: readonly ((random: Random) => Trial)[] = [parameters, parameters, parameters, security, servers, answers]

/** Compares generated pairs until one verdict is refuted; null where all hold. */
export const attackWire = (
  count: number,
  random: Random,
): { readonly tally: WireTally; readonly refuted: WireRefuted | null } => {
  const tally = { safe: 0, breaking: 0, unproven: 0 }
  for (let i = 0; i < count; i++) {
    const trial = kinds[i % kinds.length]!(random)
    const changes = changesOf(trial.base, trial.head)
    const breaks = changes.some((it) => it.severity === 'breaking')
    const told = changes.map((it) => `${it.severity} ${it.message}`)
    if (!breaks && trial.lost !== null)
      return { tally, refuted: { ...trial, why: `not breaking, but "${trial.lost}" is lost`, changes: told } }
    if (breaks && trial.lost === null && trial.exhaustive)
      return { tally, refuted: { ...trial, why: 'breaking, but every message is understood', changes: told } }
    if (!breaks) tally.safe++
    else if (trial.lost === null) tally.unproven++
    else tally.breaking++
  }
  return { tally, refuted: null }
}
