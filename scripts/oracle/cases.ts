/** Rulesets and documents that fast-check invents, of what the language offers. */
import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/kernel/json.ts'

export interface OracleCase {
  readonly ruleset: JsonObject
  readonly document: Json
  readonly style: 'json' | 'indented' | 'yaml'
}

const keys = [
  'a',
  'b',
  'name',
  'x-y',
  'get',
  '200',
  '1',
  'x/y',
  'a b',
  'in',
  'type',
  'enum',
  'é',
  '$ref',
  'A_b',
  'length',
]
const texts = [
  '',
  'a',
  'abc',
  'Abc',
  'fooBar',
  'foo-bar',
  'foo_bar',
  'FOO',
  '10',
  '/x/y',
  'true',
  'a b',
  'x: y',
  '- z',
  'ü',
  '#/a',
  'null',
]
const references = ['#/a', '#/b', '#/name', '#/nope']

const leaf: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  fc.constantFrom(0, 1, 2, 10, -1, 1.5),
  fc.boolean(),
  fc.constant(null),
)
const key = fc.constantFrom(...keys.filter((it) => it !== '$ref'))

const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.constantFrom('#/a', '#/b', '#/name').map((it) => ({ $ref: it })),
    fc.constantFrom('#/a', '#/b', '#/name').map((it) => ({ $ref: it, name: 'own', 'x-y': 1 })),
  ),
}))

const holder = fc.dictionary(key, anyValue, { maxKeys: 3, noNullPrototype: true })
const root: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(holder, holder, holder, holder).map(([rest, a, b, name]) => ({ get: rest, a, b, name })),
  },
  { weight: 12, arbitrary: fc.dictionary(key, anyValue, { minKeys: 2, maxKeys: 6, noNullPrototype: true }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          { openapi: '3.0.0' },
          { openapi: '3.1.0' },
          { swagger: '2.0' },
          { arazzo: '1.0.0' },
          { openapi: '3.2.0' },
        ),
        fc.dictionary(key, anyValue, { maxKeys: 4, noNullPrototype: true }),
      )
      .map(([head, rest]) => ({ ...head, ...rest })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...references).map((it) => ({ x: { $ref: it } })) },
  { weight: 2, arbitrary: fc.array(leaf, { maxLength: 4 }) },
)

const filters = [
  '?(@)',
  '?(@.a)',
  "?(@.name == 'abc')",
  "?(@property === 'a')",
  "?(@property !== 'b')",
  '?(@.length > 1)',
  "?(@ == 'a')",
  "?(@.type === 'a' && @.in)",
  '?(!@.a)',
  "?(@parentProperty == 'a')",
  '?(@.a == null)',
  '?(@.a != null)',
  '?(@property.match(/^[a-b]$/))',
  '?(@property.match(/^x-/))',
  '?(@.enum || @.type)',
  '?(@.length == 2)',
  '?(@ === 1)',
  '?(@ > 1)',
  '?(@.name && @.name.length > 2)',
  "?(@path == \"$['a']['b']\")",
  '?(@.a === void 0)',
  '?(@ && @.b === undefined)',
  "?(@.b.constructor.name === 'Array')",
  '?(@parent.a)',
  '?(@root.a)',
  "?(['a','b'].includes(@property))",
  "?(['a','b'].indexOf(@property) > -1)",
  '?(@number())',
  '?(@string())',
  "?(@property == 'get' || @property == 'in')",
  '?(@.name.match(/b/i))',
  "?(@['x-y'])",
  '?(@.a.b)',
  "?(@.enum[0] == 'a')",
]
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('.a', '.b', '.name', '.get', '.in') },
  {
    weight: 2,
    arbitrary: fc.constantFrom("['x/y']", "['x-y']", "['200']", '[0]', '[1]', "['a','b']", '[a,b]', '[0,1]', '["a b"]'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('.*', '[*]', '..*', '..a', '..b', "..['x-y']", '..[a,b]', '..name', '..[*]'),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('', '..', '.'), fc.constantFrom(...filters))
      .map(([dots, it]) => `${dots}[${it}]`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[1:]', '[:1]', '[-1:]', '[0:2]', '[::2]', '[(@.length-1)]', '.length', '^'),
  },
)
export const path: fc.Arbitrary<string> = fc
  .tuple(fc.array(step, { maxLength: 3 }), fc.constantFrom('', '', '', '', '~', '^'))
  .map(([steps, tail]) => `$${steps.join('')}${tail}`)

