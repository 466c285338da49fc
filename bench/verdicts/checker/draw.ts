/** Values drawn at random near what schemas allow: enough of them valid, some just beside a bound. */
import { isObject, type Json, type JsonObject } from '../case.ts'
import { Random } from '../generator/random.ts'

const maxDepth = 5
const scalars: readonly Json[] = ['', 'x', 'abc', 0, 1, -1, 0.5, 7, true, false, null]

/** Everything that keywords of some schemas name: constants, bounds, names of properties. */
interface Words {
  readonly constants: Json[]
  readonly names: string[]
  readonly numbers: number[]
}

/** Draws values for a schema of a document; `others` are schemas whose constants and names are drawn as well. */
export class Drawer {
  readonly #random: Random
  readonly #root: Json
  readonly #words: Words = { constants: [], names: [], numbers: [] }

  constructor(seed: string, root: Json, others: readonly Json[] = []) {
    this.#random = new Random(seed)
    this.#root = root
    for (const schema of [root, ...others]) this.#gather(schema)
  }

  #gather(schema: Json): void {
    if (Array.isArray(schema)) return schema.forEach((part) => this.#gather(part))
    if (!isObject(schema)) return
    for (const [name, part] of Object.entries(schema)) {
      if ((name === 'enum' || name === 'examples') && Array.isArray(part)) this.#words.constants.push(...part)
      else if (name === 'const' || name === 'default' || name === 'example') this.#words.constants.push(part)
      else if (name === 'properties' && isObject(part)) this.#words.names.push(...Object.keys(part))
      else if (name === 'required' && Array.isArray(part)) this.#words.names.push(...part.map(String))
      else if (typeof part === 'number') this.#words.numbers.push(part)
      this.#gather(part)
    }
  }

  draw(schema: Json = this.#root, depth = 0): Json {
    const random = this.#random
    if (depth > 0 && random.next() < 0.04) return this.#anything()
    const merged = this.#merged(schema, 0)
    if (merged['const'] !== undefined && random.next() < 0.9) return merged['const']
    const listed = merged['enum']
    if (Array.isArray(listed) && listed.length > 0 && random.next() < 0.9) return random.pick(listed as readonly Json[])
    return this.#ofType(this.#typeOf(merged), merged, depth)
  }

