/**
 * Longer than 400 lines: tables. Pairs that a comparison by the text of schemas gets wrong, in both directions: B breaks, N does not, U is undecided, 0 is no
 * change at all. Each says why, by an instance or by the specification.
 */
import { describe, expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { isObject } from '../../../src/kernel/json.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

type Fields = { readonly [key: string]: Json }
type Answer = 'B' | 'N' | 'U' | '0'
type Case = readonly [name: string, base: Json | string, head: Json | string, answer: Answer]

const ok: Fields = { description: 'ok' }
const text: Json = { type: 'string' }
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Fields, ...required: string[]): Fields => ({ type: 'object', properties, required })

const api = (operation: Fields, schemas: Fields, openapi: string): Fields => ({
  openapi,
  info: { title: 'T', version: '1' },
  paths: { '/a': { post: { responses: { '200': ok }, ...operation } } },
  components: { schemas },
})
const body = (schema: Json): Fields => ({ content: { 'application/json': { schema } } })
const request = (schema: Json, schemas: Fields = {}, openapi = '3.1.0'): Json =>
  api({ requestBody: { required: true, ...body(schema) } }, schemas, openapi)
const response = (schema: Json, schemas: Fields = {}, openapi = '3.1.0'): Json =>
  api({ responses: { '200': { ...ok, ...body(schema) } } }, schemas, openapi)
const callback = (schema: Json, openapi = '3.0.3'): Json =>
  api(
    {
      callbacks: { on: { '{$request.body#/url}': { post: { requestBody: body(schema), responses: { '200': ok } } } } },
    },
    {},
    openapi,
  )
const parameter = (fields: Fields): Json => api({ parameters: [{ name: 'q', in: 'query', ...fields }] }, {}, '3.1.0')
const header = (fields: Fields): Json =>
  api({ responses: { '200': { ...ok, headers: { 'X-A': fields } } } }, {}, '3.1.0')
const both = (name: string, base: Json, head: Json, asked: Answer, answered: Answer, schemas?: Fields): Case[] => [
  [`request: ${name}`, request(base, schemas), request(head, schemas), asked],
  [`response: ${name}`, response(base, schemas), response(head, schemas), answered],
]

const parse = (value: Json | string) =>
  typeof value === 'string'
    ? parseDocument(value, { source: value.startsWith('{') ? 'a.json' : 'a.yaml' })
    : parseDocument(JSON.stringify(value), { source: 'a.json' })

const answerTo = (base: Json | string, head: Json | string): Answer => {
  const { changes, maxSeverity, verdict } = diff(parse(base), parse(head))
  if (changes.length === 0) return '0'
  return maxSeverity !== 'breaking' ? 'N' : verdict === 'unknown' ? 'U' : 'B'
}

const check = (title: string, cases: readonly Case[]): void => {
  describe(title, () => {
    for (const [name, base, head, answer] of cases)
      test(name, () => {
        const found = answerTo(base, head)
        // A safe difference need not be told.
        expect(answer === 'N' && found === '0' ? 'N' : found).toBe(answer)
      })
  })
}

