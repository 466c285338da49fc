/** What the items of a list are known by, so that one is found again in whatever position. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { canonicalize, digestText } from '../document/serialize.ts'

const longestScalar = 80
// The properties that name an item, strongest first; "name" with "in" is a parameter.
const naming = ['workflowId', 'stepId', 'operationId', 'name', 'url', 'title', 'const'] as const

const contentName = (item: Json): string => `=${digestText(canonicalize(item)).slice(7, 23)}`

const isScalar = (value: Json | undefined): value is string | number | boolean | null =>
  value !== undefined && (value === null || typeof value !== 'object')

function objectName(item: JsonObject): string | null {
  const { $ref: ref, name, in: place } = item
  if (typeof ref === 'string') return `$ref:${ref}`
  if (typeof name === 'string' && typeof place === 'string') return `${place}:${name}`
  for (const key of naming) {
    const value = item[key]
    if (isScalar(value) && value !== '') return `${key}:${String(value)}`
  }
  const entries = Object.entries(item)
  // A security requirement: the schemes it names, whatever scopes it asks for.
  const isRequirement = entries.length > 0 && entries.every(([, it]) => Array.isArray(it) && it.every(isScalar))
  return isRequirement ? `keys:${entries.map(([key]) => key).join('+')}` : null
}

function ownName(item: Json): string {
  if (isScalar(item)) {
    const text = JSON.stringify(item)
    return text.length <= longestScalar ? text : contentName(item)
  }
  return (isObject(item) ? objectName(item) : null) ?? contentName(item)
}

/** The names of the items of one list, and where each is. */
export interface ItemNames {
  readonly names: readonly string[]
  readonly positions: ReadonlyMap<string, number>
}

const named = new WeakMap<readonly Json[], ItemNames>()

const tally = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/**
 * Names each item of a list: by `$ref`, by `in` and `name`, by another naming property, a short scalar by itself, else by
 * the digest of its content. Items with the same name are named by their content too, and equal ones are counted: `=…~2`.
 */
export function itemNames(list: readonly Json[]): ItemNames {
  const known = named.get(list)
  if (known !== undefined) return known
  const own = list.map(ownName)
  const counts = tally(own)
  const byContent = own.map((name, at) => (counts.get(name) === 1 ? name : contentName(list[at] as Json)))
  const seen = new Map<string, number>()
  const names = byContent.map((name) => {
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    return nth === 1 ? name : `${name}~${nth}`
  })
  const made = { names, positions: new Map(names.map((name, at) => [name, at])) }
  named.set(list, made)
  return made
}

/** The position of the item that has a name in the list, or, for a name by content, has that content alone; -1 without one. */
export function positionOf(list: readonly Json[], name: string): number {
  const at = itemNames(list).positions.get(name)
  if (at !== undefined) return at
  if (!name.startsWith('=')) return -1
  const equal = list.flatMap((item, index) => (contentName(item) === name ? [index] : []))
  return equal.length === 1 ? (equal[0] as number) : -1
}
