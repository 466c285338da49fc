/** Replaces references by what they refer to, as far as that ends. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { defaultLimits } from '../document/limits.ts'
import { formatFragment, formatPointer, getPath, parsePointer } from '../kernel/pointer.ts'
import { resolveReference } from '../document/reference.ts'
import { type Role, visitNodes } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { type Cycles, findCycles } from '../kernel/cycles.ts'

/** A document without references, except those that `kept` names. */
export interface Dereferenced {
  readonly value: Json
  /** Places that contain themselves: references to them from within stay. */
  readonly cycles: readonly string[]
  /** References that stay because their target has an identifier of its own, or is looked up dynamically. */
  readonly identified: readonly string[]
  /** References that stay because a discriminator selects them by name. */
  readonly discriminated: readonly string[]
}

/** The document would be larger or nested deeper than what programs can read. */
export class TooLarge extends Error {}

const mostValues = 500_000

interface Measure {
  readonly values: number
  readonly depth: number
}

const scalar: Measure = { values: 1, depth: 0 }

interface Holder {
  readonly node: JsonObject
  readonly path: Path
  readonly role: Role
  readonly target: Path
  readonly key: string
}

// Of a schema.
const annotations: ReadonlySet<string> = new Set([
  'title',
  'summary',
  'description',
  'deprecated',
  'example',
  'examples',
])

/** Which of the places that references lead to lead to themselves. */
class Targets {
  readonly #around = new Map<Holder, readonly string[]>()
  readonly #cycles: Cycles

  constructor(holders: readonly Holder[]) {
    const edges = new Map<string, Set<string>>(holders.map(({ key }) => [key, new Set()]))
    for (const holder of holders) {
      // The places on the way to the reference that are themselves targets.
      const around = holder.path
        .map((_, length) => formatPointer(holder.path.slice(0, length)))
        .concat(formatPointer(holder.path))
        .filter((key) => edges.has(key))
      for (const key of around) edges.get(key)?.add(holder.key)
      this.#around.set(holder, around)
    }
    this.#cycles = findCycles(edges)
  }

  /** All places, each after those that it leads to. */
  get inOrder(): readonly string[] {
    return this.#cycles.order
  }

  /** Whether what the reference leads to contains the reference again. */
  isCyclic(holder: Holder): boolean {
    const { cycleOf } = this.#cycles
    const own = cycleOf.get(holder.key)
    return (this.#around.get(holder) ?? []).some((key) => cycleOf.get(key) === own)
  }
}

const branchesOf = ({ oneOf, anyOf }: JsonObject): readonly Json[] =>
  [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))

class Dereferencer {
  readonly #document: Document
  readonly #holders = new Map<JsonObject, Holder>()
  readonly #targets: Targets
  readonly #siblingsCount: boolean
  readonly #made = new Map<object, Json>()
  readonly #sizes = new Map<object, Measure>()
  readonly cycles = new Set<string>()
  readonly identified = new Set<string>()
  readonly discriminated = new Set<string>()

  constructor(document: Document) {
    this.#document = document
    const { format } = document
    const is30 = format?.kind === 'swagger' || (format?.kind === 'openapi' && format.version === '3.0')
    this.#siblingsCount = !is30 && !(format?.kind === 'json-schema' && format.version.startsWith('draft-0'))
    const { document: whole } = resourcesOf(document.value)
    const selected = new Set<Json>()
    visitNodes(document.value, (node, path, at, role) => {
      if (isObject(node.discriminator)) for (const branch of branchesOf(node)) selected.add(branch)
      if (typeof node.$dynamicRef === 'string') this.identified.add(node.$dynamicRef)
      if (typeof node.$ref !== 'string' || this.#holders.has(node)) return
      const target = resolveReference(document, { ref: node.$ref, base: at.base })
      if (typeof target !== 'object') return
      const isWhole = resourcesOf(document.value).along(target.path).at(-1) === whole && at.path.length === 0
      if (!isWhole) {
        this.identified.add(node.$ref)
        return
      }
      if (
        selected.has(node) ||
        (path.at(-2) === 'allOf' && isObject(target.value) && 'discriminator' in target.value)
      ) {
        this.discriminated.add(node.$ref)
        return
      }
      const key = formatPointer(target.path)
      this.#holders.set(node, { node, path: [...path], role, target: target.path, key })
    })
    this.#targets = new Targets([...this.#holders.values()])
  }

  run(): Json {
    // In an order in which every target is there when it is needed: long chains of references take no stack.
    for (const key of this.#targets.inOrder) this.#visit(getPath(this.#document.value, parsePointer(key) ?? []) ?? null)
    return this.#visit(this.#document.value)
  }

  // How many values the text of a value would have, and how deep they nest; what is shared is counted each time.
  #measure(value: Json): Measure {
    if (typeof value !== 'object' || value === null) return scalar
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    let [values, depth] = [1, 0]
    for (const child of Object.values<Json>(value)) {
      const inner = this.#measure(child)
      values += inner.values
      depth = Math.max(depth, inner.depth)
    }
    if (values > mostValues)
      throw new TooLarge(
        `without references the document would have more than ${mostValues.toLocaleString('en')} values`,
      )
    if (depth >= defaultLimits.maxDepth)
      throw new TooLarge(`without references the document would nest deeper than ${defaultLimits.maxDepth} levels`)
    const measure = { values, depth: depth + 1 }
    this.#sizes.set(value, measure)
    return measure
  }

  // Equal parts are made once: the result shares them, so that it stays small until it is written.
  #visit(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value
    const known = this.#made.get(value)
    if (known !== undefined) return known
    const made = this.#make(value)
    this.#made.set(value, made)
    this.#measure(made)
    return made
  }

