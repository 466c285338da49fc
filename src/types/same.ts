import { draftOf } from '../document/draft.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { visitNodes } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { canonical, NodeFactory } from '../schema/node.ts'
import { Normaliser } from '../schema/normalise.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { asSchema } from './edges.ts'
import { readRef, writeRef } from '../kernel/type-ref.ts'

/** The dialect of a schema, by its `$schema`. */
export const dialectOf = (schema: Json) => {
  const draft = draftOf(isObject(schema) ? schema.$schema : undefined, '2020-12')
  return draft === 'none' ? '2020-12' : draft
}

function sourceOf(schema: Json, bases: readonly string[]): SchemaSource {
  const resources = resourcesOf(schema, asSchema)
  return {
    dialect: dialectOf(schema),
    formats: 'asserted',
    resolve: (ref) => {
      const found = resources.resolve(ref, resources.document)
      if (found !== undefined) return { key: formatPointer(found.path), schema: found.schema }
      // What is outside is the same where it is named the same.
      const type = readRef(ref, bases)
      return { key: `outside ${type === null ? ref : writeRef(type)}`, schema: true }
    },
  }
}

/** Whether a schema has references whose meaning depends on more than the place that they name. */
function isBeyond(schema: Json): boolean {
  let found = false
  visitNodes(
    schema,
    (node, _, at) => {
      if (at.path.length > 0 || node.$dynamicRef !== undefined || node.$recursiveRef !== undefined) found = true
    },
    asSchema,
  )
  return found
}

/**
 * Whether two schemas describe the same values as far as the normal form of the engine shows it: annotations, the order of keys
 * and the spelling do not count. References to other types are equal where they name the same type. True is certain for
 * schemas whose references mean the same; false may also mean that it cannot be seen.
 */
export function isSameType(a: Json, b: Json, bases: readonly string[] = []): boolean {
  if (canonical(a) === canonical(b)) return true
  if (isBeyond(a) || isBeyond(b)) return false
  const factory = new NodeFactory()
  const left = new Normaliser(factory, sourceOf(a, bases), null, (key) => key)
  const right = new Normaliser(factory, sourceOf(b, bases), null, (key) => key)
  if (left.node(a) !== right.node(b)) return false
  // A node names the places that it refers to: what is at these places must be the same too. Places that are found on the way are visited, too.
  for (const [key, target] of left.targets) {
    const other = right.targets.get(key)
    // Equal nodes name equal places: what one side alone knows was named by a part that says nothing, and left out.
    if (other !== undefined && left.node(target) !== right.node(other)) return false
  }
  return true
}
