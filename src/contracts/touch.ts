import type { Change } from '../diff/change.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { matchesPattern } from './schema-group.ts'
import { isJsonLike } from './specification.ts'
import type { NodeKind } from './reach.ts'
import { unescapeToken } from '../kernel/pointer.ts'

/** Numbers of consumers. */
export type Users = ReadonlySet<number>

/** A place of a document with those who depend on it. */
export interface NodeUse {
  readonly kind: NodeKind
  readonly users: Set<number>
  /** By property: the consumers that use something within it. */
  readonly enters: Map<string, Set<number>>
  /** The consumers that use the value at this place itself, not only something within it. */
  readonly whole: Set<number>
  /** Those who use everything below as well. */
  readonly below: Set<number>
}

export const newNode = (kind: NodeKind): NodeUse => ({
  kind,
  users: new Set(),
  enters: new Map(),
  whole: new Set(),
  below: new Set(),
})

/** What the consumers of one operation depend on. */
export interface OperationUse {
  readonly users: Set<number>
  readonly senders: Set<number>
  /** By side, direction and pointer. */
  readonly nodes: Map<string, NodeUse>
}

export const nodeKey = (side: 'base' | 'head', direction: 'request' | 'response', pointer: string): string =>
  `${side} ${direction} ${pointer}`

const nobody: Users = new Set()

interface Reached {
  readonly node: NodeUse
  /** The steps from the place down to what changed. */
  readonly rest: readonly string[]
}

/**
 * The places at and above a pointer that any consumer depends on, the nearest first. All are returned: the result for a
 * consumer does not depend on how deep other consumers look.
 */
const reachedAt = (
  use: OperationUse,
  side: 'base' | 'head',
  direction: 'request' | 'response',
  pointer: string,
): readonly Reached[] => {
  const found: Reached[] = []
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const node = use.nodes.get(nodeKey(side, direction, at))
    if (node) {
      const rest = pointer.slice(at.length + 1).split('/')
      found.push({ node, rest: rest.filter((it) => it !== '').map(unescapeToken) })
    }
    if (!at.includes('/')) return found
  }
}

// Keywords that contain subschemas; these are examined as places of their own.
const holders = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  '$defs',
  'definitions',
])
const lists = new Set(['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'])
const unions = new Set(['oneOf', 'anyOf', 'allOf'])
// Keywords about all properties of an object: a consumer that reads one property does not depend on them.
const aboutProperties = new Set(['minProperties', 'maxProperties', 'propertyNames'])
// Keywords that are compared as a whole and name the properties that they are about.
const naming = new Set(['dependentRequired', 'dependentSchemas', 'dependencies', 'patternProperties', 'then', 'else'])

const nameOfRequired = (change: Change): string | null => {
  const name = change.after ?? change.before
  return typeof name === 'string' ? name : null
}

const keysOf = (value: Json): readonly string[] => (isObject(value) ? Object.keys(value) : [])

/** The entries of two maps that are not the same in both. */
const differing = (before: Json, after: Json): readonly string[] => {
  const at = (value: Json, key: string): string => JSON.stringify(isObject(value) ? (value[key] ?? null) : null)
  return [...new Set([...keysOf(before), ...keysOf(after)])].filter((key) => at(before, key) !== at(after, key))
}

const stringsIn = (value: Json): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((it) => typeof it === 'string') : []

/** The properties that a keyword is about: those whose entries changed, and those that these entries name. */
const namesIn = (word: string, { before, after }: Change): ReadonlySet<string> => {
  const schemas = [before, after].flatMap((it) => (isObject(it) ? [it] : []))
  if (word === 'then' || word === 'else')
    return new Set(schemas.flatMap((it) => [...keysOf(it.properties ?? null), ...stringsIn(it.required ?? null)]))
  const entries = differing(before, after)
  return new Set([...entries, ...schemas.flatMap((it) => entries.flatMap((key) => stringsIn(it[key] ?? null)))])
}

/** Those who use the object as a value or enter a property that the change names. */
const touchedNames = (change: Change, node: NodeUse, word: string): Users => {
  const names = namesIn(word, change)
  const isMeant = (name: string): boolean =>
    word === 'patternProperties' ? [...names].some((it) => matchesPattern(it, name)) : names.has(name)
  const touched = new Set(node.whole)
  for (const [name, users] of node.enters) if (isMeant(name)) for (const user of users) touched.add(user)
  return touched
}