  #make(value: readonly Json[] | JsonObject): Json {
    if (Array.isArray(value)) {
      const items = (value as readonly Json[]).map((item) => this.#visit(item))
      return items.every((item, index) => item === value[index]) ? value : items
    }
    const node = value as JsonObject
    const entries = Object.entries(node).map(([key, child]): [string, Json] => [key, this.#visit(child)])
    const same = entries.every(([key, child]) => child === node[key])
    const visited = same ? node : Object.fromEntries(entries)
    const holder = this.#holders.get(node)
    if (holder === undefined) return visited
    if (this.#targets.isCyclic(holder)) {
      this.cycles.add(formatFragment(holder.target))
      return visited
    }
    const target = this.#visit(getPath(this.#document.value, holder.target) ?? null)
    return this.#join(holder, visited, target)
  }

  #join({ role, path }: Holder, reference: JsonObject, target: Json): Json {
    const siblings = Object.fromEntries(Object.entries(reference).filter(([key]) => key !== '$ref'))
    const keys = Object.keys(siblings)
    if (keys.length === 0) return target
    if (role !== 'schema') return isObject(target) ? { ...target, ...this.#counting(siblings, path, target) } : target
    if (!this.#siblingsCount) return target
    if (isObject(target) && keys.every((key) => annotations.has(key) || key.startsWith('x-')))
      return { ...target, ...siblings }
    // Other keywords apply in addition to the schema that is referred to (JSON Schema 2020-12, core, section 8.2.3.1).
    const also = Array.isArray(siblings.allOf) ? (siblings.allOf as readonly Json[]) : []
    return { ...siblings, allOf: [target, ...also] }
  }

  // Beside a reference to anything but a schema two texts count (OpenAPI 3.1.1, section 4.23); path items have fields of their own.
  #counting(siblings: JsonObject, path: Path, target: JsonObject): JsonObject {
    const [area] = path
    const isPathItem = path.length === 2 && (area === 'paths' || area === 'webhooks')
    if (isPathItem) return siblings
    if (!this.#siblingsCount || path.at(-2) === 'callbacks') return {}
    return Object.fromEntries(
      Object.entries(siblings).filter(
        ([key]) => key === 'description' || (key === 'summary' && typeof target.summary === 'string'),
      ),
    )
  }
}

/**
 * Replaces every reference within a document by its target. A reference that what it refers to contains again stays, since it
 * would not end; so does one to a schema with an identifier of its own (`$id`), which must occur once, and one that a discriminator
 * selects by its name. Beside a reference, annotations replace those of the target and other keywords apply in addition, where the
 * format has them count at all.
 *
 * @param document self-contained; what cannot be resolved stays as it is
 * @throws TooLarge where the result would have more than half a million values, or nest deeper than documents may
 */
export function dereference(document: Document): Dereferenced {
  const it = new Dereferencer(document)
  const value = it.run()
  const [cycles, identified, discriminated] = [it.cycles, it.identified, it.discriminated].map((all) =>
    [...all].toSorted(),
  ) as [string[], string[], string[]]
  return { value, cycles, identified, discriminated }
}
