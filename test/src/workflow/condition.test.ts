import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { isLooselyEqual, parseCondition, passes } from '../../../src/workflow/condition.ts'
import { checkCriterion } from '../../../src/workflow/criterion.ts'
import { ConditionInvalid } from '../../../src/workflow/faults.ts'
import type { Scope } from '../../../src/workflow/scope.ts'

const scope = (body: Json, status = 200): Scope => ({
  self: null,
  inputs: { limit: 3, name: 'Ann', 'a.b': 1, user: { id: 'u1' } },
  outputs: {},
  exchange: {
    url: 'https://a.example/x',
    method: 'GET',
    request: { headers: {}, query: {}, path: {}, body: undefined },
    response: { status, headers: { 'x-count': '5' }, query: {}, path: {}, body },
  },
  steps: new Map([['one', { list: [{ id: 7 }] }]]),
  workflows: new Map(),
  sources: new Map([['shop', { name: 'shop', url: 'https://a.example/shop.yaml' }]]),
  components: { parameters: { p: { name: 'p', value: 1 } } },
})
const body = { count: 2, name: 'ann', list: ['x', 'y'], empty: null, ok: true, sub: { a: 1 } }
const holds = (text: string): boolean => passes(parseCondition(text), scope(body))

describe('simple conditions', () => {
  test.each([
    '$statusCode == 200',
    '$statusCode==200&&$response.body#/count>1',
    "$response.body.name == 'ANN'",
    '$response.body#/name == $inputs.name',
    '$response.header.X-Count > 4',
    "$response.header.x-count == '5'",
    "$response.body.list[1] == 'y'",
    '$response.body#/empty == null',
    '$response.body#/missing == null',
    '$response.body.count != null',
    '!($statusCode == 404) && (1 < 2 || false)',
    "$inputs.user.id == 'u1'",
    '$inputs.a.b == 1',
    '$steps.one.outputs.list[0].id == 7',
    '$steps.one.outputs.list.0.id == 7',
    '$steps.one.outputs.list.1.id == null',
    '$steps.one.outputs.list.length == null',
    "$response.body.ok == true && $response.body.ok == 'true'",
    "'it''s' == 'IT''S'",
    '$response.body.ok',
    '$method == "get"',
    "$url == 'https://a.example/x'",
    "$sourceDescriptions.shop.url == 'https://a.example/shop.yaml'",
    '{$statusCode} == 200',
    '-1.5e1 == -15',
    '!$response.body.missing',
    '$response.body.sub == $response.body.sub',
  ])('%s', (text) => expect(holds(text)).toBe(true))

  test.each([
    '$statusCode == 201',
    'null == 0',
    "null == ''",
    '$response.body#/empty > 0',
    "'a' < 1",
    '$response.body.empty',
    '$response.body.missing',
    '$response.body.list < 5',
    'false || null',
    "'10' == 9",
  ])('%s fails', (text) => expect(holds(text)).toBe(false))

  test.each([
    '',
    '==',
    '1 ==',
    '(1 == 1',
    '1 == 1)',
    '$nothing == 1',
    '$response.body.a b',
    "$statusCode == 'open",
    'available == 1',
    '1 & 2',
    `${'('.repeat(500)}1${')'.repeat(500)}`,
    '!'.repeat(5000),
  ])('%s is no condition', (text) => expect(() => parseCondition(text)).toThrow(ConditionInvalid))

  test('no text raises any other error', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('$=!<>()&|\'" .[]{}#/a1')) }), (text) => {
        try {
          parseCondition(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ConditionInvalid)
        }
      }),
    ))

  test('equality is loose, symmetric, and null is equal to itself alone', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(isLooselyEqual(a as Json, b as Json)).toBe(isLooselyEqual(b as Json, a as Json))
        expect(isLooselyEqual(a as Json, null)).toBe(a === null)
        expect(isLooselyEqual(a as Json, a as Json)).toBe(true)
      }),
    ))
})

describe('criteria', () => {
  const check = (criterion: { readonly [key: string]: Json }, value: Json = body) =>
    checkCriterion(criterion, scope(value))

  test('simple ones say what the values are', async () => {
    expect(await check({ condition: '$statusCode == 201' })).toEqual({
      condition: '$statusCode == 201',
      type: 'simple',
      context: null,
      met: false,
      reason: '`$statusCode` is 200',
    })
  })

  test('regular expressions, with values in them', async () => {
    expect(await check({ context: '$statusCode', type: 'regex', condition: '^2\\d{2}$' })).toMatchObject({ met: true })
    expect(
      await check({ context: '$response.body#/name', type: 'regex', condition: '^{$inputs.name}$' }),
    ).toMatchObject({
      met: false,
      reason: '`$response.body#/name` is "ann"',
    })
    expect(await check({ context: '$response.body#/gone', type: 'regex', condition: '.*' })).toMatchObject({
      met: false,
      reason: 'Its context `$response.body#/gone` has no value',
    })
    expect(await check({ context: '$statusCode', type: 'regex', condition: '(' })).toMatchObject({ met: false })
    const slow = await check({ context: '$response.body', type: 'regex', condition: '(x+x+)+y' }, 'x'.repeat(5000))
    expect(slow.met).toBe(false)
  })

  test('JSONPath: true where a node is selected', async () => {
    const list = { pets: [{ id: 1, status: 'sold' }] }
    const of = (condition: string) => check({ context: '$response.body', type: 'jsonpath', condition }, list)
    expect(await of('$.pets[*]')).toMatchObject({ met: true })
    expect(await of('$.pets[?@.status == "sold"]')).toMatchObject({ met: true })
    expect(await of('$.pets[?@.id == {$inputs.limit}]')).toMatchObject({ met: false })
    expect(await of('$.pets[?count(@.*) > 1]')).toMatchObject({ met: true })
    expect(await of("$.pets[0].status == 'SOLD'")).toMatchObject({ met: true })
    expect(await of('$.pets[0].id > 1')).toMatchObject({ met: false })
    expect((await of('$.pets[')).reason).toContain('is no JSONPath')
    expect(
      await check(
        { context: '$response.body', type: { type: 'jsonpath', version: 'rfc9535' }, condition: '$.a' },
        '{"a":1}',
      ),
    ).toMatchObject({ met: true, type: 'jsonpath' })
    expect((await check({ context: '$response.body', type: 'jsonpath', condition: '$.a' }, '<a/>')).reason).toContain(
      'no JSON',
    )
  })

  test('XPath: the effective boolean value', async () => {
    const xml = '<root xmlns="urn:x"><pets><pet price="4">Rex</pet></pets></root>'
    const of = (condition: string, text = xml) => check({ context: '$response.body', type: 'xpath', condition }, text)
    expect(await of('/root/pets/pet')).toMatchObject({ met: true })
    expect(await of('count(/root/pets/*) > 1')).toMatchObject({ met: false })
    expect(await of('/root/pets/pet[@price > {$inputs.limit}]')).toMatchObject({ met: true })
    expect(await of("''")).toMatchObject({ met: false })
    expect(await of('0')).toMatchObject({ met: false })
    expect((await of('/root[')).reason).toContain('cannot be evaluated')
    expect((await of('/a', 'no xml <')).reason).toContain('no XML')
    expect((await of('/a', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).reason).toContain('document type')
  })
})
