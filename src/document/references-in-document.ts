import { draftOf, refHasSiblings, type Draft } from './draft.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'

/**
 * A schema resource (JSON Schema 2020-12, core, section 4.3.5): what references that begin with "#" are relative to, and the
 * URI that others are resolved against. A document is one; each schema with an identifier of its own is another.
 */
export interface Resource {
  readonly root: Json
  readonly path: Path
  /** Its URI without a fragment; "" where it has none. */
  readonly base: string
  readonly draft: Draft
  /** The resource in which this one is embedded. */
  readonly up: Resource | null
}

/** One `$ref` of a document. */
export interface Reference {
  /** The path of the object that holds `$ref`. */
  readonly path: Path
  /** The URI reference as it is written. */
  readonly ref: string
  /** The URI that `$id` keywords above set as the base; "" where there is none. */
  readonly base: string
}

/**
 * What a place holds: `schema`, a schema for sure; `node`, an object with keywords, perhaps a schema; `stray`, the value of a
 * keyword that schemas do not have; names chosen by the author, of schemas or of other nodes; data in which nothing has a meaning.
 */
export type Role =
  | 'schema'
  | 'node'
  | 'stray'
  | 'schema-names'
  | 'names'
  | 'data'
  | 'example'
  | 'examples'
  | 'link'
  | 'links'

const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
])

const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

// Where other documents hold a schema.
const schemaHolders: ReadonlySet<string> = new Set(['schema', 'itemSchema', 'inputSchema', 'outputSchema'])

// Maps from names that the author chose: a key such as "$ref", "default" or "example" in them is a name.
const named: ReadonlySet<string> = new Set([
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
])

// Keywords whose value is an instance, not a description of one, or a map from names to texts.
const instances: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const', 'payload', 'scopes', 'mapping'])

/** The role of the value of a key, derived from the role of its object. */
export const roleOf = (key: string, value: Json, role: Role, swagger = false): Role => {
  if (role === 'data' || role === 'names') return role === 'data' ? 'data' : 'node'
  if (role === 'schema-names') return 'schema'
  if (role === 'examples') return 'example'
  if (role === 'links') return 'link'
  if (instances.has(key) || key.startsWith('x-')) return 'data'
  if (key === 'examples') return Array.isArray(value) || swagger ? 'data' : 'examples'
  if (role === 'schema') {
    if (schemaKeywords.has(key)) return 'schema'
    return schemaMaps.has(key) ? 'schema-names' : 'stray'
  }
  if (role === 'stray') return named.has(key) && isObject(value) ? 'names' : 'stray'
  if (role === 'example' && (key === 'value' || key === 'dataValue')) return 'data'
  if (role === 'link' && (key === 'parameters' || key === 'requestBody')) return 'data'
  if (key === 'links') return 'links'
  if (schemaHolders.has(key)) return 'schema'
  if ((schemaMaps.has(key) || key === 'schemas') && isObject(value)) return 'schema-names'
  return named.has(key) && isObject(value) ? 'names' : 'node'
}

/** Whether a place can have keywords of its own, as opposed to names and data. */
export const hasKeywords = (role: Role): boolean =>
  role !== 'names' && role !== 'schema-names' && role !== 'examples' && role !== 'links'

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

/** How a walk begins. */
export interface WalkStart {
  readonly base?: string
  /** The draft of what names none by "$schema"; by the document when omitted. */
  readonly draft?: Draft
  /** Whether the value is a schema for sure; by its "$schema" when omitted. */
  readonly schema?: boolean
}

const isModern = (version: Json | undefined): boolean => typeof version !== 'string' || !/^[12]\.|^3\.0/.test(version)

/** The draft of a whole document: by its `$schema`, and for an API description by the version of that. */
const documentDraft = (value: Json): Draft => {
  if (!isObject(value)) return '2020-12'
  if (value.swagger !== undefined || !isModern(value.openapi)) return 'none'
  return draftOf(value.openapi === undefined ? value.$schema : value.jsonSchemaDialect, '2020-12')
}

/**
 * The identifier of a schema in the words of its draft; null where it has none, or where a `$ref` beside it hides it. A whole
 * document keeps its name nevertheless.
 */
export const identifierOf = (schema: JsonObject, draft: Draft, whole = false): string | null => {
  if (draft === 'none' || (typeof schema.$ref === 'string' && !whole && !refHasSiblings(draft))) return null
  const id = draft === 'draft-04' ? schema.id : schema.$id
  return typeof id === 'string' ? id : null
}

