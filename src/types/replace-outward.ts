import type { Json, JsonObject } from '../kernel/json.ts'
import { hasKeywords, roleOf, type Role } from '../document/references-in-document.ts'
import { mappingOf, refKeywords, type RefHolder } from './edges.ts'

/** What becomes of a reference that leads out of a document; null where it stays as it is. */
export type MoveOutward = (target: string, holder: RefHolder) => string | null

const leadsOut = (it: Json | undefined): it is string => typeof it === 'string' && it !== '' && !it.startsWith('#')

/**
 * Replaces references that lead out of parts of one document, those in mappings of discriminators as well. What has none is
 * shared with the original, and so is what several parts share.
 */
export class OutwardReplacer {
  readonly #move: MoveOutward
  /** What has such a reference below it, wherever it is. */
  readonly #holders = new Set<object>()
  readonly #schemas = new Map<JsonObject, Json>()

  constructor(move: MoveOutward) {
    this.#move = move
  }

  // Most of a document has none: this looks at every value, and at none of its roles.
  #holds(value: object): boolean {
    if (this.#holders.has(value)) return true
    let holds = false
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[])
        if (typeof item === 'object' && item !== null && this.#holds(item)) holds = true
    } else {
      const map = value as JsonObject
      for (const key in map) {
        const child = map[key]
        if (typeof child === 'object' && child !== null) {
          if (this.#holds(child)) holds = true
        } else if (key.startsWith('$') && leadsOut(child)) holds = true
      }
      const mapping = mappingOf(map)
      if (mapping !== null && Object.values(mapping).some(leadsOut)) holds = true
    }
    if (holds) this.#holders.add(value)
    return holds
  }

  /** @param role what the value is: a schema, or a node of a description */
  replace(value: Json, role: Extract<Role, 'schema' | 'node'>): Json {
    return typeof value === 'object' && value !== null && this.#holds(value) ? this.#rewrite(value, role) : value
  }

  #rewrite(value: Json, role: Role): Json {
    if (role === 'data' || typeof value !== 'object' || value === null || !this.#holders.has(value)) return value
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.#rewrite(item, role))
    const map = value as JsonObject
    const known = role === 'schema' ? this.#schemas.get(map) : undefined
    if (known !== undefined) return known
    const made = this.#members(map, role)
    if (role === 'schema') this.#schemas.set(map, made)
    return made
  }

  #members(map: JsonObject, role: Role): JsonObject {
    const own = hasKeywords(role)
    const mapping = role === 'schema' ? mappingOf(map) : null
    const entries = Object.entries(map).map(([key, it]): [string, Json] => {
      const keyword = own ? refKeywords.find((one) => one === key) : undefined
      if (keyword !== undefined && leadsOut(it)) return [key, this.#move(it, keyword) ?? it]
      if (mapping !== null && key === 'discriminator') return [key, this.#discriminator(it as JsonObject, mapping)]
      return [key, this.#rewrite(it, roleOf(key, it, role))]
    })
    return Object.fromEntries(entries)
  }

  #discriminator(discriminator: JsonObject, mapping: JsonObject): JsonObject {
    const entries = Object.entries(mapping).map(([name, it]): [string, Json] => [
      name,
      leadsOut(it) ? (this.#move(it, 'mapping') ?? it) : it,
    ])
    return { ...discriminator, mapping: Object.fromEntries(entries) }
  }
}
