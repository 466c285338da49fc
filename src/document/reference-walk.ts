import { isObject, type Json, type JsonObject, type Path } from './json.ts'

/** One `$ref` of a document. */
export interface Reference {
  /** The path of the object that holds `$ref`. */
  readonly path: Path
  /** The URI reference as it is written. */
  readonly ref: string
  /** The URI that `$id` keywords above set as the base; "" where there is none. */
  readonly base: string
}

/** What stands at a place: an object with keywords, names chosen by the author, or data in which nothing has a meaning. */
type Role = 'node' | 'names' | 'data' | 'example' | 'examples' | 'link' | 'links'

// Maps from names that the author chose: a key such as "$ref", "default" or "example" in them is a name.
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'securityDefinitions',
  'callbacks',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'variables',
  'mediaTypes',
  'scopes',
  'mapping',
])

// Keywords whose value is an instance, not a description of one.
const instances: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const', 'payload'])

const roleOf = (key: string, value: Json, role: Role, swagger: boolean): Role => {
  if (role === 'names') return 'node'
  if (role === 'examples') return 'example'
  if (role === 'links') return 'link'
  if (instances.has(key) || key.startsWith('x-')) return 'data'
  if (key === 'examples') return Array.isArray(value) || swagger ? 'data' : 'examples'
  if (role === 'example' && (key === 'value' || key === 'dataValue')) return 'data'
  if (role === 'link' && (key === 'parameters' || key === 'requestBody')) return 'data'
  if (key === 'links') return 'links'
  return named.has(key) && isObject(value) ? 'names' : 'node'
}

/** Joins a URI reference to a base (RFC 3986, section 5); works for plain file names too. */
export const resolveUri = (base: string, ref: string): string => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(ref)) return ref
  if (ref === '') return base
  const root = 'svc-root:///'
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(base)
  if (absolute && /^urn:/i.test(base)) return ref.startsWith('#') ? base.replace(/#.*$/, '') + ref : ref
  try {
    const joined = new URL(ref, absolute ? base : `${root}${base.replace(/^\/+/, '')}`).href
    if (absolute) return joined
    const path = decodeURI(joined.slice(root.length))
    return base.startsWith('/') ? `/${path}` : path
  } catch {
    return ref
  }
}

/**
 * Visits every object of a document that may carry keywords, in the order of the value, with its path and the base that `$id` sets.
 * Not visited: instances (`example`, `default`, `enum`, `const`, the values of examples, link parameters, extensions) and maps of
 * names themselves, so a property called `$ref` is no keyword. What YAML aliases repeat is visited at each of its paths.
 */
export const visitNodes = (value: Json, visit: (node: JsonObject, path: Path, base: string) => void): void => {
  const swagger = isObject(value) && typeof value.swagger === 'string'
  const path: (string | number)[] = []
  const walk = (node: Json, role: Role, base: string): void => {
    if (role === 'data' || typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const [index, item] of (node as readonly Json[]).entries()) {
        if (typeof item !== 'object') continue
        path.push(index)
        walk(item, role, base)
        path.pop()
      }
      return
    }
    const map = node as JsonObject
    let inner = base
    if (role !== 'names' && role !== 'examples' && role !== 'links') {
      if (typeof map.$id === 'string') inner = resolveUri(base, map.$id)
      visit(map, path, inner)
    }
    for (const key in map) {
      const child = map[key] as Json
      if (typeof child !== 'object') continue
      path.push(key)
      walk(child, roleOf(key, child, role, swagger), inner)
      path.pop()
    }
  }
  walk(value, 'node', '')
}

/** Every reference of a document (`$ref` and `$dynamicRef`), in the order of the value. */
export const findReferences = (value: Json): Reference[] => {
  const found: Reference[] = []
  visitNodes(value, (node, path, base) => {
    if (typeof node.$ref === 'string') found.push({ path: [...path], ref: node.$ref, base })
    if (typeof node.$dynamicRef === 'string') found.push({ path: [...path], ref: node.$dynamicRef, base })
  })
  return found
}
