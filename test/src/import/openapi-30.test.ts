/** OpenAPI 3.0 to 3.1: each step by its cases, and a validator that is not ours agrees before and after. */
import { describe, expect, test } from 'bun:test'
import Ajv04 from 'ajv-draft-04'
import Ajv2020 from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument } from '../../../src/import/importer.ts'
import { renderJsonSchema } from '../../../src/render/render.ts'

const read = (schemas: object, version = '3.0.3') => {
  const document = { openapi: version, info: { title: 'A', version: '1' }, paths: {}, components: { schemas } }
  const { spec } = importDocument(parseDocument(JSON.stringify(document), { source: 'a.json' }), 'openapi')
  return spec ?? expect.unreachable()
}

const cat = { $ref: '#/components/schemas/Cat' }
const nothing = { type: 'null' }

type Case = readonly [says: string, before: object, after: object, codes: string]

const cases: readonly Case[] = [
  ['nullable with a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }, ''],
  ['nullable: false', { type: 'string', nullable: false }, { type: 'string' }, ''],
  [
    'nullable with an enum that has null',
    { type: 'string', nullable: true, enum: ['a', null] },
    { enum: ['a', null], type: ['string', 'null'] },
    '',
  ],
  // OpenAPI 3.0.3: an enum without null refuses it still, and so it does afterwards.
  [
    'nullable with an enum that has no null',
    { type: 'string', nullable: true, enum: ['a'] },
    { enum: ['a'], type: ['string', 'null'] },
    '',
  ],
  [
    'nullable beside allOf of a reference',
    { nullable: true, allOf: [cat] },
    { anyOf: [{ allOf: [cat] }, nothing] },
    'nullable-without-type',
  ],
  [
    'nullable beside anyOf',
    { nullable: true, anyOf: [cat, { type: 'string' }] },
    { anyOf: [cat, { type: 'string' }, nothing] },
    'nullable-without-type',
  ],
  [
    'nullable beside oneOf, with words about it',
    { nullable: true, oneOf: [cat], description: 'd' },
    { description: 'd', anyOf: [{ oneOf: [cat] }, nothing] },
    'nullable-without-type',
  ],
  ['nullable alone: everything was allowed already', { nullable: true, description: 'd' }, { description: 'd' }, ''],
  ['nullable beside a reference: it was ignored', { ...cat, nullable: true }, cat, 'ref-siblings'],
  [
    'an exclusive minimum',
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
    '',
  ],
  [
    'an exclusive maximum',
    { type: 'number', maximum: 1, exclusiveMaximum: true },
    { type: 'number', exclusiveMaximum: 1 },
    '',
  ],
  [
    'bounds that are not exclusive',
    { type: 'number', minimum: 1, exclusiveMinimum: false },
    { type: 'number', minimum: 1 },
    '',
  ],
  ['exclusive of nothing', { type: 'number', exclusiveMinimum: true }, { type: 'number' }, 'bound-missing'],
  ['an example', { type: 'string', example: 'e' }, { type: 'string', examples: ['e'] }, ''],
  [
    'an example that is null',
    { type: 'string', nullable: true, example: null },
    { type: ['string', 'null'], examples: [null] },
    '',
  ],
  ['an example beside a reference', { ...cat, example: 1 }, { ...cat, examples: [1] }, ''],
  [
    'a property called example',
    { type: 'object', properties: { example: { type: 'string' } } },
    { type: 'object', properties: { example: { type: 'string' } } },
    '',
  ],
  ['bytes', { type: 'string', format: 'byte' }, { type: 'string', contentEncoding: 'base64' }, ''],
  [
    'binary',
    { type: 'string', format: 'binary' },
    { type: 'string', contentMediaType: 'application/octet-stream' },
    '',
  ],
  ['any other format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }, ''],
  [
    'a bare name in a mapping',
    { oneOf: [cat], discriminator: { propertyName: 'k', mapping: { c: 'Cat', d: './dog.json' } } },
    { oneOf: [cat], discriminator: { propertyName: 'k', mapping: { c: cat.$ref, d: './dog.json' } } },
    '',
  ],
  ['extensions', { type: 'string', 'x-a': { nullable: true } }, { type: 'string', 'x-a': { nullable: true } }, ''],
]

describe('OpenAPI 3.0 schemas in the words of 3.1', () => {
  for (const [says, before, after, codes] of cases)
    test(says, () => {
      const spec = read({ Cat: { type: 'object' }, It: before })
      expect(spec.problems).toEqual([])
      expect(spec.classes['It'] as unknown).toEqual(after)
      expect(spec.warnings.map(({ code }) => code).join(' ')).toBe(codes)
    })
})

test('in 3.1 "nullable" has no meaning: it is kept where it harms nobody', () => {
  const spec = read({ It: { type: 'string', nullable: true }, Of: { properties: { nullable: true } } }, '3.1.0')
  expect(spec.classes as unknown).toEqual({
    It: { type: 'string', 'x-nullable': true },
    Of: { properties: { nullable: true } },
  })
  expect(spec.warnings.map(({ code, path }) => `${code} ${path.join('/')}`)).toEqual([
    'nullable-ignored components/schemas/It/nullable',
  ])
})

const scalar = fc.constantFrom<unknown[]>('', 'a', 'ab', 'abc', 0, 1, 2, 2.5, -1, true, false, null)
const bound = fc.integer({ min: -1, max: 3 })
const some = (properties: Record<string, fc.Arbitrary<unknown>>) => fc.record(properties, { requiredKeys: [] })
const annotated = { nullable: fc.boolean(), example: scalar, description: fc.constant('d') }
const typed = (type: string, words: Record<string, fc.Arbitrary<unknown>>) =>
  some({ ...words, ...annotated }).map((rest) => ({ type, ...rest }))

const bounded = (words: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.subarray(['minimum', 'maximum']), some(words))
    .chain(([bounds, rest]) =>
      fc
        .tuple(
          ...bounds.map((name) =>
            fc.record(
              { [name]: bound, [`exclusiveM${name.slice(1)}`]: fc.boolean() },
              { requiredKeys: [name as never] },
            ),
          ),
        )
        .map((given): object => Object.assign({}, rest, ...given) as object),
    )

const simple: fc.Arbitrary<object> = fc.oneof(
  typed('string', { minLength: fc.nat(2), maxLength: fc.nat(3), format: fc.constantFrom('byte', 'binary', 'date') }),
  typed('string', { enum: fc.uniqueArray(fc.constantFrom('a', 'ab', null), { minLength: 1 }) }),
  bounded(annotated).map((rest) => ({ type: 'number', ...rest })),
  bounded({ ...annotated, multipleOf: fc.constantFrom(1, 2) }).map((rest) => ({ type: 'integer', ...rest })),
  typed('boolean', {}),
)

/** Schemas of OpenAPI 3.0 with the words that 3.1 says otherwise, and with what holds them. */
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    simple,
    typed('array', { items: tie('schema'), minItems: fc.nat(1), uniqueItems: fc.boolean() }).map((it) => ({
      items: {},
      ...it,
    })),
    typed('object', {
      properties: some({ a: tie('schema'), b: tie('schema') }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
    // What stands beside a reference was ignored, and must not begin to count.
    some({ maxLength: fc.constant(0), enum: fc.constant([7]), description: fc.constant('d') }).map((rest) => ({
      $ref: '#/components/schemas/Other',
      ...rest,
    })),
  ),
}))

const instance = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 2 }),
      fc.record({ a: tie('value'), b: tie('value'), c: tie('value') }, { requiredKeys: [] }),
    ),
  }))
  // As a parser makes them: the generator's own objects have no prototype.
  .value.map((value): unknown => JSON.parse(JSON.stringify(value)))

const options = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const
const before = new Ajv04({ ...options, ignoreKeywordsWithRef: true })
const after = new Ajv2020(options)

test('a validator that is not ours accepts the same instances before and after', () => {
  fc.assert(
    fc.property(schema, simple, fc.array(instance, { minLength: 8, maxLength: 12 }), (entry, other, instances) => {
      const schemas = { It: entry, Other: other }
      const was = before.compile({ $ref: '#/components/schemas/It', components: { schemas } })
      const { $schema: _, ...rendered } = renderJsonSchema(read(schemas)).value ?? {}
      const is = after.compile({ $ref: '#/$defs/It', ...rendered })
      for (const value of instances)
        if (was(value) !== is(value))
          throw new Error(`${JSON.stringify(value)}: ${was(value)} before, ${is(value)} after`)
    }),
    { numRuns: 300 },
  )
})
