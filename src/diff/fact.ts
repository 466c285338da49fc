import type { Path } from '../kernel/json.ts'
import type { Witness } from './change.ts'
import type { Difference } from './rule.ts'
import type { Topic } from './rules.ts'

/** One difference with both places and the verdict; its rule has the words for it. */
export type Fact = Topic & FactRest

interface FactRest extends Difference {
  readonly base: Path | null
  readonly head: Path | null
  readonly reason: string | null
  readonly witness: Witness | null
  /** What its sentence ends with, between brackets. */
  readonly remark?: string
  /** The value travels as text: a parameter, a header. */
  readonly textual?: boolean
  /** It is about a property that is not sent in this direction: read-only in a request, write-only in a response. */
  readonly unsent?: boolean
  /** The switch or rule of the profile that decided instead of containment. */
  readonly policy?: string
}