const pattern = (source: string): Fields => ({ type: 'string', pattern: source })
check('schemas of several parts', [
  // "ab" fits both patterns of the base and no longer the second one.
  ...both(
    'the second of two patterns changed',
    { allOf: [pattern('^a'), pattern('b$')] },
    { allOf: [pattern('^a'), pattern('c$')] },
    'B',
    'B',
  ),
  ...both(
    'two patterns in another order',
    { allOf: [pattern('^a'), pattern('b$')] },
    { allOf: [pattern('b$'), pattern('^a')] },
    '0',
    '0',
  ),
  // {"b": 1} is what the closed part of the base lists and the one of the head does not.
  ...both(
    'a property moved from the closed part to the open one',
    { allOf: [{ ...object({ a: text, b: true }), additionalProperties: false }, object({})] },
    { allOf: [{ ...object({ a: text }), additionalProperties: false }, object({ b: true })] },
    'B',
    'N',
  ),
  ...both(
    'a property moved between open parts',
    { allOf: [object({ a: text, b: text }), object({ c: text })] },
    { allOf: [object({ a: text }), object({ b: text, c: text })] },
    '0',
    '0',
  ),
  // 4 is a multiple of 2, and of 4.
  ...both(
    'the second of two steps',
    { allOf: [{ type: 'integer', multipleOf: 2 }, { multipleOf: 3 }] },
    { allOf: [{ type: 'integer', multipleOf: 2 }, { multipleOf: 6 }] },
    'N',
    'N',
  ),
  ...both(
    'the second of two enumerations',
    { allOf: [{ enum: ['a', 'b'] }, { enum: ['a', 'b', 'c'] }] },
    { allOf: [{ enum: ['a', 'b'] }, { enum: ['a'] }] },
    'B',
    'N',
  ),
  ...both(
    'the second of two constants',
    { allOf: [{ enum: [1, 2] }, { const: 1 }] },
    { allOf: [{ enum: [1, 2] }, { const: 2 }] },
    'B',
    'B',
  ),
  ...both(
    'a pattern beside a reference',
    { $ref: '#/components/schemas/A', pattern: 'b$' },
    { $ref: '#/components/schemas/A', pattern: 'c$' },
    'B',
    'B',
    { A: pattern('^a') },
  ),
  // In 3.0 "exclusiveMaximum" belongs to the bound beside it: 5 is refused by the base alone.
  [
    'a boolean bound belongs to its own part',
    request({ allOf: [{ type: 'integer', maximum: 5, exclusiveMaximum: true }, { maximum: 6 }] }, {}, '3.0.3'),
    request({ allOf: [{ type: 'integer', maximum: 6, exclusiveMaximum: true }, { maximum: 5 }] }, {}, '3.0.3'),
    'N',
  ],
  [
    'and narrows there',
    request({ allOf: [{ type: 'integer', maximum: 6, exclusiveMaximum: true }, { maximum: 5 }] }, {}, '3.0.3'),
    request({ allOf: [{ type: 'integer', maximum: 5, exclusiveMaximum: true }, { maximum: 6 }] }, {}, '3.0.3'),
    'B',
  ],
  ...both(
    'uniqueItems in the second part',
    { allOf: [{ type: 'array' }, { uniqueItems: true }] },
    { allOf: [{ type: 'array', uniqueItems: true }, {}] },
    '0',
    '0',
  ),
])

check('parts within wholes', [
  // An object of one of {a} with at least one property has a.
  ...both(
    'required is implied by minProperties',
    { ...object({ a: text }), minProperties: 1, additionalProperties: false },
    { ...object({ a: text }, 'a'), minProperties: 1, additionalProperties: false },
    'N',
    'N',
  ),
  ...both(
    'required is not implied where there are others',
    { ...object({ a: text, b: text }), minProperties: 1, additionalProperties: false },
    { ...object({ a: text, b: text }, 'a'), minProperties: 1, additionalProperties: false },
    'B',
    'N',
  ),
  ...both(
    'required is implied by a dependency',
    { ...object({ a: text, b: text }, 'b'), dependentRequired: { b: ['a'] } },
    { ...object({ a: text, b: text }, 'a', 'b'), dependentRequired: { b: ['a'] } },
    'N',
    'N',
  ),
  ...both(
    'required is implied by each branch',
    { ...object({ a: text }), anyOf: [{ required: ['a'] }, { required: ['a', 'b'] }] },
    { ...object({ a: text }, 'a'), anyOf: [{ required: ['a'] }, { required: ['a', 'b'] }] },
    'N',
    'N',
  ),
  ...both(
    'required of a list',
    { type: 'array', items: text },
    { type: 'array', items: text, required: ['a'] },
    'N',
    'N',
  ),
  // Whatever the first branch refuses, the second one accepts.
  ...both(
    'a branch narrowed beside one that is open',
    { anyOf: [object({ a: text }), { type: 'object' }] },
    { anyOf: [object({ a: { type: 'integer' } }), { type: 'object' }] },
    'N',
    'N',
  ),
  ...both(
    'a branch narrowed beside another kind',
    { anyOf: [object({ a: text }), text] },
    { anyOf: [object({ a: { type: 'integer' } }), text] },
    'B',
    'B',
  ),
  ...both(
    'a property of what can have none',
    { ...object({ a: text }), maxProperties: 0 },
    { ...object({ a: { type: 'integer' } }), maxProperties: 0 },
    'N',
    'N',
  ),
  ...both(
    'a property that values rule out',
    { ...object({ a: text }), enum: [{}] },
    { ...object({ a: { type: 'integer' } }), enum: [{}] },
    'N',
    'N',
  ),
  // `contains` has looked at the integers: only they stand behind the text.
  ...both(
    'unevaluatedItems beside contains',
    { type: 'array', prefixItems: [text], contains: { type: 'integer' }, unevaluatedItems: false },
    { type: 'array', prefixItems: [text], items: { type: 'integer' }, minItems: 1 },
    'N',
    'B',
  ),
  ...both(
    'unevaluatedItems beside a branch',
    { type: 'array', anyOf: [{ prefixItems: [text] }, { prefixItems: [text, text] }], unevaluatedItems: false },
    { type: 'array', anyOf: [{ prefixItems: [text] }], unevaluatedItems: false },
    'B',
    'N',
  ),
])

