import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { getPath, parseFragment } from '../kernel/pointer.ts'
import { findReferences } from '../document/reference.ts'
import { resourcesOf } from '../document/resource.ts'
import { withLaterOperations } from '../import/convert/openapi-32.ts'
import { isMethod, methods, operationsIn } from '../kernel/methods.ts'

/** A part of an OpenAPI document that is kept or left out as one: "components/schemas/Pet", "paths//pets/get", "paths//pets". */
export type PartKey = string

const part = (...steps: readonly string[]): PartKey => JSON.stringify(steps)

export const schemaPart = (name: string): PartKey => part('components', 'schemas', name)
export const operationPart = (area: string, path: string, method: string): PartKey => part(area, path, method)
export const componentPart = (kind: string, name: string): PartKey => part('components', kind, name)

const ownerOf = (path: readonly string[]): PartKey | null => {
  const [area, first, second] = path
  if (first === undefined) return null
  if (area === 'components') return second === undefined ? null : part(area, first, second)
  if (area !== 'paths' && area !== 'webhooks') return null
  return second !== undefined && isMethod(second) ? part(area, first, second) : part(area, first)
}

// The names and references that the mapping of a discriminator holds instead of `$ref`.
const mappedParts = (node: JsonObject): PartKey[] => {
  const { discriminator } = node
  const mapping = isObject(discriminator) && isObject(discriminator.mapping) ? discriminator.mapping : {}
  return Object.values(mapping).flatMap((target) => {
    if (typeof target !== 'string') return []
    const named = /^[a-zA-Z0-9._-]+$/.test(target) ? ['components', 'schemas', target] : null
    const path = target.startsWith('#') ? parseFragment(target) : named
    const owner = path === null ? null : ownerOf(path)
    return owner === null ? [] : [owner]
  })
}

/** What references with a URI, an anchor or a base of their own (`$id`) lead to, by the object that holds them. */
const resolvedParts = (openapi: JsonObject): ReadonlyMap<Json, PartKey> => {
  const found = new Map<Json, PartKey>()
  const resources = resourcesOf(openapi)
  for (const { path, ref, base } of findReferences(openapi)) {
    if (base === '' && ref.startsWith('#/')) continue
    const target = resources.resolve(ref, resources.along(path).at(-1)!)
    const owner = target === undefined ? null : ownerOf(target.path.map(String))
    const holder = getPath(openapi, path)
    if (owner !== null && holder !== undefined) found.set(holder, owner)
  }
  return found
}

// Follow "$ref" in examples too: some tools do, and keeping an unneeded part is harmless.
const referencedParts = (value: Json, resolved: ReadonlyMap<Json, PartKey>): Set<PartKey> => {
  const found = new Set<PartKey>()
  const visit = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const item of node as readonly Json[]) visit(item)
      return
    }
    const map = node as JsonObject
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = map[keyword]
      const path = typeof ref === 'string' && ref.startsWith('#') ? parseFragment(ref) : null
      const owner = path === null ? null : ownerOf(path)
      if (owner !== null) found.add(owner)
    }
    const target = resolved.get(map)
    if (target !== undefined) found.add(target)
    for (const owner of mappedParts(map)) found.add(owner)
    for (const child of Object.values(map)) visit(child)
  }
  visit(value)
  return found
}

const without = (item: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)))

/** Which parts of an OpenAPI document refer to which: a graph over components, path items and operations. */
export class Reach {
  readonly #uses = new Map<PartKey, ReadonlySet<PartKey>>()

  constructor(openapi: JsonObject) {
    const resolved = resolvedParts(openapi)
    const components = isObject(openapi.components) ? openapi.components : {}
    for (const [kind, group] of Object.entries(components))
      if (isObject(group))
        for (const [name, node] of Object.entries(group))
          this.#uses.set(part('components', kind, name), referencedParts(node, resolved))
    for (const area of ['paths', 'webhooks'] as const) {
      const items = openapi[area]
      if (!isObject(items)) continue
      for (const [path, written] of Object.entries(items)) {
        if (!isObject(written)) continue
        const item = withLaterOperations(written)
        this.#uses.set(part(area, path), referencedParts(without(item, methods), resolved))
        for (const { key, operation } of operationsIn(item, methods, false))
          // An operation needs what its path item says for all operations.
          this.#uses.set(part(area, path, key), new Set([...referencedParts(operation, resolved), part(area, path)]))
      }
    }
  }

  /** The parts themselves and all that they lead to. */
  from(parts: Iterable<PartKey>): ReadonlySet<PartKey> {
    const reached = new Set<PartKey>(parts)
    // A set yields what is added to it while it is walked.
    for (const one of reached) for (const next of this.#uses.get(one) ?? []) reached.add(next)
    return reached
  }

  /** The part itself and all that lead to it. */
  to(target: PartKey): ReadonlySet<PartKey> {
    const users = new Map<PartKey, PartKey[]>()
    for (const [user, used] of this.#uses)
      for (const one of used) {
        const list = users.get(one)
        if (list === undefined) users.set(one, [user])
        else list.push(user)
      }
    const reached = new Set<PartKey>([target])
    for (const one of reached) for (const user of users.get(one) ?? []) reached.add(user)
    return reached
  }
}
