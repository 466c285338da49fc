/**
 * Attacks the comparison of what goes over the wire: pairs of API descriptions are generated and judged by requests and responses as
 * text, written by serializers that are not ours (`openapi-fetch` for queries, RFC 6570 templates for paths and headers).
 */
import { changesOf } from '../changes-of.ts'
import type { Random } from '../mutations.ts'
import { answers, security, servers } from './attack-messages.ts'
import { parameters } from './attack-parameters.ts'
import type { Trial } from './trial.ts'

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