const tree = (label: Json, id = 'https://x/tree', reference = 'tree'): Fields => ({
  Tree: {
    $id: id,
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { label, children: { type: 'array', items: { $dynamicRef: '#node' } } },
  },
  Strict: { $id: 'https://x/strict', $dynamicAnchor: 'node', $ref: reference, unevaluatedProperties: false },
})
const named = (schemas: Fields): Json => request(ref('A'), schemas)
const anchored = (inner: Json): Fields => ({
  A: { $id: 'https://x/a', $ref: '#here', $defs: { it: { $anchor: 'here', ...(inner as Fields) } } },
  B: { $anchor: 'here', type: 'integer' },
})
check('references by identifier and dynamic scope', [
  [
    'a schema behind a relative reference',
    request(ref('Strict'), tree(text)),
    request(ref('Strict'), tree({ type: 'integer' })),
    'B',
  ],
  [
    'the same schema under another identifier',
    request(ref('Strict'), tree(text)),
    request(ref('Strict'), tree(text, 'https://x/other', 'other')),
    'N',
  ],
  // {"children": [{"more": 1}]}: the children of a strict tree are strict.
  [
    'the dynamic scope decides what children are',
    request(ref('Tree'), tree(text)),
    request(ref('Strict'), tree(text)),
    'B',
  ],
  ['and the other way round', request(ref('Strict'), tree(text)), request(ref('Tree'), tree(text)), 'N'],
  ['an anchor belongs to its resource', named(anchored(text)), named(anchored({ type: 'integer' })), 'B'],
  [
    'an anchor of the same name elsewhere',
    named(anchored(text)),
    named({ ...anchored(text), B: { $anchor: 'here', type: 'boolean' } }),
    '0',
  ],
  [
    'a pointer within a resource',
    named({ A: { $id: 'https://x/a', $ref: '#/$defs/it', $defs: { it: text } } }),
    named({ A: { $id: 'https://x/a', $ref: '#/$defs/it', $defs: { it: { type: 'integer' } } } }),
    'B',
  ],
  [
    'an absolute reference and a pointer to one schema',
    named({ A: { $ref: 'https://x/b' }, B: { $id: 'https://x/b', ...text } }),
    named({ A: ref('B'), B: { $id: 'https://x/b', ...text } }),
    '0',
  ],
  [
    'what leads nowhere is undecided',
    named({ A: { $ref: 'nowhere' }, B: text }),
    named({ A: { $ref: 'nowhere' }, B: { type: 'integer' } }),
    'U',
  ],
  [
    'what leads nowhere is not known to be the same',
    named({ A: { $ref: 'nowhere' } }),
    named({ A: { $ref: 'nowhere' } }),
    'U',
  ],
  [
    'an identifier in data is none',
    named({ A: { const: { $id: 'https://x/b' } }, B: { $id: 'https://x/b' } }),
    named({ A: { const: { $id: 'https://x/b' } }, B: { $id: 'https://x/b' } }),
    '0',
  ],
])

