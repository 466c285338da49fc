import { refHasSiblings } from '../document/draft.ts'
import { isExact } from '../document/exact.ts'
import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject, Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { hasKeywords, roleOf } from '../document/references-in-document.ts'
import type { Role, WalkStart } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import type { ResolvedSchema, Resource, Resources } from '../document/resource.ts'

/**
 * A document in which every reference is a JSON Pointer from its root, as far as it leads anywhere within the document:
 * "$id", anchors and the dynamic scope (JSON Schema 2020-12, core, section 7.1) have been followed and are gone. A schema that
 * means something else in another dynamic scope is there once for each, under a name of its own.
 */
export interface Linked {
  readonly root: Json
  /** Schemas as another dynamic scope has them, by the reference that names each. */
  readonly scoped: ReadonlyMap<string, { readonly value: Json; readonly path: Path }>
  /** What a part of `root` was written as; undefined for what was not rewritten. */
  readonly written: WeakMap<object, Json>
}

/** What makes a document one that has to be linked. */
export const needsLinks = (text: string): boolean =>
  /["']?\$(?:id|anchor|dynamicAnchor|dynamicRef|recursiveRef|recursiveAnchor|self)\b/.test(text)

/** The keywords that only say what a schema is called, and how references find it. */
const naming: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
])

const definitions: ReadonlySet<string> = new Set(['definitions', '$defs'])

/** Every schema of a scoped copy is one more: documents that would need very many are left as they are. */
const most = 2000

/** Which resource a dynamic anchor belongs to, by its name: the outermost one that has it. "" is "$recursiveAnchor". */
type Scope = ReadonlyMap<string, Resource>

/** What references to schemas in a scope of their own begin with, and their paths. */
const mark = 'svc-scope:'

/** A path without the mark of a scope: where it is written. */
export const writtenPath = (path: Path): Path =>
  typeof path[0] === 'string' && path[0].startsWith(mark) ? path.slice(1) : path

const keyOf = (scope: Scope): string =>
  [...scope]
    .map(([name, at]) => `${name}=${formatPointer(at.path)}`)
    .sort()
    .join(' ')

class Linker {
  readonly scoped = new Map<string, { value: Json; path: Path }>()
  readonly written = new WeakMap<object, Json>()
  private readonly resources: Resources
  private readonly isApi: boolean
  private readonly isLegacy: boolean
  private readonly used = new Set<string>()

  constructor(value: Json, start: WalkStart) {
    this.resources = resourcesOf(value, start)
    this.isApi = start.schema !== true
    this.isLegacy = this.resources.document.draft === 'draft-04'
    this.findUsed(value)
  }

  run(): Json {
    const { document } = this.resources
    return this.copy(document.root, this.isApi ? 'node' : 'schema', document, this.enter(new Map(), document), true)
  }

  /** The names that dynamic references ask for: other anchors make no difference. */
  private findUsed(value: Json): void {
    if (Array.isArray(value)) for (const it of value as readonly Json[]) this.findUsed(it)
    if (!isObject(value)) return
    if (typeof value.$dynamicRef === 'string') this.used.add(value.$dynamicRef.split('#')[1] ?? '')
    if (typeof value.$recursiveRef === 'string') this.used.add('')
    for (const key in value) if (typeof value[key] === 'object') this.findUsed(value[key])
  }

  /** The scope after a resource was entered. */
  private enter(scope: Scope, resource: Resource): Scope {
    if (this.used.size === 0) return scope
    const names = this.resources.dynamicNames(resource).filter((name) => this.used.has(name) && !scope.has(name))
    if (this.used.has('') && !scope.has('') && isObject(resource.root) && resource.root.$recursiveAnchor === true)
      names.push('')
    return names.length === 0 ? scope : new Map([...scope, ...names.map((name) => [name, resource] as const)])
  }

