import { isObject, type Json } from '../document/json.ts'
import type { Document } from '../document/document.ts'
import { Side, type Place } from '../diff/side.ts'
import { groupOf, type Group } from '../contracts/schema-group.ts'
import { canonical } from '../schema/node.ts'

/** How a property of the older class is to be carried into the newer one. */
export interface MigrationRule {
  readonly kind: 'rename' | 'type-change' | 'split' | 'merge' | 'drop'
  readonly source_property: string
  /** Where it goes; none for `drop`. */
  readonly target_properties: readonly string[]
  readonly source_type: string
  readonly target_type: string | null
}

/** A rule that nobody accepted yet, and why it is proposed. */
export interface Proposal {
  readonly key: string
  readonly rule: MigrationRule
  readonly reason: string
  /** From 0 to 1: how sure the names and types make it. */
  readonly confidence: number
}

/** The key of the rule of a property. */
export const ruleKeyOf = (property: string): string => `migration-edge-prop-${property}`

interface Property {
  readonly name: string
  readonly type: string
  /** What its values may be, in one text; words that only explain are not in it. */
  readonly shape: string
}

const explaining = new Set(['description', 'title', 'example', 'examples', 'default', 'deprecated', 'externalDocs'])

const bare = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !explaining.has(key) && !key.startsWith('x-')))
    : value

const typeOf = (group: Group): string => {
  const types = group.own.flatMap(({ schema }) =>
    typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : [],
  )
  const names = [...new Set(types.filter((it): it is string => typeof it === 'string'))].sort()
  return names.join(' or ') || (group.unions.length > 0 ? 'union' : 'any')
}

const propertiesOf = (side: Side, place: Place): ReadonlyMap<string, Property> => {
  const found = new Map<string, Property>()
  for (const { place: at, schema } of groupOf(side, [place]).own) {
    if (!isObject(schema.properties)) continue
    for (const [name, value] of Object.entries(schema.properties)) {
      const group = groupOf(side, [{ value, path: [...at.path, 'properties', name] }])
      found.set(name, { name, type: typeOf(group), shape: canonical(group.own.map(({ schema: it }) => bare(it))) })
    }
  }
  return found
}

/** Where a document keeps its named schemas. */
const homes = [['components', 'schemas'], ['definitions'], ['$defs']] as const

/** The classes of a document by name. */
export const classesOf = (side: Side): ReadonlyMap<string, Place> =>
  new Map(
    homes.flatMap((home) => {
      const at = side.at([...home])
      return at && isObject(at.value)
        ? Object.entries(at.value).map(([name, value]): [string, Place] => [name, { value, path: [...home, name] }])
        : []
    }),
  )

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

/** How much two names have in common, from 0 to 1: shared words, else shared pairs of letters. */
const likeness = (a: string, b: string): number => {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  if (left.join('') === right.join('')) return 1
  const shared = left.filter((word) => right.includes(word)).length
  const byWords = (2 * shared) / (left.length + right.length)
  const pairs = (text: string): string[] =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2))
  const [x, y] = [pairs(left.join('')), pairs(right.join(''))]
  const rest = [...y]
  const common = x.filter((pair) => {
    const at = rest.indexOf(pair)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }).length
  return Math.max(byWords, x.length + y.length === 0 ? 0 : (2 * common) / (x.length + y.length))
}

const round = (n: number): number => Math.round(n * 100) / 100

const contains = (long: string, short: string): boolean => {
  const words = wordsOf(long)
  return wordsOf(short).every((word) => words.includes(word)) && words.length > wordsOf(short).length
}

interface Work {
  readonly gone: Map<string, Property>
  readonly fresh: Map<string, Property>
  readonly out: Proposal[]
}

const propose = (work: Work, rule: MigrationRule, reason: string, confidence: number): void => {
  work.out.push({ key: ruleKeyOf(rule.source_property), rule, reason, confidence: round(confidence) })
  work.gone.delete(rule.source_property)
}

