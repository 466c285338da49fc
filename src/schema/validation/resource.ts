import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/**
 * A schema resource (JSON Schema 2020-12, section 4.3.5): what a `$ref` that begins with "#" is relative to, and the URI
 * that relative references are resolved against.
 */
export interface Resource {
  readonly root: Json
  readonly base: string
  /** Whether identifiers are written "id", as draft-04 has them. */
  readonly legacy: boolean
}

/** What a reference leads to. */
export interface Target {
  readonly schema: Json
  readonly resource: Resource
}

/** Finds what a reference to another document means; undefined when there is no such document. */
export type ExternalResolver = (uri: string, base: string) => Target | undefined

/** Keywords whose value is data, in which "$id" is not an identifier. */
export const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples'])

interface Anchors {
  readonly plain: Map<string, Json>
  readonly dynamic: Map<string, Json>
  /** Resources embedded with "$id" (or "id" of draft-04), by absolute URI. */
  readonly embedded: Map<string, Resource>
}

const resolveUri = (reference: string, base: string): string => {
  try {
    return new URL(reference, base === '' ? 'svc:/' : base).href
  } catch {
    return reference
  }
}

const idOf = (schema: JsonObject, legacy: boolean): string | null => {
  const id = legacy ? schema.id : schema.$id
  return typeof id === 'string' && !id.startsWith('#') ? id : null
}

function scan(node: Json, resource: Resource, found: Anchors, isRoot: boolean, top: Anchors): void {
  if (Array.isArray(node)) {
    for (const item of node) scan(item, resource, found, false, top)
    return
  }
  if (!isObject(node)) return
  const id = idOf(node, resource.legacy)
  if (id !== null && !isRoot) {
    const base = resolveUri(id, resource.base)
    const entered = { root: node, base, legacy: resource.legacy }
    top.embedded.set(base.replace(/#$/, ''), entered)
    const inner = { plain: new Map(), dynamic: new Map(), embedded: top.embedded }
    anchorCache.set(node, inner)
    scan(node, entered, inner, true, top)
    return
  }
  for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
    const name = node[keyword]
    if (typeof name === 'string') found.plain.set(name, node)
  }
  for (const keyword of ['$id', 'id'] as const) {
    const name = node[keyword] // drafts 04 to 07 write anchors so
    if (typeof name === 'string' && name.startsWith('#')) found.plain.set(name.slice(1), node)
  }
  if (typeof node.$dynamicAnchor === 'string') found.dynamic.set(node.$dynamicAnchor, node)
  for (const key of Object.keys(node)) if (!dataKeywords.has(key)) scan(node[key] as Json, resource, found, false, top)
}

// Keyed by the root object itself, so that it lives as long as the schema does.
const anchorCache = new WeakMap<object, Anchors>()

function anchorsOf(resource: Resource): Anchors {
  const { root } = resource
  if (typeof root !== 'object' || root === null) return { plain: new Map(), dynamic: new Map(), embedded: new Map() }
  let found = anchorCache.get(root)
  if (found === undefined) {
    found = { plain: new Map(), dynamic: new Map(), embedded: new Map() }
    anchorCache.set(root, found)
    scan(root, resource, found, true, found)
  }
  return found
}

/** The resource that begins at `schema`, when it has an identifier of its own. */
export function enterResource(schema: JsonObject, current: Resource): Resource {
  if (schema === current.root) return current
  const id = idOf(schema, current.legacy)
  return id === null ? current : { root: schema, base: resolveUri(id, current.base), legacy: current.legacy }
}

/** The resource of a root schema: its "$id" is its base URI. */
export function rootResource(root: Json, base: string, legacy: boolean): Resource {
  const id = isObject(root) ? idOf(root, legacy) : null
  return { root, base: id === null ? base : resolveUri(id, base), legacy }
}

/** The schema with a "$dynamicAnchor" of that name in this very resource. */
export const dynamicAnchor = (resource: Resource, name: string): Json | undefined =>
  anchorsOf(resource).dynamic.get(name)

function followPointer(pointer: string, resource: Resource): Target | undefined {
  let node: Json | undefined = resource.root
  let current = resource
  if (pointer === '') return { schema: node, resource }
  for (const raw of pointer.slice(1).split('/')) {
    const key = decode(raw).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(node)) node = node[Number(key)] as Json | undefined
    else if (isObject(node) && Object.hasOwn(node, key)) node = node[key]
    else return undefined
    if (node === undefined) return undefined
    if (isObject(node)) current = enterResource(node, current)
  }
  return { schema: node, resource: current }
}

const decode = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface Known {
  readonly base: string
  readonly legacy: boolean
  readonly targets: Map<string, Target | undefined>
}

const knownCache = new WeakMap<object, Known>()

// Documents say the same reference over and over: where it leads is found once.
function within(reference: string, resource: Resource): Target | undefined {
  const { root, base, legacy } = resource
  if (!isObject(root)) return inResource(reference.slice(1), resource)
  let known = knownCache.get(root)
  if (known === undefined || known.base !== base || known.legacy !== legacy) {
    known = { base, legacy, targets: new Map() }
    knownCache.set(root, known)
  }
  const { targets } = known
  let target = targets.get(reference)
  if (target === undefined && !targets.has(reference)) {
    target = inResource(reference.slice(1), resource)
    targets.set(reference, target)
  }
  return target
}

function inResource(fragment: string, resource: Resource): Target | undefined {
  if (fragment === '' || fragment.startsWith('/')) return followPointer(fragment, resource)
  const schema = anchorsOf(resource).plain.get(decode(fragment))
  return schema === undefined ? undefined : { schema, resource }
}

/**
 * What a reference means (JSON Schema 2020-12, sections 8.2.3 and 9.1): a pointer or anchor of the current resource, a
 * resource embedded in the same document, or a document that `external` knows.
 *
 * @param document the resource of the whole document, in which embedded resources are searched
 */
export function resolveReference(
  reference: string,
  current: Resource,
  document: Resource,
  external: ExternalResolver | undefined,
): Target | undefined {
  if (reference === '' || reference.startsWith('#')) return within(reference, current)
  const [uri = '', fragment = ''] = resolveUri(reference, current.base).split('#', 2)
  if (uri === document.base.replace(/#$/, '') && uri !== '') return inResource(fragment, document)
  const embedded = anchorsOf(document).embedded.get(uri)
  if (embedded !== undefined) return inResource(fragment, embedded)
  const other = external?.(uri, current.base)
  if (other === undefined) return undefined
  const inner = anchorsOf(other.resource).embedded.get(uri)
  return inResource(fragment, inner ?? other.resource)
}
