import { isObject, type Json, type JsonObject, type Path } from '../json.ts'
import type { Grammar, Shape } from './grammar.ts'
import { fieldOf, fits } from './structure.ts'

/**
 * Replaces a node: gets the type's name in the grammar, the node with its children already replaced, and its path in the original.
 * `reference` says that a `$ref` stands in place of a node of that type.
 */
export type Change = (name: string, node: JsonObject, path: Path, reference: boolean) => JsonObject

/**
 * Rebuilds a document node by node, children first, as the grammar names them. What the grammar does not know (extensions,
 * examples, nodes of a wrong type) stays as it is, and what no change touches is shared with the original.
 */
export const rebuild = (grammar: Grammar, value: JsonObject, change: Change): JsonObject => {
  const path: (string | number)[] = []

  const visitEntries = (map: JsonObject, shapeOf: (key: string) => Shape | null): JsonObject => {
    let entries: [string, Json][] | null = null
    const keys = Object.keys(map)
    for (const [index, key] of keys.entries()) {
      const before = map[key] as Json
      const shape = shapeOf(key)
      let after = before
      if (shape !== null && typeof before === 'object' && before !== null) {
        path.push(key)
        after = visit(shape, before)
        path.pop()
      }
      if (after !== before && entries === null)
        entries = keys.slice(0, index).map((earlier): [string, Json] => [earlier, map[earlier] as Json])
      entries?.push([key, after])
    }
    // Object.fromEntries defines its properties, so that "__proto__" stays a key.
    return entries === null ? map : Object.fromEntries(entries)
  }

  const visit = (shape: Shape, node: Json): Json => {
    switch (shape.kind) {
      case 'list': {
        if (!Array.isArray(node)) return node
        let changed = false
        const items = (node as readonly Json[]).map((item, index) => {
          path.push(index)
          const after = visit(shape.item, item)
          path.pop()
          changed ||= after !== item
          return after
        })
        return changed ? items : node
      }
      case 'map':
        return isObject(node) ? visitEntries(node, () => shape.value) : node
      case 'either': {
        const found = shape.shapes.find((one) => fits(one, node))
        return found === undefined ? node : visit(found, node)
      }
      case 'node': {
        const type = grammar.nodes[shape.name]
        if (type === undefined || !isObject(node)) return node
        if (shape.reference && typeof node.$ref === 'string') return change(shape.name, node, path, true)
        return change(
          shape.name,
          visitEntries(node, (key) => fieldOf(type, key)),
          path,
          false,
        )
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
