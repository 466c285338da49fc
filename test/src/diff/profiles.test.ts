import { describe, expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import type { ProfileName } from '../../../src/diff/profile.ts'
import { rules } from '../../../src/diff/rules.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

type Place = 'request' | 'response' | 'parameter' | 'header' | 'request property' | 'response property'

const content = (schema: Json): Json => ({ 'application/json': { schema } })
const property = (schema: Json, ...required: string[]): Json => ({
  type: 'object',
  properties: { a: schema },
  required,
})

/** A document of one operation that carries a schema in a place, or is what `operation` says. */
const documentWith = (operation: { readonly [key: string]: Json }, more: { readonly [key: string]: Json } = {}) =>
  parseDocument(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { post: { responses: { '200': { description: 'ok' } }, ...operation } } },
      ...more,
    }),
    { source: 'a.json' },
  )

const carrying = (place: Place, schema: Json) => {
  const inProperty = place.endsWith('property') ? property(schema) : schema
  if (place.startsWith('request')) return documentWith({ requestBody: { content: content(inProperty) } })
  if (place === 'parameter') return documentWith({ parameters: [{ name: 'a', in: 'query', schema }] })
  const answer =
    place === 'header'
      ? { description: 'ok', headers: { A: { required: true, schema } } }
      : { description: 'ok', content: content(inProperty) }
  return documentWith({ responses: { '200': answer } })
}