const draft7 = 'http://json-schema.org/draft-07/schema#'
const dialect = (document: Json): Json => ({ ...(document as Fields), jsonSchemaDialect: draft7 })
const embedded = (schema: Fields): Json => ({ $id: 'https://x/old', $schema: draft7, properties: { a: schema } })
const short: Fields = { Any: {}, Short: { maxLength: 9 } }
const limited = (name: string, maxLength: number): Fields => ({ ...(ref(name) as Fields), maxLength })
// Up to draft-07 what stands beside "$ref" is ignored: 5 and 6 say nothing, Any accepts what Short rejects.
check('schemas of an older draft in OpenAPI 3.1', [
  ...(['Any', 'Short'] as const).flatMap((name): Case[] => [
    [
      `the document has the older draft: beside ${name}`,
      dialect(request(limited(name, 5), short)),
      dialect(request(limited(name, 6), short)),
      'N',
    ],
    [
      `an embedded schema has the older draft: beside ${name}`,
      request(embedded(limited(name, 6)), short),
      request(embedded(limited(name, 5)), short),
      'N',
    ],
  ]),
  [
    'the document has the older draft: another target',
    dialect(request(limited('Any', 5), short)),
    dialect(request(limited('Short', 5), short)),
    'B',
  ],
  [
    'an embedded schema has the older draft: another target',
    request(embedded(limited('Any', 5)), short),
    request(embedded(limited('Short', 5)), short),
    'B',
  ],
  ['without an older draft', request(limited('Any', 6), short), request(limited('Any', 5), short), 'B'],
])

const order = (list: readonly Json[], keyword: string): Fields => ({
  [keyword]: keyword === 'enum' ? [{ type: list }] : { type: list },
})
check('lists in data', [
  ...both('const', order(['a', 'b'], 'const'), order(['b', 'a'], 'const'), 'B', 'B'),
  ...both('a member of enum', order(['a', 'b'], 'enum'), order(['b', 'a'], 'enum'), 'B', 'B'),
  ...both('the members of enum', { enum: [['a', 'b'], 1] }, { enum: [1, ['a', 'b']] }, '0', '0'),
  ...both(
    'a list named like a keyword',
    { const: { required: ['a', 'b'], allOf: [1, 2] } },
    { const: { required: ['a', 'b'], allOf: [2, 1] } },
    'B',
    'B',
  ),
  ...both(
    'the types of a property named const',
    object({ const: { type: ['string', 'null'] } }),
    object({ const: { type: ['null', 'string'] } }),
    '0',
    '0',
  ),
  ...both('required', object({ a: text, b: text }, 'a', 'b'), object({ a: text, b: text }, 'b', 'a'), '0', '0'),
  [
    'the default of a parameter',
    parameter({ schema: { default: { enum: [1, 2] } } }),
    parameter({ schema: { default: { enum: [2, 1] } } }),
    'B',
  ],
])

const bounded = (bound: string, word = 'maximum', schema = 'type: integer'): string =>
  `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /a:\n    post:\n      requestBody:\n        required: true\n        content:\n          application/json:\n            schema: {${schema}, ${word}: ${bound}}\n      responses: {'200': {description: ok}}\n`
