import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'
import { writtenReferences } from '../document/written-references.ts'
import { withoutFragment } from './outward.ts'

const swaggerHomes = ['definitions', 'parameters', 'responses'] as const

/** Named parts of a description by the reference that leads to them: "#/components/schemas/Pet". */
function partsOf(value: JsonObject): Map<string, Json> {
  const parts = new Map<string, Json>()
  const add = (prefix: string, named: Json | undefined) => {
    if (isObject(named))
      for (const [name, it] of Object.entries(named))
        parts.set(`${prefix}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, it)
  }
  if (typeof value.swagger === 'string') for (const home of swaggerHomes) add(`#/${home}`, value[home])
  else if (isObject(value.components))
    for (const [section, named] of Object.entries(value.components)) add(`#/components/${section}`, named)
  return parts
}

const refsIn = (node: Json): ReadonlySet<string> =>
  typeof node === 'object' && node !== null ? writtenReferences(node) : new Set()

/** The named part that a reference leads into. */
const partIn = (ref: string): string => decodeFragment(/^#(?:\/components)?\/[^/]*\/[^/]*/.exec(ref)?.[0] ?? ref)

const decodeFragment = (ref: string): string => {
  try {
    return decodeURIComponent(ref)
  } catch {
    return ref
  }
}

class Slice {
  readonly #value: JsonObject
  readonly #parts: Map<string, Json>
  /** What reaches one of the references: parts, by their references. */
  readonly #reaching = new Set<string>()
  readonly #affected: ReadonlySet<string>

  constructor(value: JsonObject, affected: ReadonlySet<string>) {
    this.#value = value
    this.#affected = affected
    this.#parts = partsOf(value)
    for (let more = true; more;) {
      more = false
      for (const [ref, part] of this.#parts)
        if (!this.#reaching.has(ref) && this.#reaches(part)) {
          this.#reaching.add(ref)
          more = true
        }
    }
  }

  #reaches(node: Json): boolean {
    for (const ref of refsIn(node))
      if (ref.startsWith('#') ? this.#reaching.has(partIn(ref)) : this.#affected.has(withoutFragment(ref))) return true
    return false
  }

  #item(item: Json): Json | null {
    if (!isObject(item) || !this.#reaches(item)) return null
    const entries = Object.entries(item)
    const around = entries.filter(([key]) => !isMethod(key))
    if (around.some(([, it]) => this.#reaches(it))) return item
    return Object.fromEntries(entries.filter(([key, it]) => !isMethod(key) || this.#reaches(it)))
  }

  #items(paths: Json | undefined): Json | undefined {
    if (!isObject(paths)) return paths
    return Object.fromEntries(
      Object.entries(paths).flatMap(([path, it]) => {
        const kept = this.#item(it)
        return kept === null ? [] : [[path, kept] as const]
      }),
    )
  }

  cut(): JsonObject {
    const paths = this.#items(this.#value.paths)
    const webhooks = this.#items(this.#value.webhooks)
    const kept = {
      ...this.#value,
      ...(paths === undefined ? {} : { paths }),
      ...(webhooks === undefined ? {} : { webhooks }),
    }
    return this.#withParts(kept, this.#needed([paths, webhooks]))
  }

  #needed(roots: readonly (Json | undefined)[]): ReadonlySet<string> {
    const needed = new Set<string>()
    const waiting: Json[] = roots.flatMap((it) => it ?? [])
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      for (const ref of refsIn(node)) {
        const part = partIn(ref)
        const found = needed.has(part) ? undefined : this.#parts.get(part)
        if (found === undefined) continue
        needed.add(part)
        waiting.push(found)
      }
    return needed
  }

  #withParts(value: JsonObject, needed: ReadonlySet<string>): JsonObject {
    const left = (prefix: string, named: Json): Json =>
      isObject(named)
        ? Object.fromEntries(
            Object.entries(named).filter(([name]) =>
              needed.has(`${prefix}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
            ),
          )
        : named
    if (typeof value.swagger === 'string')
      return Object.fromEntries(
        Object.entries(value).map(([key, it]) => [
          key,
          (swaggerHomes as readonly string[]).includes(key) ? left(`#/${key}`, it) : it,
        ]),
      )
    if (!isObject(value.components)) return value
    const components = Object.fromEntries(
      Object.entries(value.components).map(([section, named]) => [
        section,
        section === 'securitySchemes' ? named : left(`#/components/${section}`, named),
      ]),
    )
    return { ...value, components }
  }
}

/**
 * The operations of an API description that reach one of some references out of it, with the parts that they use: what is left
 * out is the same whatever the references mean. Every place keeps its path. Other documents stay as they are.
 * @param affected references without fragments
 * @param text of the document: what names parts in other ways is not cut
 */
export function sliceOf(value: Json, affected: ReadonlySet<string>, text: string): Json {
  const isApi = isObject(value) && (typeof value.openapi === 'string' || typeof value.swagger === 'string')
  if (
    !isApi ||
    /discriminator|operationRef|\$(?:id|self|anchor|dynamicRef|dynamicAnchor)\b|#\/(?:paths|webhooks)/.test(text)
  )
    return value
  return new Slice(value, affected).cut()
}