/** A keyword's change with what oasdiff calls it where the client writes the value, and where the service does. */
const keywords: readonly (readonly [string, Json, Json, 'ERR' | 'INFO' | null, 'ERR' | 'INFO' | null])[] = [
  ['all-of-added', {}, { allOf: [{ type: 'object', required: ['x'] }] }, 'ERR', 'INFO'],
  [
    'any-of-added',
    { anyOf: [{ const: 1 }, { const: 2 }] },
    { anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
    'INFO',
    'INFO',
  ],
  [
    'any-of-removed',
    { anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
    { anyOf: [{ const: 1 }, { const: 2 }] },
    'ERR',
    'INFO',
  ],
  [
    'one-of-added',
    { oneOf: [{ const: 1 }, { const: 2 }] },
    { oneOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
    'INFO',
    'ERR',
  ],
  [
    'one-of-removed',
    { oneOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
    { oneOf: [{ const: 1 }, { const: 2 }] },
    'ERR',
    'INFO',
  ],
  ['became-enum', { type: 'string' }, { type: 'string', enum: ['a'] }, 'ERR', null],
  ['enum-value-removed', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }, 'ERR', 'INFO'],
  ['enum-value-added', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }, 'INFO', null],
  ['became-not-nullable', { type: ['string', 'null'] }, { type: 'string' }, 'ERR', 'INFO'],
  ['became-nullable', { type: 'string' }, { type: ['string', 'null'] }, 'INFO', 'ERR'],
  ['const-added', { type: 'string' }, { type: 'string', const: 'a' }, 'ERR', 'INFO'],
  ['const-changed', { const: 'a' }, { const: 'b' }, 'ERR', 'ERR'],
  ['const-removed', { type: 'string', const: 'a' }, { type: 'string' }, 'INFO', 'ERR'],
  ['contains-added', { type: 'array' }, { type: 'array', contains: { const: 1 } }, 'ERR', 'INFO'],
  ['contains-removed', { type: 'array', contains: { const: 1 } }, { type: 'array' }, 'INFO', 'ERR'],
  [
    'max-contains-decreased',
    { type: 'array', contains: { const: 1 }, maxContains: 3 },
    { type: 'array', contains: { const: 1 }, maxContains: 2 },
    'ERR',
    'INFO',
  ],
  [
    'min-contains-decreased',
    { type: 'array', contains: { const: 1 }, minContains: 3 },
    { type: 'array', contains: { const: 1 }, minContains: 2 },
    'INFO',
    'ERR',
  ],
  ['dependent-required-added', { type: 'object' }, { type: 'object', dependentRequired: { a: ['b'] } }, 'ERR', 'INFO'],
  [
    'dependent-required-removed',
    { type: 'object', dependentRequired: { a: ['b'] } },
    { type: 'object' },
    'INFO',
    'ERR',
  ],
  [
    'dependent-required-changed',
    { type: 'object', dependentRequired: { a: ['b'] } },
    { type: 'object', dependentRequired: { a: ['c'] } },
    'ERR',
    'ERR',
  ],
  [
    'dependent-schema-added',
    { type: 'object' },
    { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
    'ERR',
    'INFO',
  ],
  [
    'dependent-schema-removed',
    { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
    { type: 'object' },
    'INFO',
    'ERR',
  ],
  [
    'discriminator-added',
    { oneOf: [{ const: 1 }] },
    { oneOf: [{ const: 1 }], discriminator: { propertyName: 'kind' } },
    'INFO',
    'INFO',
  ],
  [
    'discriminator-property-name-changed',
    { oneOf: [{ const: 1 }, { const: 2 }], discriminator: { propertyName: 'a' } },
    { oneOf: [{ const: 1 }, { const: 2 }], discriminator: { propertyName: 'b' } },
    'INFO',
    'INFO',
  ],
  ['if-added', { type: 'number' }, { type: 'number', if: { minimum: 3 }, then: { multipleOf: 2 } }, 'ERR', 'INFO'],
  ['if-removed', { type: 'number', if: { minimum: 3 }, then: { multipleOf: 2 } }, { type: 'number' }, 'INFO', 'ERR'],
  ['max-decreased', { type: 'number', maximum: 9 }, { type: 'number', maximum: 5 }, 'ERR', null],
  ['max-increased', { type: 'number', maximum: 5 }, { type: 'number', maximum: 9 }, 'INFO', 'ERR'],
  ['min-increased', { type: 'number', minimum: 5 }, { type: 'number', minimum: 9 }, 'ERR', null],
  ['min-decreased', { type: 'number', minimum: 9 }, { type: 'number', minimum: 5 }, 'INFO', 'ERR'],
  [
    'exclusive-max-decreased',
    { type: 'number', exclusiveMaximum: 9 },
    { type: 'number', exclusiveMaximum: 5 },
    'ERR',
    null,
  ],
  [
    'exclusive-min-decreased',
    { type: 'number', exclusiveMinimum: 9 },
    { type: 'number', exclusiveMinimum: 5 },
    'INFO',
    'ERR',
  ],
  ['max-length-decreased', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }, 'ERR', null],
  ['max-length-increased', { type: 'string', maxLength: 5 }, { type: 'string', maxLength: 9 }, 'INFO', 'ERR'],
  ['max-length-unset', { type: 'string', maxLength: 5 }, { type: 'string' }, null, 'ERR'],
  ['min-length-increased', { type: 'string', minLength: 5 }, { type: 'string', minLength: 9 }, 'ERR', null],
  ['min-length-decreased', { type: 'string', minLength: 9 }, { type: 'string', minLength: 5 }, 'INFO', 'ERR'],
  ['min-items-increased', { type: 'array', minItems: 1 }, { type: 'array', minItems: 2 }, 'ERR', null],
  ['min-items-decreased', { type: 'array', minItems: 2 }, { type: 'array', minItems: 1 }, null, 'ERR'],
  ['min-items-unset', { type: 'array', minItems: 2 }, { type: 'array' }, null, 'ERR'],
  ['pattern-added', { type: 'string' }, { type: 'string', pattern: '^a' }, 'ERR', 'INFO'],
  ['pattern-removed', { type: 'string', pattern: '^a' }, { type: 'string' }, 'INFO', 'INFO'],
  ['pattern-changed', { type: 'string', pattern: '^a' }, { type: 'string', pattern: '^b' }, null, 'INFO'],
  [
    'pattern-property-added',
    { type: 'object' },
    { type: 'object', patternProperties: { '^x': { type: 'string' } } },
    'ERR',
    'INFO',
  ],
  [
    'pattern-property-removed',
    { type: 'object', patternProperties: { '^x': { type: 'string' } } },
    { type: 'object' },
    'INFO',
    'ERR',
  ],
  ['prefix-items-added', { type: 'array' }, { type: 'array', prefixItems: [{ type: 'string' }] }, 'INFO', 'ERR'],
  ['prefix-items-removed', { type: 'array', prefixItems: [{ type: 'string' }] }, { type: 'array' }, 'ERR', 'INFO'],
  ['property-names-added', { type: 'object' }, { type: 'object', propertyNames: { maxLength: 3 } }, 'ERR', 'INFO'],
  ['property-names-removed', { type: 'object', propertyNames: { maxLength: 3 } }, { type: 'object' }, 'INFO', 'ERR'],
  ['type-changed', { type: 'string' }, { type: 'boolean' }, 'ERR', 'ERR'],
  ['type-generalized', { type: 'integer' }, { type: 'number' }, 'INFO', 'ERR'],
  ['type-specialized', { type: 'number' }, { type: 'integer' }, 'ERR', 'INFO'],
  ['list-of-types-narrowed', { type: ['string', 'number'] }, { type: ['string'] }, 'ERR', 'INFO'],
  ['list-of-types-widened', { type: ['string'] }, { type: ['string', 'number'] }, 'INFO', 'ERR'],
  ['unevaluated-properties-added', { type: 'object' }, { type: 'object', unevaluatedProperties: false }, 'ERR', 'INFO'],
  [
    'unevaluated-properties-removed',
    { type: 'object', unevaluatedProperties: false },
    { type: 'object' },
    'INFO',
    'ERR',
  ],
  [
    'unevaluated-items-added',
    { type: 'array', prefixItems: [{}] },
    { type: 'array', prefixItems: [{}], unevaluatedItems: false },
    'ERR',
    'INFO',
  ],
  ['default-value-added', { type: 'string' }, { type: 'string', default: 'a' }, 'INFO', 'INFO'],
  ['default-value-removed', { type: 'string', default: 'a' }, { type: 'string' }, 'INFO', 'INFO'],
  [
    'new-required-property',
    property({}),
    { type: 'object', properties: { a: {}, b: {} }, required: ['b'] },
    'ERR',
    'INFO',
  ],
  ['property-became-optional', property({}, 'a'), property({}), 'INFO', 'ERR'],
  ['property-became-required', property({}), property({}, 'a'), 'ERR', 'INFO'],
  ['became-required-with-default', property({ default: 1 }), property({ default: 1 }, 'a'), 'ERR', 'INFO'],
  ['became-read-only', property({ type: 'string' }), property({ type: 'string', readOnly: true }), 'INFO', 'INFO'],
  ['became-write-only', property({ type: 'string' }), property({ type: 'string', writeOnly: true }), 'INFO', 'INFO'],
  [
    'read-only-enum-value-removed',
    property({ enum: [1, 2], readOnly: true }),
    property({ enum: [1], readOnly: true }),
    'INFO',
    'INFO',
  ],
  [
    'read-only-max-decreased',
    property({ type: 'number', maximum: 9, readOnly: true }),
    property({ type: 'number', maximum: 5, readOnly: true }),
    'INFO',
    null,
  ],
  [
    'x-extensible-enum-value-removed',
    property({ 'x-extensible-enum': ['a', 'b'] }),
    property({ 'x-extensible-enum': ['a'] }),
    'ERR',
    null,
  ],
  [
    'stability-decreased',
    property({ 'x-stability-level': 'stable' }),
    property({ 'x-stability-level': 'alpha' }),
    'ERR',
    'ERR',
  ],
  [
    'stability-increased',
    property({ 'x-stability-level': 'alpha' }),
    property({ 'x-stability-level': 'stable' }),
    'INFO',
    'INFO',
  ],
]

const told = (base: Json, head: Json, place: Place, profile: ProfileName): string =>
  diff(carrying(place, base), carrying(place, head), { profile }).maxSeverity === 'breaking' ? 'ERR' : 'INFO'

describe('the oasdiff profile', () => {
  test.each(keywords.map((row) => [row[0], row] as const))('%s', (_, [, base, head, request, response]) => {
    const places: Place[] = ['request', 'request property', 'response', 'response property']
    const expected = [request, request, response, response]
    expect(places.map((place, i) => (expected[i] === null ? null : told(base, head, place, 'oasdiff')))).toEqual(
      expected,
    )
  })

  test('what holds when a parameter is left out counts', () => {
    expect(told({ type: 'string' }, { type: 'string', default: 'a' }, 'parameter', 'oasdiff')).toBe('ERR')
    expect(told({ type: 'string', default: 'a' }, { type: 'string' }, 'parameter', 'oasdiff')).toBe('ERR')
    expect(told({ type: 'integer' }, { type: 'string' }, 'parameter', 'oasdiff')).toBe('INFO')
    expect(told({ type: 'string' }, { type: 'integer' }, 'parameter', 'oasdiff')).toBe('ERR')
  })

  test('what becomes of an operation is judged by what was announced', () => {
    const paths = (operation: { readonly [key: string]: Json }) => documentWith(operation)
    const none = parseDocument(JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} }), {
      source: 'a.json',
    })
    const gone = (operation: { readonly [key: string]: Json }, profile: ProfileName = 'oasdiff') =>
      diff(paths(operation), none, { profile, asOf: '2026-01-31' }).maxSeverity
    expect(gone({})).toBe('breaking')
    expect(gone({ deprecated: true })).toBe('non-breaking')
    expect(gone({ deprecated: true }, 'standard')).toBe('breaking')
    expect(gone({ deprecated: true, 'x-sunset': '2026-02-01' })).toBe('breaking')
    expect(gone({ deprecated: true, 'x-sunset': '2026-01-30' })).toBe('non-breaking')
    for (const garbage of ['2026-01-32', '2026-02-31', '01/01/2025', '0000', 'done', '2026', '2026-01-30 or so'])
      for (const profile of ['oasdiff', 'standard'] as const)
        expect(gone({ deprecated: true, 'x-sunset': garbage }, profile)).toBe('breaking')
    expect(gone({ deprecated: true, 'x-sunset': 20260130 })).toBe('breaking')
    expect(gone({ deprecated: true, 'x-sunset': '2026-01-30T12:00:00Z' })).toBe('non-breaking')
    expect(
      diff(paths({ deprecated: true, 'x-sunset': '2026-02-31' }), none, { asOf: '2026-03-31' }).changes.map(
        ({ message }) => message,
      ),
    ).toEqual(['POST /a was removed (its x-sunset "2026-02-31" is not a calendar date)'])
    expect(() => diff(paths({}), none, { asOf: 'tomorrow' })).toThrow('"tomorrow" is not a calendar date')
    expect(gone({ 'x-stability-level': 'alpha' })).toBe('non-breaking')
    expect(gone({ 'x-stability-level': 'alpha' }, 'standard')).toBe('breaking')
    const turned = (base: Json, head: Json, profile: ProfileName = 'oasdiff') =>
      diff(documentWith(base as { [key: string]: Json }), documentWith(head as { [key: string]: Json }), {
        profile,
        asOf: '2026-01-31',
      }).maxSeverity
    expect(turned({}, { deprecated: true, 'x-sunset': 'soon' })).toBe('breaking')
    expect(turned({}, { deprecated: true, 'x-sunset': 'soon' }, 'standard')).toBe('non-breaking')
    expect(turned({}, { deprecated: true, 'x-sunset': '2026-01-01' })).toBe('breaking')
    expect(turned({}, { deprecated: true, 'x-sunset': '2027-01-01' })).toBe('non-breaking')
    expect(turned({ 'x-stability-level': 'stable' }, { 'x-stability-level': 'alpha' })).toBe('breaking')
    expect(turned({ 'x-stability-level': 'stable' }, { 'x-stability-level': 'alpha' }, 'standard')).toBe('docs-only')
    expect(turned({ 'x-stability-level': 'alpha' }, { 'x-stability-level': 'stable' })).toBe('non-breaking')
    expect(turned({ 'x-stability-level': 'none' }, { 'x-stability-level': 'nothing' })).toBe('breaking')
  })

  test('every check of oasdiff 1.15 has a rule of ours', () => {
    expect(new Set([...rules.values()].flatMap((rule) => rule.aliases ?? [])).size).toBe(509)
  })
})

