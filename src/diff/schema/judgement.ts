import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Node } from '../../schema/node.ts'
import type { Direction } from '../../schema/schema-source.ts'
import type { Selected } from '../../schema/selection.ts'
import type { Classification, Witness } from '../change.ts'
import type { PlacedValue, Side } from '../side.ts'

/** What containment says about a pair of schemas in a use. */
export interface Judgement {
  readonly verdict: Classification
  readonly witness: Witness | null
  readonly reason: string | null
  /** What the witness is not in. */
  readonly refusing?: Node
  /** What the witness has to be in, beside what is sent anyway. */
  readonly sent?: Node
  /** It is safe because no value exists at all. */
  readonly vacuous?: boolean
}

/**
 * Checks a witness by other means: true where `value` is valid on that side. Null where it cannot tell. It calls `spend`
 * for its steps, which ends it by throwing.
 */
export type ConfirmWitness = (
  side: Side,
  places: readonly PlacedValue[],
  value: Json,
  direction: Direction,
  select: (schema: JsonObject, value: JsonObject) => Selected,
  spend: (steps: number) => void,
) => boolean | null

export interface SchemasOptions {
  readonly undeclared: 'yes' | 'no'
  /** Sets are sets: what contains nothing is contained, and nothing is concluded from the parts. */
  readonly strict: boolean
  readonly formats: 'asserted' | 'remarks'
  /** Whether an object of a `oneOf` in an answer is one of its branches, even if others accept it because they are open. */
  readonly chosen: boolean
  readonly validate: ConfirmWitness
  /** At most so many steps for the whole comparison. */
  readonly maxSteps?: number
}

/** Why a counterexample is one, by the side that accepts it. */
export const reasons = {
  base: 'the base document accepts this value and the head refuses it',
  head: 'the head document may send this value and the base rules it out',
} as const

export const unconfirmed = 'the counterexample could not be confirmed independently'
/** Why the parts of a schema without any value are undecided. */
export const acceptsNothing = 'as written the schema accepts nothing'
export const safe: Judgement = { verdict: 'safe', witness: null, reason: null }
/** Safe because nothing can be sent at all. */
export const vacuous: Judgement = { ...safe, vacuous: true }
