import Ajv2020 from 'ajv/dist/2020.js'
import { createQuerySerializer } from 'openapi-fetch'
import { parseTemplate } from 'url-template'
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import type { Random } from '../mutations.ts'
import { withOperation } from '../changes-of.ts'
import type { Trial } from './trial.ts'

const ajv = new Ajv2020({ strict: false, logger: false })

interface Shape {
  readonly schema: { readonly [key: string]: Json }
  /** Whether the sampled values are all values. */
  readonly finite: boolean
}

interface Parameter {
  readonly in: 'query' | 'path' | 'header'
  readonly style: string
  readonly explode: boolean
  readonly schema: Shape['schema']
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const scalars: readonly Shape[] = [
  { schema: { type: 'integer' }, finite: false },
  { schema: { type: 'integer', minimum: 0, maximum: 3 }, finite: true },
  { schema: { type: 'integer', enum: [1, 2] }, finite: true },
  { schema: { type: 'integer', enum: [1, 5] }, finite: true },
  { schema: { type: 'number' }, finite: false },
  { schema: { type: 'boolean' }, finite: true },
  { schema: { type: 'string' }, finite: false },
  { schema: { type: 'string', enum: ['1', '2'] }, finite: true },
  { schema: { type: 'string', enum: ['a', 'b'] }, finite: true },
  { schema: { type: 'string', enum: ['true', 'false'] }, finite: true },
  { schema: { type: 'string', pattern: '^[0-9]{1,2}$' }, finite: false },
  { schema: { type: 'string', pattern: '^-?[0-9]+$' }, finite: false },
]
const single: readonly Json[] = [
  -1,
  0,
  1,
  2,
  3,
  5,
  12,
  0.5,
  true,
  false,
  'a',
  'b',
  '0',
  '1',
  '2',
  '12',
  'true',
  'false',
  'xyz',
]

const shapeOf = (random: Random): Shape => {
  const item = pick(random, scalars)
  const kind = random()
  if (kind < 0.45) return item
  if (kind < 0.8) {
    const [min, max] = pick(random, [
      [1, 1],
      [1, 2],
      [2, 2],
      [1, undefined],
    ] as const)
    const schema = { type: 'array', items: item.schema, minItems: min, ...(max === undefined ? {} : { maxItems: max }) }
    return { schema, finite: item.finite && max !== undefined }
  }
  const other = pick(random, scalars)
  const properties = { p: item.schema, q: other.schema }
  return {
    schema: { type: 'object', properties, required: ['p'], additionalProperties: false },
    finite: item.finite && other.finite,
  }
}

const styles = {
  query: { array: ['form', 'spaceDelimited', 'pipeDelimited'], object: ['form', 'deepObject'], single: ['form'] },
  path: {
    array: ['simple', 'label', 'matrix'],
    object: ['simple', 'label', 'matrix'],
    single: ['simple', 'label', 'matrix'],
  },
  header: { array: ['simple'], object: ['simple'], single: ['simple'] },
} as const

const parameterOf = (random: Random, where: Parameter['in'], { schema }: Shape): Parameter => {
  const kind = schema.type === 'array' || schema.type === 'object' ? schema.type : 'single'
  const style = pick(random, styles[where][kind])
  // Other combinations are not defined.
  const explode = style === 'deepObject' ? true : style.endsWith('Delimited') ? false : random() < 0.5
  return { in: where, style, explode, schema }
}

const templates = { simple: '', label: '.', matrix: ';' } as const

/** The text of a value, by a serializer that is not ours. */
const textOf = (value: Json, { in: where, style, explode }: Parameter): string => {
  if (where === 'query') {
    const options = { style, explode } as { style: 'form'; explode: boolean }
    return createQuerySerializer<Record<string, unknown>>({ array: options, object: options })({ v: value })
  }
  const operator = templates[style as keyof typeof templates]
  // Booleans are no values of a template; their text is.
  const plain = (it: Json): Json => (typeof it === 'boolean' ? String(it) : it)
  const given = Array.isArray(value)
    ? (value as readonly Json[]).map(plain)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, plain(it)]))
      : plain(value)
  return parseTemplate(`{${operator}v${explode ? '*' : ''}}`).expand({ v: given as string })
}

