import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { Grammar, NodeShape, Shape } from './grammar.ts'
import { fieldOf, hasTypeOf } from './structure.ts'

/**
 * Replaces a node: gets the type's name in the grammar, the node with its children already replaced, and its path in the original.
 * `reference` says that a `$ref` is in place of a node of that type.
 */
export type Change = (name: string, node: JsonObject, path: Path, reference: boolean) => JsonObject

/**
 * Rebuilds a document node by node, children first, as the grammar names them. What the grammar does not know (extensions,
 * examples, nodes of a wrong type) stays as it is, and what no change touches is shared with the original.
 */
export const rebuild = (grammar: Grammar, value: JsonObject, change: Change): JsonObject => {
  const path: (string | number)[] = []

  // Either every value has one shape (a map), or each key has its own (a node).
  const visitEntries = (map: JsonObject, every: Shape | null, type: NodeShape | null): JsonObject => {
    let entries: [string, Json][] | null = null
    const keys = Object.keys(map)
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string
      const before = map[key] as Json
      let after = before
      // Most values are scalars, which nothing here changes: they are not looked up.
      if (typeof before === 'object' && before !== null) {
        const shape = every ?? (type === null ? null : fieldOf(type, key))
        if (shape !== null) {
          path.push(key)
          after = visit(shape, before)
          path.pop()
        }
      }
      if (after !== before && entries === null)
        entries = keys.slice(0, index).map((earlier): [string, Json] => [earlier, map[earlier] as Json])
      entries?.push([key, after])
    }
    // Object.fromEntries defines its properties, so that "__proto__" stays a key.
    return entries === null ? map : Object.fromEntries(entries)
  }

  const visitItems = (items: readonly Json[], shape: Shape): Json => {
    let changed: Json[] | null = null
    for (let index = 0; index < items.length; index++) {
      const before = items[index] as Json
      if (typeof before !== 'object' || before === null) continue
      path.push(index)
      const after = visit(shape, before)
      path.pop()
      if (after === before) continue
      changed ??= [...items]
      changed[index] = after
    }
    return changed ?? items
  }

  const visit = (shape: Shape, node: Json): Json => {
    switch (shape.kind) {
      case 'list':
        return Array.isArray(node) ? visitItems(node as readonly Json[], shape.item) : node
      case 'map':
        return isObject(node) ? visitEntries(node, shape.value, null) : node
      case 'either': {
        const found = shape.shapes.find((one) => hasTypeOf(one, node))
        return found === undefined ? node : visit(found, node)
      }
      case 'node': {
        const type = grammar.nodes[shape.name]
        if (type === undefined || !isObject(node)) return node
        if (shape.reference && typeof node.$ref === 'string') return change(shape.name, node, path, true)
        return change(shape.name, visitEntries(node, null, type), path, false)
      }
      default:
        return node
    }
  }

  return visit({ kind: 'node', name: grammar.root, reference: false }, value) as JsonObject
}

/** A copy of an object without some keys, and with others added or replaced; the key order of the rest stays. */
export const edit = (
  node: JsonObject,
  without: readonly string[],
  extra: { readonly [key: string]: Json | undefined } = {},
): JsonObject => {
  const entries = Object.entries(node).filter(([key]) => !without.includes(key) && !Object.hasOwn(extra, key))
  for (const [key, value] of Object.entries(extra)) if (value !== undefined) entries.push([key, value])
  return Object.fromEntries(entries)
}
