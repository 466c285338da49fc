/** What the editor of migration rules holds while rules are written, as pure functions. */
import type { MigrationProposal } from '../../../../src/api/migration-plans.ts'
import { propertyOfKey, readRule, type Rule, ruleKey, type Rules } from './rules.ts'

/** The properties of a class with their types in words. */
export type Properties = ReadonlyMap<string, string>

export interface RulesState {
  /** The rules as they would be saved. */
  readonly rules: Rules
  /** The properties whose proposals were rejected on this page. */
  readonly rejected: ReadonlySet<string>
}

export type RulesAction =
  /** Writes the rule of a property; null removes it. */
  | { readonly kind: 'set'; readonly property: string; readonly rule: Rule | null }
  | { readonly kind: 'accept'; readonly proposals: readonly MigrationProposal[] }
  | { readonly kind: 'reject'; readonly property: string }
  | { readonly kind: 'show-rejected' }
  | { readonly kind: 'undo'; readonly rules: Rules }
  | { readonly kind: 'saved'; readonly sent: Rules; readonly rules: Rules }

const withRule = (rules: Rules, property: string, rule: Rule | null): Rules => {
  const key = ruleKey(property)
  const others = Object.entries(rules).filter(([other]) => other !== key)
  // What others wrote beside what this page knows stays in the rule.
  return Object.fromEntries(rule === null ? others : [...others, [key, { ...rules[key], ...rule }]])
}

/** The state after an action. */
export const rulesReducer = (state: RulesState, action: RulesAction): RulesState => {
  switch (action.kind) {
    case 'set':
      return { ...state, rules: withRule(state.rules, action.property, action.rule) }
    case 'accept':
      return {
        ...state,
        rules: action.proposals.reduce<Rules>(
          (rules, { rule }) => withRule(rules, rule.source_property, rule),
          state.rules,
        ),
      }
    case 'reject':
      return { ...state, rejected: new Set([...state.rejected, action.property]) }
    case 'show-rejected':
      return { ...state, rejected: new Set() }
    case 'undo':
      return { ...state, rules: action.rules }
    case 'saved':
      // What was changed while it was saved stays, and stays unsaved.
      return state.rules === action.sent ? { ...state, rules: action.rules } : state
  }
}

/** A property of the older class with its rule, or with the rule that is proposed for it. */
export interface PropertyRules {
  readonly name: string
  readonly rule: Rule | null
  readonly proposal: MigrationProposal | null
}

export interface RulesView {
  /** Proposals that were neither accepted nor rejected. */
  readonly open: readonly MigrationProposal[]
  /** Properties that change, have a rule, or have a proposal. */
  readonly needsDecision: readonly PropertyRules[]
  /** Properties that stay as they are and have neither rule nor proposal. */
  readonly unchanged: readonly PropertyRules[]
  /** The names of properties that only the newer class has. */
  readonly added: readonly string[]
}

/** The properties of both classes, sorted into what the page shows. */
export const viewRules = (
  { rules, rejected }: RulesState,
  proposals: readonly MigrationProposal[],
  before: Properties,
  after: Properties,
): RulesView => {
  const open = proposals.filter(({ key, rule }) => rules[key] === undefined && !rejected.has(rule.source_property))
  const names = new Set([...before.keys(), ...Object.keys(rules).map(propertyOfKey)])
  const all = [...names].map((name): PropertyRules => {
    const rule = rules[ruleKey(name)]
    return {
      name,
      rule: rule === undefined ? null : readRule(ruleKey(name), rule),
      proposal: open.find((proposal) => proposal.rule.source_property === name) ?? null,
    }
  })
  const isUnchanged = ({ name, rule, proposal }: PropertyRules): boolean =>
    rule === null && proposal === null && after.get(name) === before.get(name)
  return {
    open,
    needsDecision: all.filter((property) => !isUnchanged(property)),
    unchanged: all.filter(isUnchanged),
    added: [...after.keys()].filter((name) => !before.has(name)),
  }
}

/** The rule that a property begins with: its type changes where both classes have it, otherwise it is dropped. */
export const newRule = (name: string, before: Properties, after: Properties): Rule => {
  const kept = after.has(name)
  return {
    kind: kept ? 'type-change' : 'drop',
    source_property: name,
    target_properties: kept ? [name] : [],
    source_type: before.get(name) ?? 'any',
    target_type: kept ? (after.get(name) ?? null) : null,
  }
}
