/** Components of a document under other names, with everything that refers to them. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment, parseFragment } from '../kernel/pointer.ts'
import { isMethod } from '../kernel/methods.ts'
import { visitNodes } from '../document/references-in-document.ts'

/** A component by its section and name: "schemas/Pet". */
export type ComponentKey = string

export const keyOf = (section: string, name: string): ComponentKey => `${section}/${name}`

/** What gets another name in a document. */
export interface Renames {
  readonly components: ReadonlyMap<ComponentKey, string>
  readonly operationIds: ReadonlyMap<string, string>
  /** Put ahead of every path; "" for none. */
  readonly pathPrefix: string
}

type Writable = Record<string, Json>

/** The reference as it is after renames; the same where it leads to nothing that is renamed. */
function renamedRef(ref: string, { components, pathPrefix }: Renames): string {
  if (!ref.startsWith('#/')) return ref
  const keys = parseFragment(ref)
  if (keys === null) return ref
  const [first, second = '', third = '', ...rest] = keys
  if (first === 'components' && keys.length >= 3) {
    const name = components.get(keyOf(second, third))
    return name === undefined ? ref : formatFragment([first, second, name, ...rest])
  }
  if (first === 'paths' && keys.length >= 2 && pathPrefix !== '')
    return formatFragment([first, pathPrefix + second, ...keys.slice(2)])
  return ref
}

const schemaName = (ref: Json | undefined): string | null =>
  typeof ref === 'string' && ref.startsWith('#/components/schemas/') ? (parseFragment(ref)?.[2] ?? null) : null

/** The schemas that a discriminator can select by their names alone. */
function implicitlySelected(
  holder: JsonObject,
  path: Path,
  extending: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const listed = [holder.oneOf, holder.anyOf].flatMap((it) => (Array.isArray(it) ? (it as readonly Json[]) : []))
  const named = listed.map((it) => (isObject(it) ? schemaName(it.$ref) : null)).filter((it) => it !== null)
  const isComponent = path.length === 3 && path[0] === 'components' && path[1] === 'schemas'
  return isComponent ? [...named, ...(extending.get(String(path[2])) ?? [])] : named
}

/** The schemas that extend each schema by `allOf`, directly or through others. */
function extensionsIn(document: JsonObject): ReadonlyMap<string, readonly string[]> {
  const components = isObject(document.components) ? document.components : {}
  const schemas = isObject(components.schemas) ? components.schemas : {}
  const parents = new Map<string, readonly string[]>()
  for (const [name, schema] of Object.entries(schemas)) {
    const all = isObject(schema) && Array.isArray(schema.allOf) ? (schema.allOf as readonly Json[]) : []
    parents.set(
      name,
      all.map((it) => (isObject(it) ? schemaName(it.$ref) : null)).filter((it) => it !== null),
    )
  }
  const extending = new Map<string, Set<string>>()
  for (const name of parents.keys()) {
    const waiting = [...(parents.get(name) ?? [])]
    const seen = new Set(waiting)
    for (const parent of waiting) {
      const known = extending.get(parent)
      if (known === undefined) extending.set(parent, new Set([name]))
      else known.add(name)
      for (const next of parents.get(parent) ?? []) {
        if (!seen.has(next)) waiting.push(next)
        seen.add(next)
      }
    }
  }
  return new Map(Array.from(extending, ([name, all]) => [name, [...all]]))
}

/** A discriminator selects by names: a renamed schema keeps the value that selected it. */
function renameMapping(
  holder: JsonObject,
  path: Path,
  renames: Renames,
  extending: ReadonlyMap<string, readonly string[]>,
): void {
  const own: Writable = holder
  const { discriminator } = holder
  if (!isObject(discriminator)) return
  const mapping: Writable = isObject(discriminator.mapping) ? { ...discriminator.mapping } : {}
  const mapped = new Set<string>()
  for (const [value, target] of Object.entries(mapping)) {
    if (typeof target !== 'string') continue
    const isName = /^[\w.-]+$/.test(target) && !/\.(?:json|ya?ml)$/i.test(target)
    const ref = isName ? `#/components/schemas/${target}` : target
    mapped.add(schemaName(ref) ?? '')
    const renamed = renamedRef(ref, renames)
    if (renamed !== ref) mapping[value] = renamed
  }
  for (const name of implicitlySelected(holder, path, extending)) {
    const to = renames.components.get(keyOf('schemas', name))
    if (to !== undefined && !mapped.has(name) && !Object.hasOwn(mapping, name))
      mapping[name] = formatFragment(['components', 'schemas', to])
  }
  if (Object.keys(mapping).length > 0) own.discriminator = { ...discriminator, mapping }
}