describe('the openapi-diff profile', () => {
  test.each([
    ['a minimum length', { type: 'string', minLength: 5 }, { type: 'string', minLength: 9 }, 'INFO', 'INFO'],
    ['a maximum length', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }, 'ERR', 'INFO'],
    ['a longer maximum', { type: 'string', maxLength: 5 }, { type: 'string', maxLength: 9 }, 'INFO', 'ERR'],
    ['a narrower range', { type: 'number', maximum: 9 }, { type: 'number', maximum: 5 }, 'ERR', 'INFO'],
    ['a wider range', { type: 'number', maximum: 5 }, { type: 'number', maximum: 9 }, 'INFO', 'INFO'],
    ['another format', { type: 'string', format: 'date' }, { type: 'string', format: 'time' }, 'ERR', 'ERR'],
    ['a format added', { type: 'string' }, { type: 'string', format: 'date' }, 'ERR', 'ERR'],
    ['a wider type', { type: 'integer' }, { type: 'number' }, 'ERR', 'ERR'],
    ['a pattern removed', { type: 'string', pattern: 'a' }, { type: 'string' }, 'ERR', 'ERR'],
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'ERR', 'INFO'],
    ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, 'INFO', 'ERR'],
    [
      'fewer properties at most',
      { type: 'object', maxProperties: 3 },
      { type: 'object', maxProperties: 2 },
      'ERR',
      'ERR',
    ],
    ['a property removed', property({ type: 'string' }), { type: 'object', properties: {} }, 'INFO', 'INFO'],
  ] as readonly (readonly [string, Json, Json, string, string])[])('%s', (_, base, head, request, response) => {
    expect([told(base, head, 'request', 'openapi-diff'), told(base, head, 'response', 'openapi-diff')]).toEqual([
      request,
      response,
    ])
  })

  test('every status, every header and the way a value is written count', () => {
    const severity = (base: { readonly [key: string]: Json }, head: { readonly [key: string]: Json }) =>
      diff(documentWith(base), documentWith(head), { profile: 'openapi-diff' }).maxSeverity
    const ok = { description: 'ok' }
    expect(severity({ responses: { '200': ok, '404': ok } }, { responses: { '200': ok } })).toBe('breaking')
    expect(severity({ responses: { '200': { ...ok, headers: { A: {} } } } }, { responses: { '200': ok } })).toBe(
      'breaking',
    )
    const parameter = (explode: boolean): Json => [{ name: 'a', in: 'query', explode, schema: { type: 'string' } }]
    expect(severity({ parameters: parameter(true) }, { parameters: parameter(false) })).toBe('breaking')
  })
})
