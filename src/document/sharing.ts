import { isExact } from './exact.ts'
import type { Json, JsonObject } from '../kernel/json.ts'

type Container = readonly Json[] | JsonObject

/**
 * Makes one object of parts that are equal, within a document and between several: large documents repeat most of what they
 * say. What is then known of a part, by its identity, is known everywhere. Parts are equal if they are written with the same
 * keys in the same order; the values that are given stay as they are.
 */
export class Sharing {
  /** The parts, each once. A number of a part is its place in this list. */
  readonly #parts: Container[] = []
  /** The part that has the same digest as another one, and was there before it; -1 for none. */
  readonly #earlier: number[] = []
  /** The last part of a digest. */
  readonly #byDigest = new Map<number, number>()
  readonly #isApart: (value: JsonObject) => boolean

  /** @param isApart says which objects are not shared: those whose meaning depends on their place */
  constructor(isApart: (value: JsonObject) => boolean) {
    this.#isApart = isApart
  }

  /** A value like this one, whose equal parts are one. */
  share(value: Json): Json {
    return typeof value !== 'object' || value === null ? value : this.#parts[this.#numberOf(value)]!
  }

  /** The same, but objects down to so many levels below the value stay objects of their own. */
  shareBelow(value: Json, levels: number): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isExact(value)) return this.share(value)
    const made: Record<string, Json> = { ...(value as JsonObject) }
    for (const key in made) made[key] = levels === 0 ? this.share(made[key]!) : this.shareBelow(made[key]!, levels - 1)
    return made
  }

  #numberOf(value: Container): number {
    if (isExact(value)) return this.#add(value, -1)
    return Array.isArray(value) ? this.#numberOfList(value) : this.#numberOfObject(value as JsonObject)
  }

  #numberOfList(list: readonly Json[]): number {
    let made: Json[] | null = null
    let digest = list.length
    for (let i = 0; i < list.length; i++) {
      const it = list[i]!
      if (typeof it !== 'object' || it === null) {
        digest = mixed(digest, digestOf(it))
        continue
      }
      const number = this.#numberOf(it)
      digest = mixed(digest, number)
      const shared = this.#parts[number]!
      if (shared !== it) (made ??= [...list])[i] = shared
    }
    return this.#intern(made ?? list, digest)
  }

  #numberOfObject(value: JsonObject): number {
    let made: Record<string, Json> | null = null
    let digest = 7
    for (const name in value) {
      const it = value[name]!
      digest = mixed(digest, digestOf(name))
      if (typeof it !== 'object' || it === null) {
        digest = mixed(digest, digestOf(it))
        continue
      }
      const number = this.#numberOf(it)
      digest = mixed(digest, number)
      const shared = this.#parts[number]!
      if (shared !== it) (made ??= { ...value })[name] = shared
    }
    return this.#isApart(value) ? this.#add(made ?? value, -1) : this.#intern(made ?? value, digest)
  }

  #intern(made: Container, digest: number): number {
    const last = this.#byDigest.get(digest) ?? -1
    // Parts that are alike and not equal are compared one by one: of very many, few are.
    for (let at = last, tries = 0; at >= 0 && tries < mostTries; at = this.#earlier[at]!, tries++)
      if (isSameShallow(this.#parts[at]!, made)) return at
    const number = this.#add(made, last)
    this.#byDigest.set(digest, number)
    return number
  }

  #add(made: Container, earlier: number): number {
    this.#earlier.push(earlier)
    return this.#parts.push(made) - 1
  }
}

const mostTries = 40

/** A number that equal values have in common. Of a text, some of the signs are looked at: equality is checked afterwards. */
const digestOf = (value: string | number | boolean | null): number => {
  if (typeof value !== 'string') {
    if (typeof value === 'number') return value | 0
    if (value === null) return 3
    return value ? 2 : 1
  }
  const { length } = value
  if (length === 0) return 5
  const ends = mixed(mixed(length, value.charCodeAt(0)), value.charCodeAt(length - 1))
  const inner = mixed(value.charCodeAt(length >> 1), value.charCodeAt(length >> 2))
  return mixed(mixed(ends, inner), value.charCodeAt(length - (length >> 2) - 1))
}

const mixed = (digest: number, number: number): number =>
  Math.imul((digest << 5) ^ (digest >>> 27) ^ number, 0x9e3779b1)

/** Whether two containers have the same members in the same order, where members with equal parts are one already. */
const isSameShallow = (a: Container, b: Container): boolean => {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
    return true
  }
  const [left, right] = [a as JsonObject, b as JsonObject]
  const [names, others] = [Object.keys(left), Object.keys(right)]
  if (names.length !== others.length) return false
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    if (name !== others[i] || !Object.is(left[name], right[name])) return false
  }
  return true
}
