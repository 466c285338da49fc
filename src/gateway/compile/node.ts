/** Expressions as the engine decides them. */
import type { Link } from './seclang.ts'

/** A condition that holds if some value of the target meets the operator. */
export interface Condition extends Link {
  /** Whether the target is always there once, so that the operator can be negated. */
  readonly isSingle: boolean
  /** The condition that holds where this one does not; null: one has to remember whether this one held. */
  readonly opposite: Link | null
}

/** An expression of conditions of the engine. */
export type Node =
  | { readonly and: readonly Node[] }
  | { readonly or: readonly Node[] }
  | { readonly not: Node }
  | { readonly condition: Condition }
