/** Longer than 400 lines: one table. The cases in which comparison tools differ: B breaks, N does not, 0 is no change. */
import { describe, expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

type Fields = { readonly [key: string]: Json }
type Case = readonly [string, Fields, Fields, 'B' | 'N' | '0']

const ok: Fields = { description: 'ok' }
const api = (paths: Json, more: Fields = {}): Fields => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths,
  ...more,
})
const operation = (fields: Fields, more: Fields = {}): Fields =>
  api({ '/a': { post: { responses: { '200': ok }, ...fields } } }, more)
const body = (schema: Json, type = 'application/json'): Fields => ({ content: { [type]: { schema } } })
const request = (schema: Json, more: Fields = {}): Fields => operation({ requestBody: body(schema) }, more)
const response = (schema: Json, more: Fields = {}): Fields =>
  operation({ responses: { '200': { ...ok, ...body(schema) } } }, more)
const parameter = (fields: Fields): Fields => operation({ parameters: [{ name: 'q', in: 'query', ...fields }] })
const header = (fields: Fields): Fields => operation({ responses: { '200': { ...ok, headers: { 'X-A': fields } } } })
const object = (properties: Fields, ...required: string[]): Fields => ({ type: 'object', properties, required })
const text: Json = { type: 'string' }
const schemas = (fields: Fields): Fields => ({ components: { schemas: fields } })
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const secured = (security: Json): Fields =>
  operation(
    { security },
    {
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'K' },
          basic: { type: 'http', scheme: 'basic' },
          oauth: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { r: '', w: '' } } },
          },
        },
      },
    },
  )
const kinds = (mapping: Fields): Fields =>
  response(
    { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } },
    schemas({
      Cat: object({ kind: text, meow: { type: 'integer' } }, 'kind', 'meow'),
      Dog: object({ kind: text, bark: { type: 'integer' } }, 'kind', 'bark'),
    }),
  )
const old = (document: Fields): Fields => ({ ...document, openapi: '3.0.3' })
const webhook = (schema: Json): Fields =>
  api({}, { webhooks: { sent: { post: { requestBody: body(schema), responses: { '200': ok } } } } })
const callback = (schema: Json): Fields =>
  operation({
    callbacks: { sent: { '{$request.body#/url}': { post: { requestBody: body(schema), responses: { '200': ok } } } } },
  })
const list = (depth: number): Json =>
  depth === 0 ? ref('List') : object({ value: { type: 'integer' }, next: list(depth - 1) }, 'value')
const encoded = (encoding: Json): Fields =>
  operation({
    requestBody: {
      content: { 'multipart/form-data': { schema: object({ a: { type: 'array', items: text } }), encoding } },
    },
  })
const types = (...names: string[]): Fields =>
  operation({
    responses: { '200': { ...ok, content: Object.fromEntries(names.map((name) => [name, { schema: text }])) } },
  })
const item = (fields: Fields): Fields => api({ '/a/{id}': fields })
const id = (schema: Json, name = 'id'): Json => [{ name, in: 'path', required: true, schema }]
const get: Json = { responses: { '200': ok } }

const both = (name: string, a: Json, b: Json, asked: 'B' | 'N' | '0', answered: 'B' | 'N' | '0'): Case[] => [
  [`request: ${name}`, request(a), request(b), asked],
  [`response: ${name}`, response(a), response(b), answered],
]

