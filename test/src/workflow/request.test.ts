import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { checkAnswer, mismatchText, readAnswer } from '../../../src/workflow/answer.ts'
import { mockAnswer } from '../../../src/workflow/mock.ts'
import { readDescription, type Called } from '../../../src/workflow/openapi.ts'
import { bodyOf } from '../../../src/workflow/payload.ts'
import { baseOf, missingIn, requestOf } from '../../../src/workflow/request.ts'
import { sample } from '../../../src/workflow/sample.ts'
import type { Scope } from '../../../src/workflow/scope.ts'
import { Redaction } from '../../../src/workflow/secrets.ts'
import { answer, read } from '../../fixtures/workflow/world.ts'

const operation = (text: string, path = '/a/{id}', rest = ''): Called => {
  const root = read(
    `openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n${rest}paths:\n  ${path}:\n    post: ${text}\n`,
  )
  return readDescription('shop', 'https://docs.example/v1/a.yaml', root).operations[0]!
}
const scope: Scope = {
  self: null,
  inputs: { id: 7, name: 'A&B', list: [1, 2], order: { sku: 'x', n: 2 }, xml: '<a><b>1</b></a>' },
  outputs: {},
  exchange: null,
  steps: new Map(),
  workflows: new Map(),
  sources: new Map(),
  components: {},
}

describe('requests', () => {
  const url = (
    parameters: string,
    given: readonly { name: string; in: string; value: Json }[],
    path = '/a/{id}',
  ): string => {
    const called = operation(`{ parameters: ${parameters}, responses: {} }`, path)
    return requestOf(called, new URL('https://api.example/base/?k=1'), given, null).url
  }
  test('paths and queries by style', () => {
    const id = (value: Json) => ({ name: 'id', in: 'path', value })
    const declared = (rest: string) => `[{ name: id, in: path, required: true, ${rest} }]`
    expect(url(declared('schema: {}'), [id('a/b c')])).toBe('https://api.example/base/a/a%2Fb%20c?k=1')
    expect(url(declared('style: label, explode: true'), [id(['x', 'y'])])).toBe('https://api.example/base/a/.x.y?k=1')
    expect(url(declared('style: matrix'), [id({ a: 1 })])).toBe('https://api.example/base/a/;id=a,1?k=1')
    const query = (rest: string, value: Json) =>
      url(`[{ name: q, in: query, ${rest} }]`, [{ name: 'q', in: 'query', value }], '/a').split('?k=1&')[1]
    expect(query('schema: {}', ['a', 'b&'])).toBe('q=a&q=b%26')
    expect(query('explode: false', ['a', 'b'])).toBe('q=a,b')
    expect(query('style: pipeDelimited', ['a', 'b'])).toBe('q=a%7Cb')
    expect(query('style: deepObject', { a: 1, b: 'x y' })).toBe('q%5Ba%5D=1&q%5Bb%5D=x%20y')
    expect(query('schema: {}', { a: 1, b: 2 })).toBe('a=1&b=2')
    expect(query('content: { application/json: {} }', { a: [1] })).toBe('q=%7B%22a%22%3A%5B1%5D%7D')
    expect(query('allowReserved: true', 'a/b?c')).toBe('q=a/b?c')
    expect(url('[]', [{ name: 'all', in: 'querystring', value: 'a=1&b=2' }], '/a')).toBe(
      'https://api.example/base/a?k=1&a=1&b=2',
    )
  })

  test('headers, cookies and what is missing', () => {
    const called = operation(
      '{ parameters: [{ name: X-A, in: header, required: true }, { name: q, in: query, required: true }], requestBody: { required: true, content: {} }, responses: { 200: { content: { application/json: {} } } } }',
      '/a',
    )
    const given = [
      { name: 'x-a', in: 'header', value: [1, 2] },
      { name: 'c', in: 'cookie', value: 'v' },
    ]
    expect(requestOf(called, new URL('https://api.example'), given, null).headers).toEqual([
      ['x-a', '1,2'],
      ['Cookie', 'c=v'],
      ['Accept', 'application/json, */*'],
    ])
    expect(missingIn(called, given, null)).toEqual([
      'The step does not set the required query parameter "q"',
      'The step does not set the required body',
    ])
    expect(() =>
      requestOf(called, new URL('https://api.example'), [{ name: 'X-B', in: 'header', value: 'a\r\nX-C: d' }], null),
    ).toThrow('has characters that no header may have')
  })

  test('servers: chosen, with variables, relative to the description', () => {
    const at = (servers: string, address = 'https://docs.example/v1/a.yaml', chosen: string | null = null): string =>
      baseOf(operation('{ responses: {} }', '/a', servers), address, chosen).href
    expect(
      at(
        'servers: [{ url: "https://{host}.example/{v}", variables: { host: { default: api }, v: { default: v2 } } }]\n',
      ),
    ).toBe('https://api.example/v2')
    expect(at('servers: [{ url: /v3 }]\n')).toBe('https://docs.example/v3')
    expect(at('servers: [{ url: /v3 }]\n', 'a.yaml', 'http://127.0.0.1:1/x')).toBe('http://127.0.0.1:1/x')
    expect(() => at('servers: [{ url: /v3 }]\n', 'a.yaml')).toThrow('give one with --server shop=URL')
    expect(() => at('')).toThrow('names no server')
  })
})