const plainPath = fc.array(step, { maxLength: 3 }).map((steps) => `$${steps.join('')}`)

const pattern = fc.constantFrom('^a', 'b$', '^[a-z]+$', '/^A/i', '^$', '\\d', '[A-Z]', '/foo/')
const smallSchema: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject[]>(
  { type: 'string' },
  { type: 'object' },
  { type: ['string', 'number'] },
  { enum: ['a', 'abc', 1] },
  { minLength: 2 },
  { type: 'object', required: ['a'] },
  { type: 'object', required: ['a', 'name'], properties: { a: { type: 'string' }, name: { enum: ['abc', 'Abc'] } } },
  { type: 'object', additionalProperties: false, properties: { a: {}, b: { type: 'number' } } },
  { type: 'array', items: { type: 'string' } },
  { anyOf: [{ type: 'string' }, { type: 'object', required: ['b'] }] },
  { oneOf: [{ type: 'string' }, { enum: ['a'] }, { type: 'number' }] },
  { not: { type: 'string' } },
  { const: 'a' },
  { pattern: '^a' },
  { minimum: 1, maximum: 5 },
  { uniqueItems: true, maxItems: 2 },
  { minProperties: 2 },
  { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
  { propertyNames: { pattern: '^[a-z]' } },
  { if: { type: 'string' }, then: { minLength: 3 }, else: { type: 'object' } },
  { contains: { type: 'string' } },
  { multipleOf: 2 },
  { format: 'email' },
  { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'integer' } }, required: ['name'] } } },
  { dependencies: { a: ['b'] } },
  { allOf: [{ type: 'object' }, { required: ['name'] }] },
  { definitions: { x: { type: 'string' } }, properties: { a: { $ref: '#/definitions/x' } } },
  { $schema: 'http://json-schema.org/draft-04/schema#', type: 'number', minimum: 1, exclusiveMinimum: true },
  { type: 'null' },
  { type: 'boolean' },
)
const call: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject[]>(
    { function: 'truthy' },
    { function: 'falsy' },
    { function: 'defined' },
    { function: 'undefined' },
    { function: 'alphabetical' },
    { function: 'alphabetical', functionOptions: { keyedBy: 'name' } },
  ),
  pattern.map((match) => ({ function: 'pattern', functionOptions: { match } })),
  fc
    .tuple(pattern, pattern)
    .map(([match, notMatch]) => ({ function: 'pattern', functionOptions: { match, notMatch } })),
  fc
    .constantFrom('flat', 'camel', 'pascal', 'kebab', 'cobol', 'snake', 'macro')
    .map((type) => ({ function: 'casing', functionOptions: { type } })),
  fc.constantFrom('-', '/', '.').map((char) => ({
    function: 'casing',
    functionOptions: { type: 'kebab', disallowDigits: true, separator: { char, allowLeading: true } },
  })),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([min, max]) => ({ function: 'length', functionOptions: { min, max } })),
  fc
    .subarray(['a', 'abc', 1, true, null, 'x'], { minLength: 1 })
    .map((values) => ({ function: 'enumeration', functionOptions: { values } })),
  fc
    .tuple(fc.constantFrom('xor', 'or'), fc.subarray(['a', 'b', 'name', 'in', 'get'], { minLength: 2 }))
    .map(([name, properties]) => ({ function: name, functionOptions: { properties } })),
  fc
    .tuple(smallSchema, fc.boolean())
    .map(([schema, allErrors]) => ({ function: 'schema', functionOptions: { schema, allErrors } })),
  fc
    .constantFrom('#/a', '#/b', '#/name')
    .map((it) => ({ function: 'unreferencedReusableObject', functionOptions: { reusableObjectsLocation: it } })),
)
const field = fc.constantFrom(
  'a',
  'b',
  '@key',
  'a.b',
  'a[0]',
  '0',
  '$.a',
  '$..a',
  '$[*]',
  '$.a^',
  'name',
  'length',
  "['x-y']",
  'x-y',
  '$[?(@.a)]',
  '$.*~',
  'a b',
  'x/y',
)
const then: fc.Arbitrary<JsonObject> = fc
  .tuple(call, fc.option(field, { freq: 2, nil: undefined }))
  .map(([it, own]) => (own === undefined ? it : { ...it, field: own }))

