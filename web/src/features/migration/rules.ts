import type { MigrationPlan, MigrationProposal } from '../../../../src/api/migration-plans.ts'
import { compareText } from '../../parts/text.ts'
import { entriesAt, follow, listAt, type Node, nodeAt, typeWords } from '../../parts/openapi-document.ts'

export type Rules = MigrationPlan['rules']
export type Rule = MigrationProposal['rule']
export type RuleKind = Rule['kind']

export const kindNames: Record<RuleKind, string> = {
  rename: 'renamed to',
  'type-change': 'changes its type',
  split: 'split into',
  merge: 'merged into',
  drop: 'dropped',
}

/** The key under which the rule of a property is kept. */
export const ruleKey = (property: string): string => `migration-edge-prop-${property}`
export const propertyOfKey = (key: string): string => key.slice(ruleKey('').length)

export const classNames = (schema: unknown): string[] => entriesAt(schema, '$defs').map(([name]) => name)

const collect = (root: unknown, value: unknown, into: Map<string, string>, hops: number): void => {
  const { node } = follow(root, value)
  if (node === null || hops > 8) return
  for (const [name, schema] of entriesAt(node, 'properties')) into.set(name, typeWords(schema))
  for (const word of ['allOf', 'oneOf', 'anyOf'])
    for (const branch of listAt(node, word)) collect(root, branch, into, hops + 1)
}

/** The properties of a class with their types in words, those of its branches too; null where the version has no such class. */
export const propertiesOf = (schema: unknown, className: string): ReadonlyMap<string, string> | null => {
  const own: Node | null = nodeAt(nodeAt(schema, '$defs'), className)
  if (own === null) return null
  const found = new Map<string, string>()
  collect(schema, own, found, 0)
  return found
}

/** A rule as it is kept, read as far as it can be: others than this page may have written it. */
export const readRule = (key: string, rule: Readonly<Record<string, unknown>>): Rule => {
  const text = (name: string): string | null => (typeof rule[name] === 'string' ? rule[name] : null)
  const kind = text('kind')
  const targets = Array.isArray(rule['target_properties']) ? rule['target_properties'] : []
  return {
    kind: kind !== null && kind in kindNames ? (kind as RuleKind) : 'rename',
    source_property: propertyOfKey(key),
    target_properties: targets.filter((it): it is string => typeof it === 'string'),
    source_type: text('source_type') ?? 'any',
    target_type: text('target_type'),
  }
}

export const isSameRules = (a: Rules, b: Rules): boolean => {
  const sorted = (rules: Rules) => Object.entries(rules).toSorted(([x], [y]) => compareText(x, y))
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}