describe('bodies', () => {
  const called = operation('{ requestBody: { content: { application/json: {} } }, responses: {} }', '/a')
  const body = async (requestBody: string) => bodyOf(read(`requestBody: ${requestBody}`), called, scope)
  test('JSON from values, from a template, from one expression', async () => {
    expect(await body('{ payload: { id: $inputs.id, text: "n {$inputs.name}" } }')).toEqual({
      type: 'application/json',
      text: '{"id":7,"text":"n A&B"}',
      value: { id: 7, text: 'n A&B' },
    })
    expect(await body(`{ payload: '{"id": "{$inputs.id}"}' }`)).toMatchObject({
      text: '{"id": "7"}',
      value: { id: '7' },
    })
    expect(await body('{ payload: $inputs.name }')).toMatchObject({ text: '"A&B"' })
    expect(
      await body('{ payload: { sku: { context: $inputs.order, selector: $.sku, type: jsonpath } } }'),
    ).toMatchObject({
      value: { sku: 'x' },
    })
  })
  test('replacements by pointer, by JSONPath and by XPath', async () => {
    expect(
      await body(
        '{ payload: $inputs.order, replacements: [{ target: /sku, value: $inputs.id }, { target: /more/0, value: y }] }',
      ),
    ).toMatchObject({ value: { sku: 7, n: 2, more: { '0': 'y' } } })
    expect(
      await body(
        '{ payload: [{ a: 1 }, { a: 2 }], replacements: [{ target: "$[?@.a > 1].a", targetSelectorType: jsonpath, value: 9 }, { target: /-, value: { a: 3 } }] }',
      ),
    ).toMatchObject({ value: [{ a: 1 }, { a: 9 }, { a: 3 }] })
    expect(
      await body(
        '{ contentType: application/xml, payload: $inputs.xml, replacements: [{ target: /a/b, value: "<2>" }] }',
      ),
    ).toMatchObject({ text: '<a><b>&lt;2&gt;</b></a>' })
    expect(await body('{ replacements: [{ target: /a/b, value: 1 }] }')).toMatchObject({ value: { a: { b: 1 } } })
  })
  test('forms', async () => {
    expect(
      await body(
        '{ contentType: application/x-www-form-urlencoded, payload: { name: $inputs.name, list: $inputs.list, t: a b } }',
      ),
    ).toMatchObject({ text: 'name=A%26B&list=1&list=2&t=a+b' })
    // A form that is written out has its replacements, too.
    const form = (payload: string, target: string) =>
      body(
        `{ contentType: application/x-www-form-urlencoded, payload: '${payload}', replacements: [{ target: ${target}, value: New York }] }`,
      )
    expect(await form('name={$inputs.id}&city=Lviv', '/city')).toMatchObject({
      text: 'name=7&city=New+York',
      value: { name: '7', city: 'New York' },
    })
    expect(await form('city=Lviv&city=Kyiv&n=1', '/city/1')).toMatchObject({ text: 'city=Lviv&city=New+York&n=1' })
    expect(await body('{ contentType: application/x-www-form-urlencoded, payload: a=1&b=2 }')).toMatchObject({
      text: 'a=1&b=2',
    })
    const multipart = await body('{ contentType: multipart/form-data, payload: { a: $inputs.name, o: $inputs.order } }')
    expect(multipart?.type).toBe('multipart/form-data; boundary=svc-form-boundary')
    expect(multipart?.text).toContain('name="o"\r\nContent-Type: application/json\r\n\r\n{"sku":"x","n":2}\r\n')
  })
})