const message = fc.constantFrom(
  '{{error}}',
  '{{property}}: {{error}}',
  '{{path}} {{value}}',
  '{{description}} - {{error}}',
  '#{{print("property")}}is bad',
  '#{{print("value")}}',
  ' {{nothing}} ',
  '#{{property.toUpperCase()}}',
  '#{{print("property") + "!"}}',
  'plain',
  '{{ error }}',
  '#{{error}}',
  "#{{print('path')}}",
)
const severity = fc.constantFrom<(string | number)[]>('error', 'warn', 'info', 'hint', 0, 1, 2, 3)
const formats = fc.subarray(['oas2', 'oas3', 'oas3_0', 'oas3_1', 'arazzo1_0', 'json-schema'], {
  minLength: 1,
  maxLength: 2,
})
const maybe = <T>(it: fc.Arbitrary<T>, freq = 3) => fc.option(it, { nil: undefined, freq: freq - 1 })
const cleaned = (it: object): JsonObject =>
  Object.fromEntries<Json>(Object.entries(it).filter(([, value]) => value !== undefined))

const given = fc.oneof(
  { weight: 6, arbitrary: path },
  fc.constantFrom('#Plain', '#Plain.a', '#Nested', '#Scoped', '#Plain[*]'),
)
const rule: fc.Arbitrary<JsonObject> = fc
  .record({
    description: maybe(fc.constantFrom('Says it', 'Says "{{error}}"'), 2),
    message: fc.option(message, { nil: undefined, freq: 1 }),
    severity: maybe(severity),
    given: fc.oneof({ weight: 3, arbitrary: given }, fc.uniqueArray(given, { minLength: 1, maxLength: 3 })),
    then: fc.oneof({ weight: 3, arbitrary: then }, fc.array(then, { minLength: 1, maxLength: 3 })),
    resolved: maybe(fc.boolean(), 2),
    formats: fc.option(formats, { nil: undefined, freq: 6 }),
    recommended: fc.option(fc.boolean(), { nil: undefined, freq: 6 }),
    documentationUrl: fc.option(fc.constant('https://example.com/r'), { nil: undefined, freq: 6 }),
  })
  .map((it) => cleaned(it))

const overrides = fc.array(
  fc.record({
    files: fc.subarray(
      ['*.yaml', 'api/**', '**/doc.yaml', '*.json', 'api/doc.yaml#/a', '**#/b', '*.yaml#/a/b', 'other.yaml'],
      { minLength: 1, maxLength: 1 },
    ),
    rules: fc.dictionary(fc.constantFrom('r0', 'r1'), fc.constantFrom<string[]>('error', 'off', 'hint', 'warn'), {
      minKeys: 1,
      noNullPrototype: true,
    }),
  }),
  { minLength: 1, maxLength: 3 },
)
export const oracleCase: fc.Arbitrary<OracleCase> = fc.record({
  ruleset: fc
    .record({
      formats: fc.option(formats, { nil: undefined, freq: 6 }),
      documentationUrl: fc.option(fc.constant('https://example.com/d'), { nil: undefined, freq: 6 }),
      rules: fc
        .array(rule, { minLength: 2, maxLength: 4 })
        .map((all) => Object.fromEntries(all.map((it, at) => [`r${at}`, it]))),
      aliases: fc.tuple(plainPath, plainPath, plainPath, plainPath).map(([a, b, c, d]) => ({
        Plain: [a, b],
        Nested: ['#Plain.b', c],
        Scoped: {
          targets: [
            { formats: ['oas2', 'oas3_0'], given: [d] },
            { formats: ['oas3_1'], given: ['#Plain'] },
          ],
        },
      })),
      overrides: fc.option(overrides, { nil: undefined, freq: 4 }),
    })
    .map((it) => cleaned(it)),
  document: root,
  style: fc.constantFrom('json', 'indented', 'yaml'),
})