const asJson = (yaml: string): string => {
  const found = /schema: \{(.*)\}/.exec(yaml)![1]!
  const members = found
    .split(', ')
    .map((it) =>
      it.replace(
        /^(\w+): (.*)$/,
        (_, key: string, value: string) => `"${key}": ${/^[a-z]/.test(value) ? `"${value}"` : value}`,
      ),
    )
  return JSON.stringify(request('@')).replace('"@"', `{${members.join(', ')}}`)
}
const numbers = (name: string, base: string, head: string, answer: Answer): Case[] => [
  [`YAML: ${name}`, base, head, answer],
  [`JSON: ${name}`, asJson(base), asJson(head), answer],
]
check('numbers that doubles do not hold', [
  ...numbers('a bound lowered by one', bounded('9007199254740993'), bounded('9007199254740992'), 'B'),
  ...numbers('a bound raised by one', bounded('9007199254740992'), bounded('9007199254740993'), 'N'),
  ...numbers('beyond the range of doubles', bounded('1e400'), bounded('1e399'), 'B'),
  ...numbers('beyond the range, raised', bounded('1e399'), bounded('1e400'), 'N'),
  ...numbers('one number in two spellings', bounded('10000000000000000000000000'), bounded('1e25'), '0'),
  ...numbers(
    '0.1 and 0.10',
    bounded('0.1', 'minimum', 'type: number'),
    bounded('0.10', 'minimum', 'type: number'),
    '0',
  ),
  ...numbers('1.0 and 1', bounded('1.0'), bounded('1'), '0'),
  ...numbers('-0 and 0', bounded('-0', 'minimum'), bounded('0', 'minimum'), '0'),
  ...numbers('constants', bounded('12345678901234567891', 'const'), bounded('12345678901234567892', 'const'), 'B'),
  ...numbers(
    'listed values',
    bounded('[12345678901234567891]', 'enum'),
    bounded('[12345678901234567891]', 'enum'),
    '0',
  ),
  ...numbers('steps', bounded('9007199254740993', 'multipleOf'), bounded('9007199254740991', 'multipleOf'), 'B'),
  ...numbers(
    'a step that divides the other',
    bounded('18014398509481986', 'multipleOf'),
    bounded('9007199254740993', 'multipleOf'),
    'N',
  ),
  ...numbers(
    'a fraction',
    bounded('0.30000000000000000001', 'maximum', 'type: number'),
    bounded('0.3', 'maximum', 'type: number'),
    'B',
  ),
  ...numbers(
    'int64 and its bounds',
    bounded('9223372036854775807', 'maximum', 'type: integer, format: int64'),
    bounded('9223372036854775808', 'maximum', 'type: integer, format: int64'),
    'N',
  ),
  ...numbers(
    'a size',
    bounded('9007199254740993', 'maxLength', 'type: string'),
    bounded('9007199254740992', 'maxLength', 'type: string'),
    'U',
  ),
])

const silent = (word: 'readOnly' | 'writeOnly', ...required: string[]): Fields =>
  object({ a: { type: 'string', [word]: true }, b: text }, ...required)
const plain = (...required: string[]): Fields => object({ a: text, b: text }, ...required)
const old = (make: typeof request, schema: Json): Json => make(schema, {}, '3.0.3')
const split = (first: Json, second: Fields): Json => ({ allOf: [first, { type: 'object', ...second }] })
check('properties that are not sent', [
  // {"b": "x"} lacks what nobody had to send.
  ['readOnly taken from a required property', old(request, silent('readOnly', 'a')), old(request, plain('a')), 'B'],
  ['readOnly taken from an optional property', old(request, silent('readOnly')), old(request, plain()), 'N'],
  [
    'writeOnly taken from a required property of a response',
    old(response, silent('writeOnly', 'a')),
    old(response, plain('a')),
    'N',
  ],
  // {} comes where a was promised.
  [
    'writeOnly put on a required property of a response',
    old(response, plain('a')),
    old(response, silent('writeOnly', 'a')),
    'B',
  ],
  [
    'writeOnly put on an optional property of a response',
    old(response, plain()),
    old(response, silent('writeOnly')),
    'N',
  ],
  [
    'readOnly and its requirement in two parts',
    old(request, split(silent('readOnly'), { maxProperties: 5 })),
    old(request, split(silent('readOnly'), { maxProperties: 6, required: ['a'] })),
    'N',
  ],
  [
    'the requirement of another property',
    old(request, split(silent('readOnly'), { maxProperties: 5 })),
    old(request, split(silent('readOnly'), { maxProperties: 6, required: ['b'] })),
    'B',
  ],
  [
    'readOnly in a part of the property',
    old(request, object({ a: { allOf: [text, { readOnly: true }] } })),
    old(request, { ...object({ a: { allOf: [text, { readOnly: true }] } }, 'a'), maxProperties: 9 }),
    'B',
  ],
  [
    'readOnly in a branch beside the requirement',
    old(request, { ...silent('readOnly'), anyOf: [{ required: ['b'] }, { minProperties: 1 }] }),
    old(request, { ...silent('readOnly'), anyOf: [{ required: ['a', 'b'] }, { minProperties: 1 }] }),
    'N',
  ],
  ['a callback carries what is writeOnly', callback(plain('a')), callback(silent('writeOnly', 'a')), 'N'],
  ['and not what is readOnly', callback(plain('a')), callback(silent('readOnly', 'a')), 'B'],
  ['an optional property of it', callback(plain()), callback(silent('readOnly')), 'N'],
])

