/** Values that follow from schemas, for samples of requests and answers: bounded, and the same each time. */
import { multipartBoundary } from '../../api/reader.ts'
import { isObject, type Json, type JsonObject, listOf, textOrJson } from '../../kernel/json.ts'
import { getPath, parseFragment } from '../../kernel/pointer.ts'

/** Which way a value goes: what is read only is not sent, what is write only not answered. */
export type Direction = 'request' | 'response'

/** Makes a value of a schema; undefined where none follows from it. */
export type Sampler = (schema: Json, direction: Direction) => Json | undefined

const deepest = 8
const mostNodes = 300
const mostOptional = 3
const longestText = 200

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '3f0e8f6a-6a3b-4c7e-9d2e-0b6f3a5c1d42',
  byte: 'dGV4dA==',
}

interface State {
  readonly direction: Direction
  readonly refs: readonly string[]
  readonly depth: number
  readonly budget: { left: number }
}

function givenValue(schema: JsonObject): Json | undefined {
  const [first] = listOf(schema.examples)
  const [choice] = listOf(schema.enum)
  return schema.const ?? schema.example ?? first ?? schema.default ?? choice
}

function numberOf(schema: JsonObject, isInteger: boolean): number {
  const at = (key: string): number | null => {
    const value = schema[key]
    return typeof value === 'number' ? value : null
  }
  const step = at('multipleOf') ?? 1
  const above = at('exclusiveMinimum')
  const below = at('exclusiveMaximum')
  const least = at('minimum') ?? (above === null ? null : above + step)
  const most = at('maximum') ?? (below === null ? null : below - step)
  const value = least ?? (most !== null && most < 1 ? most : 1)
  if (at('multipleOf') !== null) return Math.ceil(value / step) * step
  return isInteger ? Math.ceil(value) : value
}

function textOf(schema: JsonObject): string {
  const known = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (known !== undefined) return known
  const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, longestText) : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : longestText
  return 'string'.padEnd(least, 'x').slice(0, Math.max(most, 0))
}

class Samples {
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  of(schema: Json, state: State): Json | undefined {
    if (!isObject(schema)) return schema === false ? undefined : {}
    if (state.depth > deepest || state.budget.left <= 0) return undefined
    state.budget.left--
    if (typeof schema.$ref === 'string') return this.#named(schema.$ref, schema, state)
    const given = givenValue(schema)
    if (given !== undefined) return given
    const deeper = { ...state, depth: state.depth + 1 }
    for (const key of ['oneOf', 'anyOf'] as const) {
      const branches = listOf(schema[key])
      const branch = branches.find((it) => isObject(it) && it.type !== 'null')
      if (branch === undefined) continue
      const chosen = this.of(branch, deeper)
      if (!isObject(chosen)) return chosen
      return { ...chosen, ...this.#object(schema, deeper) }
    }
    if (listOf(schema.allOf).length > 0) return this.#all(schema, deeper)
    return this.#typed(schema, deeper)
  }

  #named(ref: string, beside: JsonObject, state: State): Json | undefined {
    const given = givenValue(beside)
    if (given !== undefined) return given
    if (state.refs.includes(ref)) return undefined
    const path = ref.startsWith('#') ? parseFragment(ref) : null
    const target = path === null ? undefined : getPath(this.#root, path)
    return target === undefined ? undefined : this.of(target, { ...state, refs: [...state.refs, ref] })
  }

  #all(schema: JsonObject, state: State): Json | undefined {
    const values = listOf(schema.allOf).map((it) => this.of(it, state))
    const objects = values.filter((it) => isObject(it))
    if (objects.length === 0 && schema.properties === undefined)
      return values.find((it) => it !== undefined && it !== null)
    return Object.assign({}, ...objects, this.#object(schema, state)) as JsonObject
  }

  #typed(schema: JsonObject, state: State): Json | undefined {
    const types = (Array.isArray(schema.type) ? listOf(schema.type) : [schema.type]).filter((it) => it !== 'null')
    const [type] = types
    if (type === 'object' || (type === undefined && (isObject(schema.properties) || schema.additionalProperties)))
      return this.#object(schema, state)
    if (type === 'array' || (type === undefined && schema.items !== undefined)) {
      const item = this.of(listOf(schema.prefixItems)[0] ?? schema.items ?? {}, state)
      return item === undefined ? [] : [item]
    }
    if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer')
    if (type === 'boolean') return true
    if (type === 'string') return textOf(schema)
    return Array.isArray(schema.type) ? null : {}
  }

  // What is required, the first others of a request that requires nothing, and everything of an answer near its top.
  #object(schema: JsonObject, state: State): JsonObject {
    const required = new Set(listOf(schema.required))
    const hidden = state.direction === 'request' ? 'readOnly' : 'writeOnly'
    const all = Object.entries(isObject(schema.properties) ? schema.properties : {}).filter(
      ([, it]) => !(isObject(it) && it[hidden] === true),
    )
    const whole = state.direction === 'response' && state.depth <= 2
    const needed = all.filter(([name]) => whole || required.has(name))
    const chosen = needed.length > 0 || state.depth > 2 ? needed : all.slice(0, mostOptional)
    const made: Record<string, Json> = {}
    for (const [name, it] of chosen) {
      const value = this.of(it, state)
      if (value !== undefined) Object.defineProperty(made, name, { value, enumerable: true, configurable: true })
    }
    const others = schema.additionalProperties
    if (all.length === 0 && isObject(others)) {
      const value = this.of(others, state)
      if (value !== undefined) made.name = value
    }
    return made
  }
}

/** A sampler for schemas of a self-contained document. A schema that contains itself is left out where it would repeat. */
export function samplerOf(root: JsonObject): Sampler {
  const samples = new Samples(root)
  return (schema, direction) => samples.of(schema, { direction, refs: [], depth: 0, budget: { left: mostNodes } })
}

const pairsOf = (value: Json, name: string): [string, string][] => {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((it) => pairsOf(it, `${name}[]`))
  if (isObject(value))
    return Object.entries(value).flatMap(([key, it]) => pairsOf(it, name === '' ? key : `${name}[${key}]`))
  return [[name, textOrJson(value)]]
}

/** A value as it is sent in a media type; null where there is no general way to write it. */
export function writeSample(type: string, value: Json | undefined): string | null {
  if (value === undefined) return null
  if (/[/+]json\b/i.test(type)) return JSON.stringify(value, null, 2)
  if (type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams(pairsOf(value, '')).toString()
  if (type.startsWith('multipart/form-data')) {
    const parts = pairsOf(value, '').map(
      ([name, text]) =>
        `--${multipartBoundary}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n\r\n${text}\r\n`,
    )
    return `${parts.join('')}--${multipartBoundary}--\r\n`
  }
  if (typeof value === 'string') return value
  return type.includes('*') ? JSON.stringify(value, null, 2) : null
}