const renamedRequirement = (requirement: Json, renames: Renames): Json =>
  isObject(requirement)
    ? Object.fromEntries(
        Object.entries(requirement).map(([name, scopes]) => [
          renames.components.get(keyOf('securitySchemes', name)) ?? name,
          scopes,
        ]),
      )
    : requirement

function renameKeys(map: JsonObject, nameOf: (key: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [nameOf(key), value]))
}

/** A document with other names of components, operations and paths; nothing of it refers to what is not there any more. */
export function renamed(document: JsonObject, renames: Renames): JsonObject {
  const copy: Writable = structuredClone<Writable>(document)
  const extending = extensionsIn(copy)
  visitNodes(copy, (visited, path, at) => {
    const node: Writable = visited
    // A "#" in a schema with an identifier of its own leads to that schema.
    if (at.up === null)
      for (const word of ['$ref', '$dynamicRef', 'operationRef'])
        if (typeof node[word] === 'string') node[word] = renamedRef(node[word], renames)
    renameMapping(node, path, renames, extending)
    if (Array.isArray(node.security))
      node.security = (node.security as readonly Json[]).map((it) => renamedRequirement(it, renames))
    const isOperation = isMethod(String(path.at(-1))) || path.at(-2) === 'additionalOperations'
    const isNamed = isOperation || path.at(-2) === 'links' || (path.length === 3 && path[1] === 'links')
    if (isNamed && typeof node.operationId === 'string')
      node.operationId = renames.operationIds.get(node.operationId) ?? node.operationId
  })
  if (isObject(copy.components))
    copy.components = Object.fromEntries(
      Object.entries(copy.components).map(([section, map]) => [
        section,
        isObject(map) ? renameKeys(map, (name) => renames.components.get(keyOf(section, name)) ?? name) : map,
      ]),
    )
  if (isObject(copy.paths) && renames.pathPrefix !== '')
    copy.paths = renameKeys(copy.paths, (key) => (key.startsWith('/') ? renames.pathPrefix + key : key))
  return copy
}

/** The keys of the components that a value refers to directly. */
export function componentsUsedBy(document: JsonObject, section: string, name: string): ReadonlySet<ComponentKey> {
  const found = new Set<ComponentKey>()
  const components = isObject(document.components) ? document.components : {}
  const map = components[section]
  const value = isObject(map) ? map[name] : undefined
  if (value === undefined) return found
  // A discriminator selects what extends its schema by name.
  if (section === 'schemas' && isObject(value) && isObject(value.discriminator))
    for (const it of extensionsIn(document).get(name) ?? []) found.add(keyOf('schemas', it))
  const add = (ref: Json | undefined): void => {
    const keys = typeof ref === 'string' && ref.startsWith('#/components/') ? parseFragment(ref) : null
    if (keys !== null && keys.length >= 3) found.add(keyOf(keys[1]!, keys[2]!))
  }
  const alone = { openapi: document.openapi ?? '3.1.0', components: { [section]: { [name]: value } } }
  visitNodes(alone, (node) => {
    for (const word of ['$ref', '$dynamicRef']) add(node[word])
    const mapping =
      isObject(node.discriminator) && isObject(node.discriminator.mapping) ? node.discriminator.mapping : {}
    for (const target of Object.values(mapping))
      if (typeof target === 'string') add(target.includes('#') ? target : `#/components/schemas/${target}`)
    for (const requirement of Array.isArray(node.security) ? (node.security as readonly Json[]) : [])
      for (const scheme of Object.keys(isObject(requirement) ? requirement : {}))
        found.add(keyOf('securitySchemes', scheme))
  })
  return found
}
