import type { Action, Area, Fact } from './fact.ts'

/** What explains one kind of change. A rule decides nothing: the verdict is derived before it is looked for. */
export interface Rule {
  /** Where it can happen; `any` for what requests and responses share, null for what is neither. */
  readonly direction: 'request' | 'response' | 'any' | null
  readonly area: Area
  /** What of it: "enum-value", "required", "itself". */
  readonly kind: string
  readonly action: Action
  /** A few words for headings. */
  readonly title: string
  /** Why it matters and when it breaks somebody, for the documentation page. */
  readonly explain: string
  /** One sentence about one change. */
  readonly message: (fact: Fact) => string
  /** The rule of the opposite change, or null with a waiver. */
  readonly mirror: string | null
  /** Why there is no mirror. */
  readonly waiver?: string
  /** What other tools call it. */
  readonly aliases?: readonly string[]
}

/** The id of the rule that explains a kind of change: the name of its file. */
export const ruleIdOf = (topic: { readonly area: Area; readonly kind: string; readonly action: Action }): string =>
  topic.kind === 'itself' ? `${topic.area}-${topic.action}` : `${topic.area}-${topic.kind}-${topic.action}`