check('defaults', [
  [
    'of an optional parameter, removed',
    parameter({ schema: { type: 'integer', default: 20 } }),
    parameter({ schema: { type: 'integer' } }),
    'B',
  ],
  [
    'of an optional parameter, changed',
    parameter({ schema: { type: 'integer', default: 20 } }),
    parameter({ schema: { type: 'integer', default: 21 } }),
    'B',
  ],
  [
    'of a required parameter, changed',
    parameter({ required: true, schema: { type: 'integer', default: 20 } }),
    parameter({ required: true, schema: { type: 'integer', default: 21 } }),
    'N',
  ],
  [
    'of a property that became required',
    request(object({ a: { type: 'string', default: 'x' } })),
    request(object({ a: { type: 'string', default: 'x' } }, 'a')),
    'B',
  ],
  [
    'of a new required property',
    request(object({})),
    request(object({ a: { type: 'string', default: 'x' } }, 'a')),
    'B',
  ],
  ['of a new optional property', request(object({})), request(object({ a: { type: 'string', default: 'x' } })), 'N'],
])

const pets = (dog: Fields, more: Fields = {}): Fields => ({
  Pet: { type: 'object', properties: { kind: text }, required: ['kind'], discriminator: { propertyName: 'kind' } },
  Dog: { allOf: [ref('Pet'), object(dog, ...Object.keys(dog))] },
  ...more,
})
const puppy: Fields = { Puppy: { allOf: [ref('Dog'), object({ age: text }, 'age')] } }
const kinds = (mapping: Fields): Json => ({
  oneOf: [ref('Cat'), ref('Dog')],
  discriminator: { propertyName: 'kind', mapping },
})
const branches: Fields = {
  Cat: object({ kind: text, meow: text }, 'kind', 'meow'),
  Dog: object({ kind: text, bark: text }, 'kind', 'bark'),
}
const cat = '#/components/schemas/Cat'
const dog = '#/components/schemas/Dog'
check('discriminators', [
  [
    'a child of the parent in a request',
    request(ref('Pet'), pets({ bark: text })),
    request(ref('Pet'), pets({ bark: text, size: text })),
    'B',
  ],
  [
    'a child of the parent in a response',
    response(ref('Pet'), pets({ bark: text })),
    response(ref('Pet'), pets({ bark: { type: 'integer' } })),
    'B',
  ],
  [
    'a child that allows more',
    request(ref('Pet'), pets({ bark: { type: 'integer' } })),
    request(ref('Pet'), pets({ bark: { type: 'number' } })),
    'N',
  ],
  [
    'a grandchild',
    request(ref('Pet'), pets({ bark: text }, puppy)),
    request(
      ref('Pet'),
      pets({ bark: text }, { Puppy: { allOf: [ref('Dog'), object({ age: { type: 'integer' } }, 'age')] } }),
    ),
    'B',
  ],
  [
    'a child removed from requests',
    request(ref('Pet'), pets({ bark: text }, puppy)),
    request(ref('Pet'), pets({ bark: text })),
    'B',
  ],
  [
    'a child added to requests',
    request(ref('Pet'), pets({ bark: text })),
    request(ref('Pet'), pets({ bark: text }, puppy)),
    'N',
  ],
  [
    'a child added to responses',
    response(ref('Pet'), pets({ bark: text })),
    response(ref('Pet'), pets({ bark: text }, puppy)),
    'B',
  ],
  // Who uses a sibling alone has nothing to do with it.
  [
    'a sibling of what is used',
    request(ref('Cat'), pets({ bark: text }, { Cat: { allOf: [ref('Pet'), object({})] } })),
    request(ref('Cat'), pets({ bark: { type: 'integer' } }, { Cat: { allOf: [ref('Pet'), object({})] } })),
    'N',
  ],
  ['a value taken from requests', request(kinds({ cat, dog }), branches), request(kinds({ cat }), branches), 'B'],
  [
    'a value that is the name of the schema anyway',
    request(kinds({ Cat: cat, Dog: dog }), branches),
    request(kinds({ Cat: cat }), branches),
    'N',
  ],
  ['a value taken from responses', response(kinds({ cat, dog }), branches), response(kinds({ cat }), branches), 'N'],
  [
    'a value added to responses',
    response(kinds({ cat }), branches),
    response(kinds({ cat, hound: dog }), branches),
    'B',
  ],
  ['a value added to requests', request(kinds({ cat }), branches), request(kinds({ cat, dog }), branches), 'N'],
  [
    'a value that names another branch',
    request(kinds({ pet: cat }), branches),
    request(kinds({ pet: dog }), branches),
    'B',
  ],
  [
    'a mapping by name and by reference',
    request(kinds({ cat: 'Cat' }), branches),
    request(kinds({ cat }), branches),
    'N',
  ],
])

