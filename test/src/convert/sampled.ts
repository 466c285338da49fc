/** Random schemas and values, by which an independent validator judges conversions. */
import Ajv from 'ajv'
import Ajv2019 from 'ajv/dist/2019.js'
import Ajv2020 from 'ajv/dist/2020.js'
import Ajv04 from 'ajv-draft-04'
import { convertDocument, type Target } from '../../../src/convert/convert.ts'
import { isLoss } from '../../../src/convert/losses.ts'
import { isObject, type Json, type JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { diff } from '../../../src/diff/diff.ts'
import { Generator } from '../schema/generate.ts'

const lax = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  addUsedSchema: false,
} as const

/** What judges a schema of each version; OpenAPI 3.0 is draft 4 with "nullable", which ajv knows. */
const judges = {
  '2020-12': () => new Ajv2020(lax),
  '2019-09': () => new Ajv2019(lax),
  'draft-07': () => new Ajv(lax),
  '3.0': () => new Ajv04(lax),
} as const

/** A random generator that gives the same numbers for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A conversion that changed what is valid without saying so. */
export interface Unsound {
  readonly schema: Json
  readonly made: Json
  readonly value: Json
  readonly before: boolean
}

export interface Sampled {
  readonly unsound: Unsound | null
  /** Conversions without a loss, of which some refuse and some accept values. */
  readonly lossless: number
  readonly lossy: number
  readonly valid: number
  readonly invalid: number
}

// ajv 8 judges wrongly what is evaluated beside these.
const isConfusing = (schema: Json): boolean => /unevaluated|\$dynamic|\$id|\$anchor/.test(JSON.stringify(schema))

const read = (value: Json) => parseDocument(JSON.stringify(value), { source: 'a.json' })

// References of a component begin at the document; definitions go where the validator finds them.
const api = (schema: JsonObject): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: {},
  components: { schemas: { Schema: schema } },
})

const withPrefix = (value: Json, from: string, to: string): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(`"$ref":"${from}`, `"$ref":"${to}`)) as Json

/** A converted schema as its validator takes it: its root refers to the component. */
function toJudge(schema: JsonObject, target: Target): { readonly made: JsonObject; readonly losses: number } {
  const isApi = target.startsWith('openapi')
  const placed = isApi
    ? api(withPrefix(schema, '#', '#/components/schemas/Schema') as JsonObject)
    : { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }
  const document = read(placed)
  const { value, notes } = convertDocument(
    { ...document, format: document.format ?? { kind: 'json-schema', version: '2020-12' } },
    target,
  )
  const losses = notes.filter(({ code }) => isLoss(code)).length
  return {
    made: isApi ? { allOf: [{ $ref: '#/components/schemas/Schema' }], components: value.components as Json } : value,
    losses,
  }
}

/** Converts random schemas and compares which of random values are valid before and after. */
export function sample(target: Target, judge: keyof typeof judges, seed: number, count: number): Sampled {
  const generator = new Generator(seeded(seed))
  let [lossless, lossy, valid, invalid] = [0, 0, 0, 0]
  for (let made = 0; made < count;) {
    const [schema] = generator.pair()
    if (!isObject(schema) || isConfusing(schema)) continue
    made++
    const converted = toJudge(schema, target)
    if (converted.losses > 0) {
      lossy++
      continue
    }
    lossless++
    try {
      const [isBefore, isAfter] = [judges['2020-12']().compile(schema), judges[judge]().compile(converted.made)]
      for (let at = 0; at < 20; at++) {
        const value = at % 2 === 0 ? generator.value() : generator.near(schema, schema)
        const before = isBefore(value)
        if (before) valid++
        else invalid++
        if (isAfter(value) !== before)
          return { unsound: { schema, made: converted.made, value, before }, lossless, lossy, valid, invalid }
      }
    } catch (thrown) {
      // A reference without end.
      if (!(thrown instanceof RangeError)) throw thrown
    }
  }
  return { unsound: null, lossless, lossy, valid, invalid }
}

/** Converts random schemas of OpenAPI 3.1 to 3.0 and back: those that a comparison finds breaking, although nothing was lost. */
export function changedThereAndBack(seed: number, count: number): Json[] {
  const generator = new Generator(seeded(seed))
  const changed: Json[] = []
  for (let made = 0; made < count;) {
    const [schema] = generator.pair()
    if (!isObject(schema) || isConfusing(schema)) continue
    made++
    const used = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Schema' } } } }
    const placed = api(withPrefix(schema, '#', '#/components/schemas/Schema') as JsonObject)
    const document = read({
      ...placed,
      paths: { '/': { post: { requestBody: used, responses: { 200: { description: '', ...used } } } } },
    })
    const there = convertDocument(document, 'openapi-3.0')
    if (there.notes.length > 0) continue
    const back = convertDocument(read(there.value), 'openapi-3.1')
    if (back.notes.length === 0 && diff(document, read(back.value)).verdict === 'breaking') changed.push(schema)
  }
  return changed
}
