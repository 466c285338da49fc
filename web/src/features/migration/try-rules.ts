import { readRule, ruleKey, type Rules } from './rules.ts'

type Value = unknown
type Item = Readonly<Record<string, Value>>

/** What the rules make of one object, with what happened to each property that did not simply stay. */
export interface Tried {
  readonly result: Record<string, Value>
  readonly notes: readonly { readonly property: string; readonly text: string; readonly lost: boolean }[]
}

const numberOf = (value: Value): number | undefined => {
  const text = typeof value === 'string' ? value.trim() : value
  const number = text === '' || text === null ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** A value in another type, named as types are written: "integer", "array of string"; undefined where it has no such form. */
export const converted = (value: Value, type: string): Value => {
  const base = type.split(/[ (]/)[0]
  if (value === null && type.endsWith(' or null')) return null
  if (base === 'string') return typeof value === 'string' ? value : JSON.stringify(value)
  if (base === 'number') return numberOf(value)
  if (base === 'integer') {
    const number = numberOf(value)
    return number === undefined || !Number.isInteger(number) ? undefined : number
  }
  if (base === 'boolean') {
    if (value === 'true' || value === 1) return true
    if (value === 'false' || value === 0) return false
    return typeof value === 'boolean' ? value : undefined
  }
  if (base === 'array') return Array.isArray(value) ? value : [value]
  if (base === 'object') return typeof value === 'object' && !Array.isArray(value) ? value : undefined
  return value
}

/** The words of a text for so many properties: the last one takes what is left. */
const parts = (value: Value, many: number): Value[] => {
  const words = String(value).trim().split(/\s+/)
  const last = words.slice(many - 1).join(' ')
  return [...words.slice(0, many - 1), last].filter((it) => it !== '')
}

/**
 * Applies rules to one object.
 * @param given an object of the older schema
 * @param before the types of the older schema by property
 * @param after the types of the newer schema by property
 */
export const tryRules = (
  given: Item,
  rules: Rules,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Tried => {
  const result: Record<string, Value> = {}
  const notes: { property: string; text: string; lost: boolean }[] = []
  const note = (property: string, text: string, lost = false): void => void notes.push({ property, text, lost })
  const put = (target: string, value: Value, source: string): void => {
    const type = after.get(target)
    const next = type === undefined || type === before.get(source) ? value : converted(value, type)
    if (next === undefined)
      note(source, `has a value that cannot be converted to ${type}: ${JSON.stringify(value)}`, true)
    else if (target in result) result[target] = [result[target], next].flat()
    else result[target] = next
  }
  for (const [name, value] of Object.entries(given)) {
    const kept = rules[ruleKey(name)]
    const rule = kept === undefined ? null : readRule(ruleKey(name), kept)
    const targets = rule?.target_properties ?? []
    if (rule === null && after.has(name)) put(name, value, name)
    else if (rule === null) note(name, 'has no rule, and the newer schema has no such property', true)
    else if (rule.kind === 'drop') note(name, 'is dropped', true)
    else if (rule.kind === 'type-change') put(name, value, name)
    else if (targets.length === 0) note(name, 'has a rule without a target', true)
    else if (rule.kind === 'split') {
      parts(value, targets.length).forEach((part, index) => put(targets[index] ?? name, part, name))
      note(name, `is split at blanks into ${targets.join(', ')}`)
    } else {
      put(targets[0] ?? name, value, name)
      note(name, `becomes ${targets[0] ?? name}`)
    }
  }
  for (const name of after.keys()) if (!before.has(name) && !(name in result)) note(name, 'is new and gets no value')
  return { result, notes }
}

const samples: Readonly<Record<string, Value>> = {
  string: 'text with blanks',
  integer: 1,
  number: 1.5,
  boolean: true,
  array: [],
  object: {},
}

/** An object to begin with: a value of its type for each property. */
export const sampleOf = (before: ReadonlyMap<string, string>): Record<string, Value> =>
  Object.fromEntries([...before].map(([name, type]) => [name, samples[type.split(/[ (]/)[0] ?? ''] ?? null]))
