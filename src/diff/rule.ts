import type { Json } from '../kernel/json.ts'
import type { Classification } from './change.ts'

/** What a change rule is about. */
export const areas = [
  'document',
  'operation',
  'webhook',
  'callback',
  'parameter',
  'body',
  'media-type',
  'status',
  'header',
  'link',
  'schema',
  'security',
  'server',
  'tool',
  'prompt',
  'argument',
  'resource',
  'remote',
  'package',
  'workflow',
] as const
export type Area = (typeof areas)[number]
export const actions = ['added', 'removed', 'changed', 'increased', 'decreased', 'widened', 'narrowed'] as const
export type Action = (typeof actions)[number]

/** What the message of a rule is made of. */
export interface Difference {
  readonly direction: 'request' | 'response' | null
  /** What it is about, as a person would name it: `query parameter "limit"`. */
  readonly subject: string
  readonly before: Json
  readonly after: Json
  readonly verdict: Classification | 'docs'
}

/** Where a change can happen; `any` for what requests and responses share, null for what is neither. */
type RuleDirection = 'request' | 'response' | 'any' | null

/** What is written about a kind of change. A rule decides nothing: the verdict is derived before the rule is looked up. */
export interface RuleText {
  /** Where it differs from the direction of its table. */
  readonly direction?: RuleDirection
  /** A few words for headings. */
  readonly title: string
  /** Why it matters and when it is breaking, for the documentation page. */
  readonly explain: string
  /** One sentence about one change; its first letter becomes a capital. */
  readonly message: (difference: Difference) => string
  /** Why no rule describes the opposite change. */
  readonly noOpposite?: string
  /** What other tools call it. */
  readonly aliases?: readonly string[]
}

/** A kind of change: the text and what the id says. */
export interface Rule extends RuleText {
  readonly id: string
  readonly direction: RuleDirection
  readonly area: Area
  /** What of it changed: "enum-value", "required"; `itself` for the whole. */
  readonly kind: string
  readonly action: Action
  /** The id of the rule of the opposite change; null with a reason in `noOpposite`. */
  readonly opposite: string | null
}

/** The rules of one area by id; an id is the area, what of it changed, and how. */
export interface RuleTable<A extends Area, Id extends string> {
  readonly area: A
  readonly rules: ReadonlyMap<Id, Rule>
}

const opposites: Readonly<Record<Action, Action>> = {
  added: 'removed',
  removed: 'added',
  increased: 'decreased',
  decreased: 'increased',
  widened: 'narrowed',
  narrowed: 'widened',
  changed: 'changed',
}

/** The id of the rule that describes a kind of change. */
export const ruleIdOf = (topic: { readonly area: string; readonly kind: string; readonly action: string }): string =>
  topic.kind === 'itself' ? `${topic.area}-${topic.action}` : `${topic.area}-${topic.kind}-${topic.action}`

/**
 * Declares the rules of an area. The checks of the area name them by kind and action; a name without a rule does not compile.
 *
 * @param direction where the changes happen, unless a rule says otherwise.
 */
export const ruleTable = <A extends Area, Id extends `${A}-${Action}` | `${A}-${string}-${Action}`>(
  area: A,
  direction: RuleDirection,
  texts: Readonly<Record<Id, RuleText>>,
): RuleTable<A, Id> => {
  const rules = new Map<Id, Rule>()
  for (const [id, text] of Object.entries(texts) as [Id, RuleText][]) {
    const rest = id.slice(area.length + 1)
    const action = actions.find((it) => rest.endsWith(it)) ?? 'changed'
    const kind = rest === action ? 'itself' : rest.slice(0, -action.length - 1)
    const opposite = text.noOpposite === undefined ? ruleIdOf({ area, kind, action: opposites[action] }) : null
    rules.set(id, { direction, ...text, id, area, kind, action, opposite })
  }
  return { area, rules }
}

/** The kinds and actions that a table has a rule for, as a check names them. */
export type TopicOf<T> = T extends RuleTable<infer A, infer Id> ? KindTopic<A, Rest<A, Id>> : never
type Rest<A extends Area, Id extends string> = Id extends `${A}-${infer R}` ? R : never
type KindTopic<A extends Area, R extends string> = {
  [K in KindOf<R>]: { readonly area: A; readonly kind: K; readonly action: ActionOf<K, R> }
}[KindOf<R>]
type KindOf<R extends string> = R extends Action ? 'itself' : R extends `${infer K}-${Action}` ? K : never
type ActionOf<K extends string, R extends string> = {
  [A in Action]: (K extends 'itself' ? A : `${K}-${A}`) extends R ? A : never
}[Action]