const touchedSchema = (
  change: Change,
  node: NodeUse,
  rest: readonly string[],
  direction: 'request' | 'response',
): Users => {
  const [word] = rest
  if (node.kind === 'parameter') return node.users
  if (node.kind !== 'schema') return nobody
  if (word === undefined) return node.users
  if (word === 'required') {
    // Senders of the object must send it now; readers of the property may no longer receive it.
    if (direction === 'request' && change.id === 'schema-required-added') return node.users
    return node.enters.get(nameOfRequired(change) ?? '') ?? nobody
  }
  if (word === 'properties' && rest.length === 2 && direction === 'request')
    return change.id === 'schema-required-property-added' ? node.users : nobody
  if (lists.has(word)) return rest.length === 1 ? node.users : nobody
  if (naming.has(word)) return rest.length === 1 ? touchedNames(change, node, word) : nobody
  if (holders.has(word)) return nobody
  if (aboutProperties.has(word) && direction === 'response') return node.whole
  if (unions.has(word)) return rest.length === 1 || (word === 'allOf' && rest.length === 2) ? node.users : nobody
  return node.users
}

const sides = ['base', 'head'] as const

const bySchema = (change: Change, use: OperationUse): Users => {
  const touched = new Set<number>()
  const directions = change.direction === null ? (['request', 'response'] as const) : [change.direction]
  const branchGone = change.id.endsWith('-branch-removed')
  for (const side of sides) {
    const pointer = change[side]?.pointer
    // The head of a branch that went names the whole list; only those who used the branch lose something.
    if (pointer === undefined || (branchGone && side === 'head')) continue
    for (const direction of directions) {
      for (const { node, rest } of reachedAt(use, side, direction, pointer)) {
        for (const user of node.below) touched.add(user)
        for (const user of touchedSchema(change, node, rest, direction)) touched.add(user)
      }
    }
  }
  return touched
}

const byPlace = (
  change: Change,
  use: OperationUse,
  kinds: readonly NodeKind[],
  who: 'users' | 'whole' = 'users',
): Users => {
  const touched = new Set<number>()
  for (const side of sides)
    for (const direction of ['request', 'response'] as const) {
      const pointer = change[side]?.pointer
      for (const { node } of pointer === undefined ? [] : reachedAt(use, side, direction, pointer))
        if (kinds.includes(node.kind)) for (const user of node[who]) touched.add(user)
    }
  return touched
}

/** Who sends the part whose encoding changed: the encoding is named like the property, on a side that has one. */
const byEncoding = (change: Change, use: OperationUse): Users => {
  const touched = new Set<number>()
  const written = /^(.*)\/encoding\/([^/]*)/
  const [, , step] = sides.map((side) => written.exec(change[side]?.pointer ?? '')).find((it) => it !== null) ?? []
  if (step === undefined) return touched
  for (const side of sides) {
    const pointer = change[side]?.pointer
    const media = pointer === undefined ? undefined : (written.exec(pointer)?.[1] ?? pointer)
    const node = media === undefined ? undefined : use.nodes.get(nodeKey(side, 'request', `${media}/schema`))
    for (const user of node?.enters.get(unescapeToken(step)) ?? []) touched.add(user)
  }
  return touched
}

const byMediaType = (change: Change, use: OperationUse): Users => {
  if (change.id === 'media-type-encoding-changed') return byEncoding(change, use)
  const steps = (change.base?.pointer ?? '').split('/').map(unescapeToken)
  const name =
    steps
      .at(steps.lastIndexOf('content') + 1)
      ?.split(';')[0]
      ?.trim()
      .toLowerCase() ?? ''
  // Consumers name fields of JSON-like media types only, so the removal of another type does not affect them.
  return change.id === 'media-type-removed' && isJsonLike(name) ? byPlace(change, use, ['answer', 'body']) : nobody
}

/**
 * The consumers of an operation that depend on what a change changed. Descriptions affect no one, and neither does what
 * is only added, unless everyone has to send it.
 */
export const touchedBy = (change: Change, use: OperationUse): Users => {
  if (change.severity === 'docs-only') return nobody
  const breaks = change.severity === 'breaking'
  const area = change.id.slice(0, change.id.indexOf('-'))
  switch (area) {
    case 'operation':
      return change.id === 'operation-tags-changed' || change.id.startsWith('operation-operation-id')
        ? nobody
        : use.users
    case 'security':
      return breaks ? use.users : nobody
    case 'parameter':
      if (change.id === 'parameter-added' || change.id === 'parameter-required-added')
        return breaks ? use.users : nobody
      // What is not asked for any more is missed by those who said that they use it.
      if (change.id === 'parameter-removed') return byPlace(change, use, ['parameter'], 'whole')
      // A path parameter is identified by its position in the path; its name does not matter.
      return change.id === 'parameter-name-changed' ? nobody : byPlace(change, use, ['parameter'])
    case 'body':
      if (change.id === 'body-added' || change.id === 'body-required-added') return breaks ? use.users : nobody
      return use.senders
    case 'media':
      return byMediaType(change, use)
    case 'status':
      return change.id.endsWith('-removed') ? byPlace(change, use, ['answer']) : nobody
    case 'schema':
      return bySchema(change, use)
    default:
      return nobody
  }
}