/** A URI without its fragment, spelled in the one way that equal addresses share. */
export const bareUri = (uri: string): string => {
  const bare = uri.replace(/#.*$/s, '')
  return /^https?:/i.test(bare) && URL.canParse(bare) ? new URL(bare).href : bare
}

/** The resource that begins at an object; the one around it where the object begins none. */
const resourceAt = (node: JsonObject, path: Path, around: Resource): Resource => {
  const draft = around.draft === 'none' ? 'none' : draftOf(node.$schema, around.draft)
  const id = identifierOf(node, draft, node === around.root)
  if (id === null || id.startsWith('#')) return around
  return { root: node, path: [...path], base: bareUri(resolveUri(around.base, id)), draft, up: around }
}

/** The resource of a whole document. In OpenAPI 3.2 "$self" is its URI. */
export const rootResource = (value: Json, start: WalkStart = {}): Resource => {
  const fallback = start.draft ?? documentDraft(value)
  const outer: Resource = { root: value, path: [], base: start.base ?? '', draft: fallback, up: null }
  if (!isObject(value)) return outer
  if (typeof value.openapi === 'string')
    return typeof value.$self === 'string' ? { ...outer, base: bareUri(resolveUri(outer.base, value.$self)) } : outer
  const own = resourceAt(value, [], outer)
  return { ...own, up: null, draft: fallback === 'none' ? 'none' : draftOf(value.$schema, fallback) }
}

/** Called with what has no keywords: its path, and the resource that it belongs to. */
type VisitPlain = (node: JsonObject, path: Path, at: Resource) => void

/**
 * Visits every object of a document that may carry keywords, in the order of the value, with its path and the resource that it
 * belongs to. Not visited: instances (`example`, `default`, `enum`, `const`, the values of examples, link parameters, extensions)
 * and maps of names themselves, so a property called `$ref` is not a keyword. In the value of a keyword that schemas do not have
 * nothing is an identifier. What YAML aliases repeat is visited at each of its paths.
 *
 * @param visitPlain is called with all other objects, if it is given
 */
export const visitNodes = (
  value: Json,
  visit: (node: JsonObject, path: Path, at: Resource, role: Role) => void,
  start: WalkStart = {},
  visitPlain: VisitPlain | null = null,
): void => {
  const swagger = isObject(value) && typeof value.swagger === 'string'
  const path: (string | number)[] = []
  const document = rootResource(value, start)
  const walk = (node: Json, role: Role, at: Resource): void => {
    if (typeof node !== 'object' || node === null || (role === 'data' && visitPlain === null)) return
    if (Array.isArray(node)) {
      for (const [index, item] of (node as readonly Json[]).entries()) {
        if (typeof item !== 'object') continue
        path.push(index)
        walk(item, role, at)
        path.pop()
      }
      return
    }
    const map = node as JsonObject
    let inner = at
    if (role === 'data' || !hasKeywords(role)) visitPlain?.(map, path, at)
    else {
      if (role !== 'stray' && map !== at.root) inner = resourceAt(map, path, at)
      visit(map, path, inner, role)
    }
    for (const key in map) {
      const child = map[key] as Json
      if (typeof child !== 'object') continue
      path.push(key)
      walk(child, roleOf(key, child, role, swagger), inner)
      path.pop()
    }
  }
  const isSchema = start.schema ?? (isObject(value) && typeof value.$schema === 'string' && value.openapi === undefined)
  walk(value, isSchema ? 'schema' : 'node', document)
}

/** Every reference of a document (`$ref` and `$dynamicRef`), in the order of the value. */
export const findReferences = (value: Json): Reference[] => {
  const found: Reference[] = []
  visitNodes(value, (node, path, { base }) => {
    if (typeof node.$ref === 'string') found.push({ path: [...path], ref: node.$ref, base })
    if (typeof node.$dynamicRef === 'string') found.push({ path: [...path], ref: node.$dynamicRef, base })
  })
  return found
}

/**
 * Every `$ref` where no specification has one and authors write one nevertheless: in extensions, examples and other data, and beside the
 * names of a map. What is there may as well mean itself, so one that cannot be resolved is left.
 */
export const findLooseReferences = (value: Json): Reference[] => {
  const found: Reference[] = []
  visitNodes(
    value,
    () => {},
    {},
    (node, path, { base }) => {
      if (typeof node.$ref === 'string') found.push({ path: [...path], ref: node.$ref, base })
    },
  )
  return found
}
