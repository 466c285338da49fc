/** Small documents that take long where they are read without care; each has a known verdict. */
import type { Json, JsonObject, MadeCase } from '../case.ts'
import { samples } from './keyword-atoms.ts'
import { Random } from './random.ts'
import type { Narrowing } from './narrowings.ts'

type Levels = (random: Random) => Narrowing

const nested = (levels: number, inner: Json): Json => {
  let made = inner
  for (let at = 0; at < levels; at++) made = { type: 'object', properties: { n: made } }
  return made
}
const nestedValue = (levels: number, inner: Json): Json => {
  let made = inner
  for (let at = 0; at < levels; at++) made = { n: made }
  return made
}
const integers = (maximum: number): JsonObject => ({ type: 'integer', maximum })

const hostile: Readonly<Record<string, Levels>> = {
  'deep-properties': (random) => {
    const most = random.int(5, 50)
    return {
      wide: nested(60, integers(most)) as JsonObject,
      narrow: nested(60, integers(most - 1)) as JsonObject,
      witness: nestedValue(60, most),
      reason: 'Only the limit of the innermost value is wider (validation, maximum).',
    }
  },
  'chain-of-references': (random) => {
    const most = random.int(5, 50)
    const chain = (maximum: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: 150 }, (_, at) => [
          `D${at}`,
          at === 149 ? integers(maximum) : { $ref: `#/$defs/D${at + 1}` },
        ]),
      )
    return {
      wide: { $ref: '#/$defs/D0', $defs: chain(most) },
      narrow: { $ref: '#/$defs/D0', $defs: chain(most - 1) },
      witness: most,
      reason: 'The references lead to one schema, whose limit is wider (core 8.2.3.1, $ref).',
    }
  },
  'wide-enum': (random) => {
    const all = Array.from({ length: 1500 }, (_, at) => `v${at}`)
    const lost = random.int(0, 1499)
    return {
      wide: { enum: all },
      narrow: { enum: all.filter((_, at) => at !== lost) },
      witness: `v${lost}`,
      reason: 'The longer list has one value more (validation 6.1.2, enum).',
    }
  },
  'choices-of-choices': (random) => {
    const most = random.int(5, 50)
    const level = (at: number, maximum: number): Json => ({
      anyOf: [
        { type: 'string', pattern: `^${'ab'[at % 2]}`, maxLength: at + 3 },
        { type: 'integer', maximum: maximum + at },
        { type: 'boolean' },
      ],
    })
    const all = (maximum: number): JsonObject => ({ allOf: Array.from({ length: 14 }, (_, at) => level(at, maximum)) })
    return {
      wide: all(most),
      narrow: all(most - 1),
      witness: most,
      reason: 'Each member allows integers up to its limit, and every limit is wider (core 10.2.1, allOf and anyOf).',
    }
  },
  'mutual-recursion': (random) => {
    const most = random.int(5, 50)
    const count = 24
    const ring = (maximum: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `R${at}`,
          {
            type: 'object',
            properties: {
              next: { $ref: `#/$defs/R${(at + 1) % count}` },
              back: { $ref: `#/$defs/R${(at + 7) % count}` },
              ...(at === count - 1 ? { size: integers(maximum) } : {}),
            },
          },
        ]),
      )
    const witness = Array.from({ length: count - 1 }).reduce<Json>((inner) => ({ next: inner }), { size: most })
    return {
      wide: { $ref: '#/$defs/R0', $defs: ring(most) },
      narrow: { $ref: '#/$defs/R0', $defs: ring(most - 1) },
      witness,
      reason: 'Only the limit in one schema of the ring is wider (validation, maximum).',
    }
  },
  'many-branches': (random) => {
    const kinds = 120
    const lost = random.int(0, kinds - 1)
    const branch = (_: unknown, at: number): Json => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: `k${at}` }, [`p${at}`]: { type: 'string' } },
    })
    const all = Array.from({ length: kinds }, branch)
    return {
      wide: { oneOf: all },
      narrow: { oneOf: all.filter((_, at) => at !== lost) },
      witness: { kind: `k${lost}` },
      reason: 'The kinds exclude each other, so one more branch adds values (core 10.2.1.3, oneOf).',
    }
  },
  'long-pattern': (random) => {
    const times = random.int(150, 250)
    const text = (most: number): JsonObject => ({ type: 'string', pattern: `^(ab|cd|ef){1,${most}}$` })
    return {
      wide: text(times),
      narrow: text(times - 1),
      witness: 'cd'.repeat(times),
      reason: 'One repetition more is allowed (validation 6.3.3, pattern).',
    }
  },
  'pattern-that-backtracks': (random) => {
    const last = random.pick(['b', 'c', 'd'])
    return {
      wide: { type: 'string', pattern: `^(a+)+[b${last}e]$` },
      narrow: { type: 'string', pattern: '^(a+)+[e]$' },
      witness: `aa${last}`,
      reason: 'The last letter may be one of more (validation 6.3.3, pattern).',
    }
  },
  'many-required': (random) => {
    const names = Array.from({ length: 400 }, (_, at) => `p${at}`)
    const lost = random.pick(names)
    return {
      wide: { type: 'object', required: names.filter((name) => name !== lost) },
      narrow: { type: 'object', required: names },
      witness: Object.fromEntries(names.filter((name) => name !== lost).map((name) => [name, 1])),
      reason: 'One property less is asked for (validation 6.5.3, required).',
    }
  },
  'overlapping-names': (random) => {
    const most = random.int(5, 50)
    const patterns = (maximum: number): JsonObject => ({
      type: 'object',
      patternProperties: Object.fromEntries(
        Array.from({ length: 26 }, (_, at) => [String.fromCharCode(97 + at), integers(maximum + at)]),
      ),
    })
    return {
      wide: patterns(most),
      narrow: patterns(most - 1),
      witness: { a: most },
      reason: 'Each of the schemas that hold for a name has a wider limit (core 10.3.2.2, patternProperties).',
    }
  },
  'refusals-of-refusals': (random) => {
    const most = random.int(5, 50)
    const wrapped = (maximum: number): JsonObject =>
      Array.from({ length: 80 }).reduce<JsonObject>((inner) => ({ not: inner }), integers(maximum))
    return {
      wide: wrapped(most),
      narrow: wrapped(most - 1),
      witness: most,
      reason: 'An even number of refusals is the schema itself, whose limit is wider (core 10.2.1.4, not).',
    }
  },
  'long-limits': () => ({
    wide: { type: 'string', maxLength: 1_000_000_000 },
    narrow: { type: 'string', minLength: 1, maxLength: 1_000_000_000 },
    witness: '',
    reason: 'The empty text is allowed besides (validation 6.3.2, minLength).',
  }),
  'large-multiples': (random) => {
    const step = random.pick([999_983, 999_979, 999_961])
    return {
      wide: { type: 'integer', multipleOf: step },
      narrow: { type: 'integer', multipleOf: step * 999_983 },
      witness: step,
      reason: 'A multiple of the product is a multiple of its factor (validation 6.2.1, multipleOf).',
    }
  },
  'unevaluated-branches': (random) => {
    const count = 20
    const [extra = ''] = random.names(1)
    const anyOf = Array.from({ length: count }, (_, at) => ({
      required: [`p${at}`],
      properties: { [`p${at}`]: { type: 'integer' } },
    }))
    return {
      wide: { type: 'object', anyOf, properties: { [extra]: true }, unevaluatedProperties: false },
      narrow: { type: 'object', anyOf, unevaluatedProperties: false },
      witness: { p0: 1, [extra]: 1 },
      reason: 'One more property is evaluated and so allowed (core 11.3, unevaluatedProperties).',
    }
  },
}

/** The cases of the track: each pair in both orders. */
export function hostileCases(seed: string): MadeCase[] {
  return Object.entries(hostile).flatMap(([name, make]) => {
    const { wide, narrow, witness, reason } = make(new Random(`${seed}/hostile/${name}`))
    const document = (schema: Json): JsonObject => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...(schema as JsonObject),
    })
    const common = { track: 'hostile', direction: 'schema', source: `generator, ${name}, seed ${seed}` } as const
    return [
      {
        ...common,
        id: `${name}-narrowed`,
        verdict: 'breaking',
        certificate: { accepts: 'base', refuses: 'head', value: witness },
        base: document(wide),
        head: document(narrow),
      },
      {
        ...common,
        id: `${name}-widened`,
        verdict: 'safe',
        certificate: { reason, samples },
        base: document(narrow),
        head: document(wide),
      },
    ] satisfies MadeCase[]
  })
}