const open = (...list: Json[]): Json => ({ anyOf: list })
check('branches of anyOf', [
  // {"p1": 5, "p2": "x"} is a third kind now.
  [
    'a new kind in a response',
    response(open(object({ p1: text }), object({ p2: { type: 'number' } }))),
    response(open(object({ p1: text }), object({ p2: { type: 'number' } }), object({ p3: text }))),
    'B',
  ],
  [
    'the same in a request',
    request(open(object({ p1: text }), object({ p2: { type: 'number' } }))),
    request(open(object({ p1: text }), object({ p2: { type: 'number' } }), object({ p3: text }))),
    'N',
  ],
  [
    'a branch that was allowed already',
    response(open(object({ p1: text }), object({ p2: text }))),
    response(open(object({ p1: text }), object({ p2: text }), object({ p1: text, p2: text }, 'p1'))),
    'N',
  ],
  [
    'what no branch allowed together',
    response(open(object({ p1: text }), object({ p2: { type: 'number' } }))),
    response(open(object({ p1: text }), object({ p2: { type: 'number' } }), object({ p1: { type: 'integer' } }))),
    'B',
  ],
  [
    'a scalar in a response',
    response(open(text, { type: 'integer' })),
    response(open(text, { type: 'integer' }, { type: 'boolean' })),
    'B',
  ],
  [
    'a single schema that grows to a choice',
    response(object({ p1: text })),
    response(open(object({ p1: text }), object({ p9: text }, 'p9'))),
    'B',
  ],
])

test('the counterexample of a part is one of the whole', () => {
  const base = request(object({ a: { type: 'integer' }, b: text }, 'b'))
  const head = request(object({ a: { type: 'integer', minimum: 5 }, b: text }, 'a', 'b'))
  const { changes } = diff(parse(base), parse(head))
  const [required] = changes.filter(({ id }) => id === 'schema-required-added')
  expect(required?.witness?.value).toEqual({ b: 'a' })
})

test('paths and values are shown as they are written', () => {
  const { changes } = diff(
    parse(request(ref('Strict'), tree(text))),
    parse(request(ref('Strict'), tree({ type: 'integer' }))),
  )
  expect(changes.flatMap((it) => [it.base?.pointer, it.head?.pointer]).filter((it) => it?.includes('svc-'))).toEqual([])
  expect(changes.map((it) => JSON.stringify([it.before, it.after])).filter((it) => it.includes('svc-'))).toEqual([])
  expect(isObject(changes[0]) && changes[0].base?.pointer).toContain('/components/schemas/Tree/properties/label')
})

const integer: Json = { type: 'integer' }
const numeric: Json = { type: 'number' }
const [withA, withB] = [object({ a: text }, 'a'), object({ b: integer }, 'b')]
check('branches of oneOf that overlap', [
  // 1 fits both branches, so that the base refuses it.
  ...both('as anyOf', { oneOf: [numeric, integer] }, { anyOf: [numeric, integer] }, 'N', 'B'),
  ...both('as oneOf', { anyOf: [numeric, integer] }, { oneOf: [numeric, integer] }, 'B', 'N'),
  ...both('as the wider branch', { oneOf: [numeric, integer] }, numeric, 'N', 'B'),
  ...both('without the narrower branch', { oneOf: [numeric, integer] }, { oneOf: [numeric] }, 'N', 'B'),
  ...both(
    'as what both list',
    { oneOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] },
    { enum: ['a', 'b', 'c'] },
    'N',
    'B',
  ),
  ...both(
    'in a property of a part',
    object({ x: { oneOf: [numeric, integer] } }),
    { allOf: [object({ x: numeric })] },
    'N',
    'B',
  ),
  ...both(
    'in a map',
    { type: 'object', additionalProperties: { oneOf: [numeric, integer] } },
    { type: 'object', additionalProperties: { anyOf: [numeric, integer] } },
    'N',
    'B',
  ),
  // {"a":"x","b":1} fits both objects.
  ...both('objects as anyOf', { oneOf: [withA, withB] }, { anyOf: [withA, withB] }, 'N', 'B'),
  // A service that decided for one branch still sends an object of it.
  ...both('objects as one of them', { oneOf: [withA, withB] }, withA, 'B', 'N'),
  ...both('objects as a choice of one', { oneOf: [withA, withB] }, { oneOf: [withA] }, 'B', 'N'),
  ...both(
    'that become equal',
    { oneOf: [{ type: 'string', maxLength: 3 }, integer] },
    {
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'string', maxLength: 3 },
      ],
    },
    'B',
    'N',
  ),
  ...both('that were equal', { oneOf: [text, text, integer] }, { oneOf: [text, integer] }, 'N', 'B'),
  ...both(
    'kept apart by not',
    { oneOf: [numeric, integer] },
    { oneOf: [{ type: 'number', not: integer }, integer] },
    'N',
    'B',
  ),
  ...both(
    'a branch with an exception',
    { oneOf: [text, integer] },
    { oneOf: [{ type: 'string', not: { const: 'x' } }, integer] },
    'B',
    'N',
  ),
])