  /** Keywords of a schema with those of what it refers to, of all its members, and of one of each choice. */
  #merged(schema: Json, hops: number): JsonObject {
    if (!isObject(schema) || hops > 8) return {}
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, ...own } = schema
    let made: Record<string, Json> = {}
    const add = (part: Json): void => {
      const found = this.#merged(part, hops + 1)
      const both = (name: string) =>
        isObject(made[name]) && isObject(found[name]) ? { [name]: { ...made[name], ...found[name] } } : {}
      const required = [made['required'], found['required']].flatMap((list) => (Array.isArray(list) ? list : []))
      made = { ...made, ...found, ...both('properties'), ...(required.length > 0 ? { required } : {}) }
    }
    const reference = $ref ?? $dynamicRef
    if (typeof reference === 'string') add(this.#follow(reference))
    if (Array.isArray(allOf)) allOf.forEach(add)
    for (const choice of [anyOf, oneOf])
      if (Array.isArray(choice) && choice.length > 0) add(this.#random.pick(choice as readonly Json[]))
    const condition = own['if']
    if (isObject(condition) && this.#random.next() < 0.5) add(condition)
    for (const branch of ['then', 'else'])
      if (own[branch] !== undefined && this.#random.next() < 0.5) add(own[branch] ?? {})
    if (isObject(own['dependentSchemas']) && this.#random.next() < 0.5)
      Object.values(own['dependentSchemas']).forEach(add)
    const properties =
      isObject(made['properties']) && isObject(own['properties'])
        ? { properties: { ...made['properties'], ...own['properties'] } }
        : {}
    const required = [made['required'], own['required']].flatMap((list) => (Array.isArray(list) ? list : []))
    return { ...made, ...own, ...properties, ...(required.length > 0 ? { required } : {}) }
  }

  #follow(reference: string): Json {
    if (!reference.startsWith('#/'))
      return this.#anchored(this.#root, reference.slice(reference.indexOf('#') + 1)) ?? {}
    let at: Json | undefined = this.#root
    for (const step of reference.slice(2).split('/'))
      at = (at as JsonObject | undefined)?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
    return at ?? {}
  }

  #anchored(schema: Json, name: string): Json | undefined {
    if (typeof schema !== 'object' || schema === null) return undefined
    if (isObject(schema) && (schema['$anchor'] === name || schema['$dynamicAnchor'] === name)) return schema
    for (const part of Object.values(schema)) {
      const found = this.#anchored(part, name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #typeOf(schema: JsonObject): string {
    const type = schema['type']
    if (typeof type === 'string') return type
    if (Array.isArray(type) && type.length > 0) return String(this.#random.pick(type as readonly Json[]))
    const has = (...names: string[]) => names.some((name) => schema[name] !== undefined)
    if (has('properties', 'required', 'minProperties', 'maxProperties', 'patternProperties', 'dependentRequired'))
      return 'object'
    if (has('items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems')) return 'array'
    if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return 'number'
    if (has('minLength', 'maxLength', 'pattern')) return 'string'
    return 'any'
  }

  #ofType(type: string, schema: JsonObject, depth: number): Json {
    const random = this.#random
    if (type === 'null') return null
    if (type === 'boolean') return random.next() < 0.5
    if (type === 'integer' || type === 'number') return this.#number(schema, type === 'integer')
    if (type === 'string') return this.#string(schema)
    if (depth >= maxDepth) return type === 'array' ? [] : type === 'object' ? {} : this.#anything()
    if (type === 'array') return this.#array(schema, depth)
    if (type === 'object') return this.#object(schema, depth)
    return this.#anything()
  }

  #anything(): Json {
    const { constants, names, numbers } = this.#words
    const random = this.#random
    const kind = random.int(0, 5)
    if (kind === 0 && constants.length > 0) return random.pick(constants)
    if (kind === 1 && numbers.length > 0) return random.pick(numbers)
    if (kind === 2) return [random.pick(scalars), random.pick(scalars)].slice(0, random.int(0, 2))
    if (kind === 3 && names.length > 0) return { [random.pick(names)]: random.pick(scalars) }
    return random.pick(scalars)
  }

  #number(schema: JsonObject, isWhole: boolean): number {
    const random = this.#random
    const { numbers } = this.#words
    const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : 1
    const near = numbers.length > 0 && random.next() < 0.7 ? random.pick(numbers) : random.int(-20, 400)
    const moved = near + random.int(-2, 2)
    if (step !== 1 && random.next() < 0.8) return step * random.int(-3, 30)
    return isWhole || random.next() < 0.7 ? Math.round(moved) : moved + 0.5
  }

  #string(schema: JsonObject): string {
    const random = this.#random
    const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : ''
    const { constants } = this.#words
    if (random.next() < 0.1 && constants.length > 0) return String(random.pick(constants))
    const bounds = [schema['minLength'], schema['maxLength']].filter((bound) => typeof bound === 'number')
    const length = bounds.length > 0 ? Math.max(0, random.pick(bounds) + random.int(-1, 1)) : random.int(0, 6)
    const [, words, least, most] = /^\^\(([a-z|]+)\)\{(\d+),(\d+)\}\$$/.exec(pattern) ?? []
    if (words !== undefined) {
      const times = random.pick([
        Number(least),
        Number(most),
        Number(most) + 1,
        random.int(Number(least), Number(most)),
      ])
      return Array.from({ length: times }, () => random.pick(words.split('|'))).join('')
    }
    const letters = lettersOf(pattern)
    return Array.from({ length: Math.min(length, 3000) }, () => random.pick(letters)).join('')
  }

  #array(schema: JsonObject, depth: number): Json[] {
    const random = this.#random
    const first = Array.isArray(schema['prefixItems'])
      ? schema['prefixItems']
      : Array.isArray(schema['items'])
        ? schema['items']
        : []
    const rest = Array.isArray(schema['items']) ? (schema['additionalItems'] ?? {}) : (schema['items'] ?? {})
    const bounds = [
      schema['minItems'],
      schema['maxItems'],
      schema['minContains'],
      first.length > 0 ? first.length : undefined,
    ].filter((bound) => typeof bound === 'number')
    const length = bounds.length > 0 ? Math.max(0, random.pick(bounds) + random.int(-1, 1)) : random.int(0, 3)
    const contained = schema['contains']
    return Array.from({ length: Math.min(length, 60) }, (_, at) => {
      if (contained !== undefined && random.next() < 0.6) return this.draw(contained, depth + 1)
      return this.draw(first[at] ?? rest, depth + 1)
    })
  }

  #object(schema: JsonObject, depth: number): JsonObject {
    const random = this.#random
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
    const made: Record<string, Json> = {}
    const lost = required.length > 0 && random.next() < 0.08 ? random.pick(required) : null
    for (const name of required) if (name !== lost) made[name] = this.draw(properties[name] ?? {}, depth + 1)
    const isDeep = depth > 2
    for (const [name, part] of Object.entries(properties))
      if (!(name in made) && random.next() < (isDeep ? 0.2 : 0.5)) made[name] = this.draw(part, depth + 1)
    const rest = schema['additionalProperties'] ?? true
    if (rest !== false && random.next() < 0.3) made[this.#name(schema)] = this.draw(rest, depth + 1)
    const least = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0
    for (let at = Object.keys(made).length; at < least; at++) made[`more${at}`] = this.draw(rest, depth + 1)
    return made
  }

  #name(schema: JsonObject): string {
    const random = this.#random
    const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
    if (patterns.length > 0 && random.next() < 0.7)
      return `${random.pick(patterns).replace(/[\^$]/g, '')}${random.int(0, 9)}`
    if (this.#words.names.length > 0 && random.next() < 0.5) return random.pick(this.#words.names)
    return 'n'.repeat(random.int(1, 8))
  }
}

/** Characters that an expression names, with a few that it may not. */
function lettersOf(pattern: string): string[] {
  const ranges = [...pattern.matchAll(/(\w)-(\w)/g)].flatMap(([, from = '', to = '']) =>
    Array.from({ length: Math.min(26, Math.max(0, to.charCodeAt(0) - from.charCodeAt(0) + 1)) }, (_, at) =>
      String.fromCharCode(from.charCodeAt(0) + at),
    ),
  )
  const named = [...pattern.replaceAll(/\\./g, '').matchAll(/[A-Za-z0-9_ -]/g)].map(([letter]) => letter)
  const found = [...ranges, ...named]
  return found.length > 0 ? found : ['a', 'b', 'x', '0', '1', 'é', ' ']
}