describe('answers', () => {
  const called = operation(
    `{ responses: { '200': { headers: { X-N: { required: true, schema: { type: integer } } }, content: { application/json: { schema: { $ref: '#/components/schemas/O' } }, text/plain: { schema: { maxLength: 2 } } } }, 4XX: { description: no } } }`,
    '/a',
    'components: { schemas: { O: { type: object, required: [id, secret], properties: { id: { type: string }, secret: { writeOnly: true } } } } }\n',
  )
  const told = (received: Parameters<typeof readAnswer>[0]): Promise<string[]> =>
    checkAnswer(called, readAnswer(received)).then(({ mismatches }) => mismatches.map(mismatchText))
  const good = [['X-N', '3']] as const
  test('status, headers, media type, content', async () => {
    expect(await told(answer(200, { id: 'a' }, good))).toEqual([])
    expect(await told(answer(404))).toEqual([])
    expect(await told(answer(500, {}))).toEqual(['The status is 500, but the description has 200, 4XX'])
    expect(await told(answer(200, { id: 1 }, [['x-n', 'a']]))).toEqual([
      'The header "X-N" must be integer',
      'The content at /id must be string',
    ])
    expect(await told(answer(200, { id: 'a' }))).toEqual(['The header "X-N" is required, and is missing'])
    expect(await told(answer(200, undefined, good))).toEqual(['The content is missing; the answer 200 has a content'])
    const text = (type: string, content: string) => ({
      status: 200,
      headers: [['content-type', type], ...good] as const,
      body: new TextEncoder().encode(content),
    })
    expect(await told(text('text/html', 'x'))).toEqual([
      'The media type is text/html, but the description has application/json, text/plain',
    ])
    expect(await told(text('text/plain; charset=utf-8', 'abc'))).toEqual([
      'The content must NOT have more than 2 characters',
    ])
    const number = operation(
      "{ responses: { '200': { content: { text/plain: { schema: { type: integer } } } } } }",
      '/a',
    )
    expect((await checkAnswer(number, readAnswer(text('text/plain', '5')))).mismatches).toEqual([])
    expect((await checkAnswer(number, readAnswer(text('text/plain', 'five')))).mismatches).toHaveLength(1)
    expect((await told(text('application/json', '{')))[0]).toStartWith('The content is no JSON')
  })

  test('made answers fit their description', async () => {
    const made = mockAnswer(called, {})
    expect(await told(made)).toEqual([])
    expect(mockAnswer(called, read('successCriteria: [{ condition: $statusCode == 400 }]')).status).toBe(400)
    expect(mockAnswer(called, read('successCriteria: [{ condition: "$response.body#/x == \'y\'" }]')).status).toBe(200)
  })

  test.each([
    '{ type: object, required: [a], properties: { a: { type: integer, minimum: 5, multipleOf: 3 }, b: { $ref: "#/x" } } }',
    '{ allOf: [{ type: object, properties: { a: { enum: [q] } } }, { properties: { b: { type: array, minItems: 2, items: { format: uuid, type: string } } } }] }',
    '{ oneOf: [{ type: string, minLength: 9, maxLength: 9 }, { type: "null" }] }',
    '{ type: [string, "null"], format: date-time }',
    '{ type: number, exclusiveMaximum: 0 }',
    '{ $ref: "#/x" }',
  ])('a sample of %s is valid', (text) => {
    const root = read(`x: { type: object, properties: { again: { $ref: "#/x" } } }\ns: ${text}\n`)
    expect(sample(root, root.s!).isValid).toBe(true)
  })
})

test('secrets are hidden in every form in which they travel', () => {
  const redaction = new Redaction(['p&ss "w"', 'abc'])
  const forms = [
    'p&ss "w"',
    JSON.stringify('p&ss "w"'),
    encodeURIComponent('p&ss "w"'),
    'p%26ss+%22w%22',
    btoa('p&ss "w"'),
    'p&amp;ss &quot;w&quot;',
  ]
  for (const form of forms) expect(redaction.text(`<${form}>`)).toMatch(/^<"?\*\*\*"?>$/)
  expect(redaction.value({ abc: ['xabcx', 1, null] })).toEqual({ '***': ['x***x', 1, null] })
})
