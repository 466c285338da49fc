import type { Json } from '../../../../src/kernel/json.ts'

/** A generated pair and what the wire says: a message that only one side understands, or none. */
export interface Trial {
  readonly base: Json
  readonly head: Json
  /** What the base allows and the head does not understand, as it travels; null where everything is understood. */
  readonly lost: string | null
  /** Whether every message was tried, so that a breaking verdict has to be proven. */
  readonly exhaustive: boolean
}