const cases: readonly Case[] = [
  ...both(
    'additionalProperties: false added',
    object({ a: text }),
    { ...object({ a: text }), additionalProperties: false },
    'B',
    'N',
  ),
  ...both(
    'additionalProperties: false removed',
    { ...object({ a: text }), additionalProperties: false },
    object({ a: text }),
    'N',
    'B',
  ),
  ...both('not added', { type: 'string' }, { type: 'string', not: { const: 'x' } }, 'B', 'N'),
  ...both('multipleOf 10 to 5', { type: 'integer', multipleOf: 10 }, { type: 'integer', multipleOf: 5 }, 'N', 'B'),
  ...both('multipleOf set', { type: 'integer' }, { type: 'integer', multipleOf: 5 }, 'B', 'N'),
  ...both(
    'uniqueItems set',
    { type: 'array', items: text },
    { type: 'array', items: text, uniqueItems: true },
    'B',
    'N',
  ),
  ...both('minProperties set', object({ a: text }), { ...object({ a: text }), minProperties: 1 }, 'B', 'N'),
  ...both(
    'maxProperties lowered',
    { type: 'object', maxProperties: 5 },
    { type: 'object', maxProperties: 3 },
    'B',
    'N',
  ),
  ...both('a whole enum removed', { type: 'string', enum: ['a'] }, text, 'N', 'B'),
  ...both('wrapped in allOf', text, { allOf: [text] }, '0', '0'),
  ...both('unwrapped from allOf', { allOf: [text] }, text, '0', '0'),
  ...both('allOf split', object({ a: text, b: text }), { allOf: [object({ a: text }), object({ b: text })] }, '0', '0'),
  ...both(
    'wrapped in a oneOf that overlaps',
    { type: 'string' },
    { oneOf: [text, { type: 'string', minLength: 2 }] },
    'B',
    'N',
  ),
  ...both('wrapped in a disjoint oneOf', text, { oneOf: [text, { type: 'integer' }] }, 'N', 'B'),
  ...both('wrapped in anyOf', text, { anyOf: [text, { type: 'integer' }] }, 'N', 'B'),
  ...both(
    'a list of types as anyOf',
    { type: ['string', 'integer'] },
    { anyOf: [text, { type: 'integer' }] },
    'N',
    'N',
  ),
  ...both(
    'anyOf as a disjoint oneOf',
    { anyOf: [text, { type: 'integer' }] },
    { oneOf: [{ type: 'integer' }, text] },
    'N',
    'N',
  ),
  ...both(
    'a disjoint oneOf as a list of types',
    { oneOf: [text, { type: 'integer' }] },
    { type: ['integer', 'string'] },
    'N',
    'N',
  ),
  ...both(
    'a wider pattern',
    { type: 'string', pattern: '^a{1,5}$' },
    { type: 'string', pattern: '^a{1,10}$' },
    'N',
    'B',
  ),
  ...both(
    'a narrower pattern',
    { type: 'string', pattern: '^a{1,10}$' },
    { type: 'string', pattern: '^a{1,5}$' },
    'B',
    'N',
  ),
  ...both(
    'an exclusive integer bound',
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'integer', minimum: 1 },
    '0',
    '0',
  ),
  ...both(
    'additionalProperties true as {}',
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: {} },
    '0',
    '0',
  ),
  ...both(
    'a property that additionalProperties covered',
    { type: 'object', additionalProperties: text },
    { type: 'object', properties: { a: text }, additionalProperties: text },
    'N',
    'N',
  ),
  ...both('required without a declared property', { type: 'object' }, { type: 'object', required: ['a'] }, 'B', 'N'),
  ...both(
    'required without a declared property, dropped',
    { type: 'object', required: ['a'] },
    { type: 'object' },
    'N',
    'B',
  ),
  ...both('const as enum of one', { const: 'a' }, { enum: ['a'] }, '0', '0'),
  ...both('enum in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, '0', '0'),
  ...both('1 and 1.0 in an enum', { enum: [1, 2] }, { enum: [1.0, 2] }, '0', '0'),
  ...both(
    'defaults of a list spelled out',
    { type: 'array', items: text },
    { type: 'array', items: text, minItems: 0, uniqueItems: false },
    '0',
    '0',
  ),
  ...both(
    'defaults of an object spelled out',
    object({ a: text }),
    { ...object({ a: text }), additionalProperties: true, minProperties: 0 },
    '0',
    '0',
  ),
  ...both(
    'defaults of a text spelled out',
    text,
    { type: 'string', minLength: 0, deprecated: false, readOnly: false },
    '0',
    '0',
  ),
  ...both(
    'a bound that an enum implies',
    { type: 'integer', enum: [1, 2] },
    { type: 'integer', enum: [1, 2], minimum: 1 },
    'N',
    'N',
  ),
  ...both(
    'a union in another order',
    { oneOf: [text, { type: 'integer' }] },
    { oneOf: [{ type: 'integer' }, text] },
    '0',
    '0',
  ),
  [
    'request: a read-only property became required',
    request(object({ a: { type: 'string', readOnly: true } })),
    request(object({ a: { type: 'string', readOnly: true } }, 'a')),
    'N',
  ],
  [
    'response: a write-only property that was required is gone',
    response(object({ a: { type: 'string', writeOnly: true } }, 'a')),
    response(object({})),
    'N',
  ],
  [
    'a parameter in another style: a list',
    parameter({ schema: { type: 'array', items: text } }),
    parameter({ schema: { type: 'array', items: text }, style: 'pipeDelimited' }),
    'B',
  ],
  [
    'a parameter in another style: a text',
    parameter({ schema: text }),
    parameter({ schema: text, style: 'pipeDelimited' }),
    'N',
  ],
  [
    'explode of an object',
    parameter({ schema: object({ a: text }) }),
    parameter({ schema: object({ a: text }), explode: false }),
    'B',
  ],
  [
    'explode of a number',
    parameter({ schema: { type: 'integer' } }),
    parameter({ schema: { type: 'integer' }, explode: false }),
    'N',
  ],
  [
    'style and explode spelled out',
    parameter({ schema: { type: 'array', items: text } }),
    parameter({ schema: { type: 'array', items: text }, style: 'form', explode: true, required: false }),
    '0',
  ],
  [
    'a parameter written as content, narrowed',
    parameter(body(object({ a: text }))),
    parameter(body(object({ a: { type: 'string', maxLength: 3 } }))),
    'B',
  ],
  [
    'a parameter written as content, widened',
    parameter(body(object({ a: { type: 'string', maxLength: 3 } }))),
    parameter(body(object({ a: text }))),
    'N',
  ],
  [
    'a parameter that becomes JSON',
    parameter({ schema: object({ a: text }) }),
    parameter(body(object({ a: text }))),
    'B',
  ],
  [
    'a parameter that becomes text although it was a number',
    parameter({ schema: { type: 'integer' } }),
    parameter({ schema: text }),
    'N',
  ],
  [
    'a parameter moved to the path',
    item({ get: { parameters: id(text), responses: { '200': ok } } }),
    item({ parameters: id(text), get }),
    '0',
  ],
  [
    'a parameter moved to the operation',
    item({ parameters: id(text), get }),
    item({ get: { parameters: id(text), responses: { '200': ok } } }),
    '0',
  ],
  [
    'a parameter of the path narrowed',
    item({ parameters: id(text), get }),
    item({ parameters: id({ type: 'string', maxLength: 3 }), get }),
    'B',
  ],
  [
    'a parameter of the path renamed',
    item({ parameters: id(text), get }),
    api({ '/a/{key}': { parameters: id(text, 'key'), get } }),
    'N',
  ],
  [
    'a parameter by reference',
    item({ parameters: id(text), get }),
    {
      ...item({ parameters: [{ $ref: '#/components/parameters/Id' }], get }),
      components: { parameters: { Id: (id(text) as Json[])[0]! } },
    },
    '0',
  ],
  [
    'two templates of one shape',
    api({ '/a/{x}': { parameters: id(text, 'x'), get }, '/a/{y}/b': { parameters: id(text, 'y'), get } }),
    api({ '/a/{y}': { parameters: id(text, 'y'), get }, '/a/{x}/b': { parameters: id(text, 'x'), get } }),
    'N',
  ],
  [
    'nullable as a list of types, with an enum',
    old(response({ type: 'string', nullable: true, enum: ['a', null] })),
    response({ type: ['string', 'null'], enum: ['a', null] }),
    '0',
  ],
  [
    'nullable as a list of types, null left out of the enum',
    old(request({ type: 'string', nullable: true, enum: ['a'] })),
    request({ type: ['string', 'null'], enum: ['a', null] }),
    'N',
  ],
  [
    'nullable beside a reference, as a choice',
    old(response({ nullable: true, allOf: [ref('A')] }, schemas({ A: object({ a: text }) }))),
    response({ anyOf: [ref('A'), { type: 'null' }] }, schemas({ A: object({ a: text }) })),
    'N',
  ],
  [
    'exclusive bounds as booleans',
    old(request({ type: 'number', minimum: 1, exclusiveMinimum: true })),
    request({ type: 'number', exclusiveMinimum: 1 }),
    '0',
  ],
  ['webhook: a promise dropped', webhook(object({ a: text }, 'a')), webhook(object({ a: text })), 'B'],
  ['webhook: a promise added', webhook(object({ a: text })), webhook(object({ a: text }, 'a')), 'N'],
  ['callback: a promise dropped', callback(object({ a: text }, 'a')), callback(object({ a: text })), 'B'],
  ['callback: a promise added', callback(object({ a: text })), callback(object({ a: text }, 'a')), 'N'],
  ['authentication added', operation({}), secured([{ key: [] }]), 'B'],
  ['a scope added', secured([{ oauth: ['r'] }]), secured([{ oauth: ['r', 'w'] }]), 'B'],
  ['a scope dropped', secured([{ oauth: ['r', 'w'] }]), secured([{ oauth: ['r'] }]), 'N'],
  ['a scheme added to an alternative', secured([{ key: [] }]), secured([{ key: [], basic: [] }]), 'B'],
  ['an alternative removed', secured([{ key: [] }, { basic: [] }]), secured([{ key: [] }]), 'B'],
  ['an alternative added', secured([{ key: [] }]), secured([{ key: [] }, { basic: [] }]), 'N'],
  ['access without credentials added', secured([{ key: [] }]), secured([{ key: [] }, {}]), 'N'],
  ['alternatives in another order', secured([{ key: [] }, { basic: [] }]), secured([{ basic: [] }, { key: [] }]), '0'],
  ['a response header of another type', header({ schema: { type: 'integer' } }), header({ schema: text }), 'B'],
  [
    'a response header with a value more',
    header({ schema: { enum: ['a'] } }),
    header({ schema: { enum: ['a', 'b'] } }),
    'B',
  ],
  [
    'a response header with a value less',
    header({ schema: { enum: ['a', 'b'] } }),
    header({ schema: { enum: ['a'] } }),
    'N',
  ],
  [
    'a cycle unrolled',
    response(ref('List'), schemas({ List: list(1) })),
    response(ref('List'), schemas({ List: list(2) })),
    '0',
  ],
  [
    'a cycle narrowed',
    request(ref('List'), schemas({ List: list(1) })),
    request(
      ref('List'),
      schemas({ List: object({ value: { type: 'integer', maximum: 5 }, next: ref('List') }, 'value') }),
    ),
    'B',
  ],
  [
    'discriminator values swapped',
    kinds({ c: '#/components/schemas/Cat', d: '#/components/schemas/Dog' }),
    kinds({ c: '#/components/schemas/Dog', d: '#/components/schemas/Cat' }),
    'B',
  ],
  ['a charset added', types('application/json'), types('application/json; charset=utf-8'), '0'],
  ['a response type added', types('application/json'), types('application/json', 'text/csv'), 'N'],
  ['a response type removed', types('application/json', 'text/csv'), types('application/json'), 'B'],
  ['a range of response types made precise', types('application/*'), types('application/json'), 'N'],
  ['a response type made a range', types('application/json'), types('application/*'), 'B'],
  [
    'encoding of a part changed',
    encoded({ a: { style: 'form', explode: true } }),
    encoded({ a: { style: 'pipeDelimited', explode: false } }),
    'B',
  ],
  ['encoding spelled out', encoded({}), encoded({ a: { style: 'form', explode: true } }), '0'],
  [
    'a reference as what it names',
    request(ref('A'), schemas({ A: text })),
    { ...request(text), ...schemas({ A: text }) },
    '0',
  ],
  ['a component renamed', request(ref('A'), schemas({ A: text })), request(ref('B'), schemas({ B: text })), 'N'],
  ['a status made a range', operation({ responses: { '200': ok } }), operation({ responses: { '2XX': ok } }), 'B'],
  [
    'a range of statuses made precise',
    operation({ responses: { '2XX': ok } }),
    operation({ responses: { '200': ok } }),
    'N',
  ],
  [
    'an unused component changed',
    { ...operation({}), ...schemas({ A: text }) },
    { ...operation({}), ...schemas({ A: { type: 'integer' } }) },
    'N',
  ],
]

const severities = { B: ['breaking'], N: ['non-breaking', 'docs-only', null], '0': [null, 'docs-only'] } as const

describe('cases that decide', () => {
  test.each(cases.map((it) => [it[0], it] as const))('%s', (_, [, base, head, expected]) => {
    const [a, b] = [base, head].map((it) => parseDocument(JSON.stringify(it), { source: 'a.json' }))
    const result = diff(a!, b!)
    const told = result.changes.map((change) => `${change.severity} ${change.id}: ${change.message}`)
    expect([told, (severities[expected] as readonly unknown[]).includes(result.maxSeverity)]).toEqual([told, true])
    for (const change of result.changes) {
      if (change.severity !== 'breaking' || !change.id.startsWith('schema-') || change.policy) continue
      expect([
        change.id,
        change.witness === null && change.classification === 'breaking' && !/discriminator/.test(change.id),
      ]).toEqual([change.id, false])
    }
  })
})