check('objects of a oneOf, of which the service still sends one', [
  ['a branch less', response({ oneOf: [withA, withB] }), response({ oneOf: [withA] }), 'N'],
  [
    'a narrower branch',
    response({ oneOf: [withA, withB] }),
    response({ oneOf: [object({ a: { type: 'string', maxLength: 5 } }, 'a'), withB] }),
    'N',
  ],
  [
    'an optional property',
    response({ oneOf: [withA, withB] }),
    response({ oneOf: [object({ a: text, c: text }, 'a'), withB] }),
    'N',
  ],
])

const list: Json = { type: 'array', items: text }
check('lists that are one text', [
  ['not exploded, as a string', parameter({ explode: false, schema: list }), parameter({ schema: text }), 'N'],
  [
    'not exploded, as a short string',
    parameter({ explode: false, schema: list }),
    parameter({ schema: { type: 'string', maxLength: 3 } }),
    'B',
  ],
  ['exploded, as a string', parameter({ explode: true, schema: list }), parameter({ schema: text }), 'B'],
  ['in a header, as a string', header({ schema: text }), header({ schema: list }), 'N'],
  // A comma in the string is read as the end of an item.
  ['a string, as a list in a header', header({ schema: list }), header({ schema: text }), 'B'],
])

const dangling = (section: string): Json => ({ $ref: `#/components/${section}/gone` })
const pathItem = (item: Json): Json => ({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': item } })
const twice = (name: string, document: Json, answer: Answer): Case => [name, document, document, answer]
check('one reference in both documents that leads nowhere', [
  twice('a schema', request(dangling('schemas')), 'U'),
  twice('a property', response(object({ a: dangling('schemas') })), 'U'),
  twice('a parameter', api({ parameters: [dangling('parameters')] }, {}, '3.1.0'), 'U'),
  twice('a body', api({ requestBody: dangling('requestBodies') }, {}, '3.1.0'), 'U'),
  twice('a response', api({ responses: { '200': dangling('responses') } }, {}, '3.1.0'), 'U'),
  twice('a header', header(dangling('headers') as Fields), 'U'),
  twice('a callback', api({ callbacks: { on: dangling('callbacks') } }, {}, '3.1.0'), 'U'),
  twice('a path item', pathItem(dangling('pathItems')), 'U'),
  twice('a JSON Schema', { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }, 'U'),
  twice('a schema that nothing uses', request(text, { A: dangling('schemas') }), '0'),
  twice('data that looks like a reference', request({ type: 'object', example: { $ref: '#/gone' } }), '0'),
])

// Every value but a list is in one branch of the base, and in both of the head, which accepts anything by each.
const inCycle = (own: Fields): Json => ({
  oneOf: [{}, { $ref: '#/$defs/r' }],
  $defs: { r: { ...own, items: { $ref: '#/$defs/r' } } },
})
check('a whole that breaks while its parts, in a cycle, do not', [
  ['a branch widened', inCycle({ type: 'array' }), inCycle({}), 'B'],
])
