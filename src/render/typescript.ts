/** Types in TypeScript of parts of a description, as short as they can be, within a number of bytes. */
import { isObject, type Json, type JsonObject, listOf } from '../kernel/json.ts'
import { getPath, parseFragment } from '../kernel/pointer.ts'

const deepest = 6

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)
const keyText = (key: string): string => (isName(key) ? key : JSON.stringify(key))

// What a schema is called, as a name of TypeScript.
const nameOf = (ref: string): string => {
  const last = parseFragment(ref)?.at(-1) ?? 'Type'
  const name = last.replaceAll(/[^\w$]+(\w?)/g, (_, next: string) => next.toUpperCase())
  return /^[A-Za-z_$]/.test(name) ? name : `T${name}`
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const union = (parts: readonly string[]): string => {
  const each = [...new Set(parts)]
  return each.includes('unknown') ? 'unknown' : each.join(' | ')
}
const inParentheses = (type: string): string => (/[|&]/.test(type) && !/^[{(]/.test(type) ? `(${type})` : type)

/** Writes schemas of OpenAPI 3.1 and JSON Schema as types; named schemas become types of their own. */
export class TypeWriter {
  readonly #root: JsonObject
  /** The names of named schemas, in the order in which they were met. */
  readonly #names = new Map<string, string>()

  /** @param root the document that references lead into */
  constructor(root: JsonObject) {
    this.#root = root
  }

  /** The type of a schema. */
  typeOf(schema: Json | undefined, depth = 0): string {
    if (schema === undefined || schema === true) return 'unknown'
    if (schema === false) return 'never'
    if (!isObject(schema) || depth > deepest) return 'unknown'
    if (typeof schema.$ref === 'string') return this.#named(schema.$ref)
    if (schema.const !== undefined) return literal(schema.const)
    const choices = listOf(schema.enum)
    if (choices.length > 0) return union(choices.map(literal))
    const parts = [
      ...listOf(schema.allOf).map((it) => inParentheses(this.typeOf(it, depth + 1))),
      ...(['oneOf', 'anyOf'] as const)
        .map((key) => listOf(schema[key]))
        .filter((it) => it.length > 0)
        .map((some) => inParentheses(union(some.map((it) => this.typeOf(it, depth + 1))))),
    ]
    const own = this.#own(schema, depth)
    const all = [...(own === 'unknown' ? [] : [own]), ...parts].filter((it) => it !== 'unknown')
    return [...new Set(all)].join(' & ') || 'unknown'
  }

  #own(schema: JsonObject, depth: number): string {
    const written = Array.isArray(schema.type) ? (schema.type as readonly Json[]).map(String) : [schema.type]
    const types = written.filter((it) => typeof it === 'string')
    if (types.length === 0 && isObject(schema.properties)) return this.#object(schema, depth)
    if (types.length === 0) return schema.items === undefined ? 'unknown' : this.#list(schema, depth)
    return union(
      types.map((it) => {
        if (it === 'object') return this.#object(schema, depth)
        return it === 'array' ? this.#list(schema, depth) : (scalars[it] ?? 'unknown')
      }),
    )
  }

  #list(schema: JsonObject, depth: number): string {
    return `${inParentheses(this.typeOf(schema.items, depth + 1))}[]`
  }

  #object(schema: JsonObject, depth: number): string {
    const required = new Set(listOf(schema.required))
    const members = Object.entries(isObject(schema.properties) ? schema.properties : {}).map(
      ([key, it]) => `${keyText(key)}${required.has(key) ? '' : '?'}: ${this.typeOf(it, depth + 1)}`,
    )
    const { additionalProperties: more } = schema
    if (isObject(more))
      members.push(`[key: string]: ${members.length === 0 ? this.typeOf(more, depth + 1) : 'unknown'}`)
    return members.length === 0 ? 'Record<string, unknown>' : `{ ${members.join('; ')} }`
  }

  #named(ref: string): string {
    const known = this.#names.get(ref)
    if (known !== undefined) return known
    const wanted = nameOf(ref)
    const taken = new Set(this.#names.values())
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`
    this.#names.set(ref, name)
    return name
  }

  /**
   * The declarations of `types` and of the named schemas that they use, the nearest first, in at most so many bytes. Named
   * schemas for which there is no room are `unknown`.
   * @returns the text, and the names that were left out
   */
  declare(types: readonly string[], mostBytes: number): { readonly text: string; readonly omitted: readonly string[] } {
    const size = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).byteLength
    const lines = [...types]
    const omitted: string[] = []
    let used = lines.reduce((sum, it) => sum + size(it), 0)
    // Writing one meets others, which are behind it in the map.
    for (const [ref, name] of this.#names) {
      const path = ref.startsWith('#') ? parseFragment(ref) : null
      const line = `type ${name} = ${this.typeOf(path === null ? undefined : getPath(this.#root, path))}`
      const left = this.#names.size - lines.length + types.length
      // Each name that is met has to be declared somehow.
      const reserve = left * 28
      if (used + size(line) + reserve > mostBytes) omitted.push(name)
      else {
        lines.push(line)
        used += size(line)
      }
    }
    return { text: `${[...lines, ...omitted.map((it) => `type ${it} = unknown`)].join('\n')}\n`, omitted }
  }
}

const literal = (value: Json): string =>
  value !== null && typeof value === 'object' ? 'unknown' : JSON.stringify(value)
