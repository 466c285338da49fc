/**
 * References of a document of OpenAPI 3.1, in the one form that 3.0 has: pointers into places that remain. Schemas within keywords that
 * 3.0 lacks become components.
 */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { formatFragment, formatPointer, getPath } from '../../kernel/pointer.ts'
import { resolveReference } from '../../document/reference.ts'
import { type Role, roleOf, visitNodes } from '../../document/references-in-document.ts'
import { edit } from '../../document/validate/rebuild.ts'
import type { Notes } from '../../import/notes.ts'

// What is below these is written elsewhere, or nowhere, in 3.0.
const leaving: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'prefixItems',
  'patternProperties',
  'dependentSchemas',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
])

const nameOf = (path: Path): string => {
  const step = String(path.at(-1) ?? 'Schema').replaceAll(/[^A-Za-z0-9._-]+/g, '_')
  return /^\d+$/.test(step) || step === ''
    ? `${String(path.at(-2) ?? 'Schema').replaceAll(/[^A-Za-z0-9._-]+/g, '_')}_${step}`
    : step
}

/** Components for places, each with a name that is free. */
class Homes {
  readonly #taken: Set<string>
  readonly #names = new Map<string, { readonly name: string; readonly path: Path }>()

  constructor(content: JsonObject) {
    const schemas = getPath(content, ['components', 'schemas'])
    this.#taken = new Set(isObject(schemas) ? Object.keys(schemas) : [])
  }

  nameFor(path: Path): string {
    const key = formatPointer(path)
    const known = this.#names.get(key)
    if (known !== undefined) return known.name
    let name = nameOf(path)
    for (let count = 2; this.#taken.has(name); count++) name = `${nameOf(path)}_${count}`
    this.#taken.add(name)
    this.#names.set(key, { name, path })
    return name
  }

  /** The places with the names that they got. */
  all(): readonly { readonly name: string; readonly path: Path }[] {
    return [...this.#names.values()]
  }
}

// A keyword is one of a schema alone: a property or a component may have its name.
function leaves(content: JsonObject, path: Path): boolean {
  let node: Json = content
  let role: Role = 'node'
  for (const step of path) {
    if (role === 'schema' && isObject(node)) {
      const isRestOfTuple = step === 'items' && Array.isArray(node.prefixItems)
      if (isRestOfTuple || leaving.has(String(step))) return true
    }
    const child: Json = (node as { readonly [key: string]: Json })[step] ?? null
    role = roleOf(String(step), child, role)
    node = child
  }
  return false
}

/**
 * The document with such references, and its new components in 3.1. A dynamic reference becomes one to the schema that it leads to
 * by itself, with a note.
 *
 * @param document its `value` is of OpenAPI 3.1
 */
export function placeReferences(document: Document, notes: Notes): JsonObject {
  const content = document.value as JsonObject
  const homes = new Homes(content)
  const moved = new Map<JsonObject, JsonObject>()
  visitNodes(content, (node, path, { base }) => {
    const dynamic = typeof node.$dynamicRef === 'string' ? node.$dynamicRef : null
    const ref = typeof node.$ref === 'string' ? node.$ref : dynamic
    if (ref === null) return
    if (dynamic !== null)
      notes.add('dynamic-reference', `Read "$dynamicRef: ${dynamic}" as a reference to one schema.`, [
        ...path,
        '$dynamicRef',
      ])
    const target = resolveReference(document, { ref, base })
    const found = typeof target === 'object' ? target.path : null
    const place = found !== null && leaves(content, found) ? ['components', 'schemas', homes.nameFor(found)] : found
    const written = place === null ? ref : formatFragment(place)
    if (dynamic === null && written === ref) return
    moved.set(node, edit(node, ['$dynamicRef'], { $ref: written }))
  })
  const rewrite = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = (value as readonly Json[]).map(rewrite)
      return items.every((item, index) => item === value[index]) ? value : items
    }
    const node = moved.get(value as JsonObject) ?? (value as JsonObject)
    const entries = Object.entries(node).map(([key, child]): [string, Json] => [key, rewrite(child)])
    return entries.every(([key, child]) => child === (value as JsonObject)[key]) && node === value
      ? value
      : Object.fromEntries(entries)
  }
  const added = homes.all().map(({ name, path }): [string, Json] => [name, rewrite(getPath(content, path) ?? {})])
  const made = moved.size === 0 ? content : (rewrite(content) as JsonObject)
  if (added.length === 0) return made
  const components = isObject(made.components) ? made.components : {}
  const schemas = isObject(components.schemas) ? components.schemas : {}
  return { ...made, components: { ...components, schemas: { ...schemas, ...Object.fromEntries(added) } } }
}