  private copy(node: Json, role: Role, at: Resource, scope: Scope, isEntered = false): Json {
    if (role === 'data' || typeof node !== 'object' || node === null || isExact(node)) return node
    if (Array.isArray(node)) {
      const items = (node as readonly Json[]).map((it) => this.copy(it, role, at, scope))
      return items.every((it, i) => it === node[i]) ? node : this.remember(items, node)
    }
    if (!isObject(node)) return node
    const keyworded = role === 'schema' || role === 'node'
    const inner = keyworded && !isEntered ? this.resources.enter(node, at) : at
    const within = inner === at ? scope : this.enter(scope, inner)
    const made: Record<string, Json> = {}
    let changed = false
    for (const key in node) {
      if (keyworded && (this.isNaming(key, role, node) || this.isIgnored(key, role, node, inner))) {
        changed = true
        continue
      }
      const value = node[key]!
      made[key] = this.copy(value, roleOf(key, value, role), inner, within)
      changed ||= made[key] !== value
    }
    if (!hasKeywords(role)) return changed ? this.remember(made, node) : node
    const refs = this.references(node, inner, within)
    if (refs.length > 0 && refs[0] !== node.$ref) changed = true
    const [first, ...others] = refs
    if (first !== undefined) made.$ref = first
    if (others.length > 0)
      made.allOf = [
        ...(Array.isArray(made.allOf) ? (made.allOf as readonly Json[]) : []),
        ...others.map((it) => ({ $ref: it })),
      ]
    return changed ? this.remember(made, node) : node
  }

  private isNaming(key: string, role: Role, node: JsonObject): boolean {
    if (key === 'id') return this.isLegacy && role === 'schema' && typeof node.id === 'string'
    return naming.has(key) && typeof node[key] !== 'object'
  }

  /** Up to draft-07 nothing counts beside a "$ref", also where a document of a later draft embeds such a schema. */
  private isIgnored(key: string, role: Role, node: JsonObject, { draft }: Resource): boolean {
    if (role !== 'schema' || typeof node.$ref !== 'string' || key === '$ref' || definitions.has(key)) return false
    return refHasSiblings(this.resources.document.draft) && !refHasSiblings(draft)
  }

  private remember<T extends Json & object>(made: T, node: Json): T {
    this.written.set(made, node)
    return made
  }

  /** The references of a schema as they are written into its copy. */
  private references(node: JsonObject, at: Resource, scope: Scope): string[] {
    const refs: string[] = []
    if (typeof node.$ref === 'string') refs.push(this.link(node.$ref, at, this.resources.resolve(node.$ref, at), scope))
    if (typeof node.$dynamicRef === 'string') {
      const found = this.resources.resolve(node.$dynamicRef, at)
      refs.push(this.link(node.$dynamicRef, at, this.dynamic(node.$dynamicRef, found, scope), scope))
    }
    if (typeof node.$recursiveRef === 'string') {
      const found = this.resources.resolve(node.$recursiveRef, at)
      const outer = isObject(found?.schema) && found.schema.$recursiveAnchor === true ? scope.get('') : undefined
      const target = outer ? { schema: outer.root, path: outer.path, resource: outer } : found
      refs.push(this.link(node.$recursiveRef, at, target, scope))
    }
    return refs
  }

  /** What a dynamic reference means in a scope: where it names a dynamic anchor, the outermost one of that name. */
  private dynamic(ref: string, found: ResolvedSchema | undefined, scope: Scope): ResolvedSchema | undefined {
    const name = ref.split('#')[1] ?? ''
    if (!isObject(found?.schema) || found.schema.$dynamicAnchor !== name) return found
    const outer = scope.get(name)
    return outer ? this.resources.dynamicAnchor(outer, name) : found
  }

  private link(ref: string, at: Resource, found: ResolvedSchema | undefined, scope: Scope): string {
    // What cannot be resolved is distinguished from what the same words would mean at the root.
    if (found === undefined) return at.base !== '' && ref.startsWith('#') ? at.base + ref : ref
    const own = this.scopeOf(found)
    const entered = this.enter(scope, found.resource)
    const [wanted, there] = [keyOf(entered), keyOf(own)]
    const pointer = formatPointer(found.path)
    if (wanted === there) return `#${encodeURI(pointer)}`
    const name = `${mark}${encodeURIComponent(wanted)}/${encodeURIComponent(pointer)}`
    if (!this.scoped.has(name)) {
      if (this.scoped.size >= most) return `${mark}too-many`
      const entry = { value: true as Json, path: [`${mark}${wanted}`, ...found.path] }
      this.scoped.set(name, entry)
      entry.value = this.copy(found.schema, 'schema', found.resource, entered, true)
    }
    return name
  }

  /** The scope in which a schema is by its place alone. */
  private scopeOf({ path }: ResolvedSchema): Scope {
    let scope: Scope = new Map()
    if (this.used.size > 0) for (const it of this.resources.along(path)) scope = this.enter(scope, it)
    return scope
  }
}

/** Links the references of a document. `start`: how it is read, see `resourcesOf`. */
export const link = (value: Json, start: WalkStart): Linked => {
  const linker = new Linker(value, start)
  return { root: linker.run(), scoped: linker.scoped, written: linker.written }
}