// `name` becomes `first_name` and `last_name`.
const splits = (work: Work): void => {
  for (const source of work.gone.values()) {
    const parts = [...work.fresh.values()].filter((it) => contains(it.name, source.name) && it.type === source.type)
    if (parts.length < 2) continue
    const names = parts.map((it) => it.name).sort()
    const rule = {
      kind: 'split',
      source_property: source.name,
      target_properties: names,
      source_type: source.type,
      target_type: source.type,
    } as const
    propose(work, rule, `${names.join(' and ')} are named after ${source.name} and of its type.`, 0.8)
    for (const { name } of parts) work.fresh.delete(name)
  }
}

// `first_name` and `last_name` become `name`.
const merges = (work: Work): void => {
  for (const target of work.fresh.values()) {
    const parts = [...work.gone.values()].filter((it) => contains(it.name, target.name) && it.type === target.type)
    if (parts.length < 2) continue
    for (const { name, type } of parts) {
      const rule = {
        kind: 'merge',
        source_property: name,
        target_properties: [target.name],
        source_type: type,
        target_type: target.type,
      } as const
      propose(work, rule, `${target.name} is what ${parts.map((it) => it.name).join(' and ')} have in common.`, 0.7)
    }
    work.fresh.delete(target.name)
  }
}

const least = 0.4

const renames = (work: Work): void => {
  const pairs = [...work.gone.values()]
    .flatMap((source) =>
      [...work.fresh.values()].flatMap((target) => {
        if (source.type !== target.type) return []
        const alike = likeness(source.name, target.name)
        const same = source.shape === target.shape
        // One property that went and one that came, with the same values, are one property of another name.
        const only = work.gone.size === 1 && work.fresh.size === 1 && same
        const score = Math.max(alike * (same ? 1 : 0.8), only ? 0.6 : 0)
        return score >= least ? [{ source, target, score, same }] : []
      }),
    )
    .sort(
      (a, b) =>
        b.score - a.score || (a.source.name < b.source.name ? -1 : 1) || (a.target.name < b.target.name ? -1 : 1),
    )
  for (const { source, target, score, same } of pairs) {
    if (!work.gone.has(source.name) || !work.fresh.has(target.name)) continue
    const rule = {
      kind: 'rename',
      source_property: source.name,
      target_properties: [target.name],
      source_type: source.type,
      target_type: target.type,
    } as const
    propose(work, rule, `${target.name} is new and ${same ? 'has the same values' : 'is of the same type'}.`, score)
    work.fresh.delete(target.name)
  }
}

const compareClass = (
  before: ReadonlyMap<string, Property>,
  after: ReadonlyMap<string, Property>,
): readonly Proposal[] => {
  const work: Work = {
    gone: new Map([...before].filter(([name]) => !after.has(name))),
    fresh: new Map([...after].filter(([name]) => !before.has(name))),
    out: [],
  }
  for (const [name, source] of before) {
    const target = after.get(name)
    if (!target || target.type === source.type) continue
    const rule = {
      kind: 'type-change',
      source_property: name,
      target_properties: [name],
      source_type: source.type,
      target_type: target.type,
    } as const
    propose(work, rule, `${name} was ${source.type} and is ${target.type}.`, 1)
  }
  splits(work)
  merges(work)
  renames(work)
  for (const source of work.gone.values()) {
    const rule = {
      kind: 'drop',
      source_property: source.name,
      target_properties: [],
      source_type: source.type,
      target_type: null,
    } as const
    propose(work, rule, `Nothing new is like ${source.name}.`, 0.5)
  }
  return work.out.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/**
 * Proposes migration rules for the classes that two documents share: what was renamed, split, merged, changed its type or
 * went. They are guesses from names and types, for a person to accept.
 */
export const proposeMigrations = (from: Document, to: Document): ReadonlyMap<string, readonly Proposal[]> => {
  const [base, head] = [new Side('base', from), new Side('head', to)]
  const [older, newer] = [classesOf(base), classesOf(head)]
  const proposals = new Map<string, readonly Proposal[]>()
  for (const [name, place] of older) {
    const now = newer.get(name)
    if (!now) continue
    const found = compareClass(propertiesOf(base, place), propertiesOf(head, now))
    if (found.length > 0) proposals.set(name, found)
  }
  return proposals
}
