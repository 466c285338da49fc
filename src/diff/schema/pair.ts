import type { Path } from '../../kernel/json.ts'
import type { Fact } from '../fact.ts'
import type { Policy, Profile } from '../profile.ts'
import type { TopicIn } from '../rules.ts'
import type { Judgement } from './judgement.ts'
import type { Schemas } from './schemas.ts'
import type { Use } from './use.ts'
import type { PlacedValue, Side } from '../side.ts'
import type { View } from '../view.ts'

/** A statement about text for readers. */
type Documented = TopicIn<'document'> & { readonly docs: true }

/** The kinds of schema changes that have a rule for each of `added`, `removed` and `changed`. */
export type ValueKind<T = TopicIn<'schema'>> = T extends { readonly kind: infer K; readonly action: infer A }
  ? ['added' | 'removed' | 'changed'] extends [A]
    ? K
    : never
  : never
type ValueTopic = { readonly kind: ValueKind; readonly action: 'added' | 'removed' | 'changed' }

/** A fact of a schema before its use is known. */
export type Statement = (TopicIn<'schema'> | ValueTopic | Documented) &
  Omit<
    Fact,
    'direction' | 'area' | 'kind' | 'action' | 'verdict' | 'witness' | 'reason' | 'subject' | 'policy' | 'textual'
  > & {
    /** The switch that may decide instead. */
    readonly policy?: Policy
    readonly subject?: string
    /** Decides the statement; where it is left out, the statement is a safe one. */
    readonly judge?: () => Judgement
    readonly docs?: boolean
    /** It is evaluated although the sets of values are the same. */
    readonly always?: boolean
  }

/** One comparison in progress: what the parts of it need. */
export interface SchemaPair {
  readonly base: View
  readonly head: View
  readonly use: Use
  readonly profile: Profile
  readonly schemas: Schemas
  readonly sides: { readonly base: Side; readonly head: Side }
  /** Whether both sides mean the same set of values, however it is written. */
  readonly identical: () => boolean
  /** Whether two parts are written the same and mean the same, as far as that is seen at once. */
  readonly isSame: (base: readonly PlacedValue[], head: readonly PlacedValue[]) => boolean
  /** What is at a path of the head, or else of the base, as a person would call it. */
  readonly subject: (path: Path, inHead: boolean) => string
  state(statement: Statement): void
  /** Compares what is below; the result belongs to this pair. */
  below(base: readonly PlacedValue[], head: readonly PlacedValue[], ignored?: boolean): void
  /** Compares two branches, for the values of a discriminator that select them. */
  branch(base: readonly PlacedValue[], head: readonly PlacedValue[], selected: Use['selected'] | null): void
  /** Compares what this pair means beside its own values: that those are the same says nothing about it. */
  beside(base: readonly PlacedValue[], head: readonly PlacedValue[], selected: Use['selected'] | null): void
}