/** What a text can be read as: the same value by other types, and a list of one. */
const readings = (value: Json): readonly Json[] => {
  if (Array.isArray(value)) {
    const [first, second] = (value as readonly Json[]).map(readings)
    if (first === undefined) return []
    if (second === undefined) return first.flatMap((it) => [[it], it])
    return first.flatMap((a) => second.map((b) => [a, b]))
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, it]) => readings(it).map((read) => [key, read] as const))
    const [first = [], second] = entries
    return first.flatMap((a) =>
      second === undefined ? [Object.fromEntries([a])] : second.map((b) => Object.fromEntries([a, b])),
    )
  }
  const text = String(value)
  const own: Json[] = [text]
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(text)) own.push(Number(text))
  if (text === 'true' || text === 'false') own.push(text === 'true')
  return [...own, ...own.map((it) => [it])]
}

/** How a text begins whose parameter is one text, and what may not be in it. */
const oneText: Readonly<Record<Parameter['style'], RegExp>> = {
  form: /^v=([^&]*)$/,
  simple: /^(.*)$/,
  label: /^\.(.*)$/,
  matrix: /^;v=([^;]*)$/,
}

const separators: Readonly<Record<Parameter['style'], string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** The items of a list as the one text that they are on the wire, separators and all, if a reader of texts reads just that. */
const wholeText = (
  value: readonly Json[],
  text: string,
  from: Parameter,
  { style, schema }: Parameter,
): string | null => {
  const raw = schema.type === 'string' ? oneText[style]?.exec(text)?.[1] : undefined
  const written = value.join(from.style === 'label' && from.explode ? '.' : (separators[from.style] ?? ','))
  return raw !== undefined && decodeURIComponent(raw) === written ? written : null
}

const valuesOf = ({ type, properties }: Shape['schema']): readonly Json[] => {
  if (type === 'array') return [...single.map((it) => [it]), ...single.flatMap((a) => single.map((b) => [a, b]))]
  if (type !== 'object' || !isObject(properties)) return single
  return single.flatMap((p) => [{ p }, ...single.map((q) => ({ p, q }))])
}

const documentOf = (parameter: Parameter): Json => {
  const declared = { name: 'v', required: true, ...parameter }
  if (parameter.in !== 'path') return withOperation({ parameters: [declared] })
  const responses = { '200': { description: 'ok' } }
  return {
    openapi: '3.1.1',
    info: { title: 'A', version: '1' },
    paths: { '/a/{v}': { get: { parameters: [declared], responses } } },
  }
}

/** A required parameter on both sides: every text of the base has to be the text of a value that the head allows. */
export const parameters = (random: Random): Trial => {
  const where = pick(random, ['query', 'path', 'header'] as const)
  const shape = shapeOf(random)
  const base = parameterOf(random, where, shape)
  const head = parameterOf(random, where, random() < 0.5 ? shape : shapeOf(random))
  const [isSent, isRead] = [ajv.compile(base.schema), ajv.compile(head.schema)]
  const known = new Map<string, boolean>()
  const isAllowed = (value: Json): boolean => {
    const key = JSON.stringify(value)
    const allowed = known.get(key) ?? isRead(value)
    known.set(key, allowed)
    return allowed
  }
  const understood = (value: Json, text: string): boolean => {
    if (readings(value).some((it) => isAllowed(it) && textOf(it, head) === text)) return true
    const whole = Array.isArray(value) ? wholeText(value, text, base, head) : null
    return whole !== null && isAllowed(whole)
  }
  const lost = valuesOf(base.schema)
    .filter((value) => isSent(value))
    .find((value) => !understood(value, textOf(value, base)))
  return {
    base: documentOf(base),
    head: documentOf(head),
    lost: lost === undefined ? null : textOf(lost, base),
    exhaustive: shape.finite,
  }
}
