import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { modsecurity } from '../../../../src/gateway/dialects/modsecurity.ts'
import { documentWith, gateway, operation } from '../../../fixtures/gateway/positive.ts'
import type { Request } from '../../../fixtures/gateway/seclang.ts'

type Fields = Readonly<Record<string, Json>>

/** What the values of one parameter of GET /a are answered with. */
function statuses(parameter: Fields, values: readonly string[], document: Fields = {}): string[] {
  const { status } = gateway(
    documentWith({ '/a': { get: operation({ parameters: [{ name: 'q', in: 'query', ...parameter }] }) } }, document),
  )
  return values.map((it) => `${status(`GET /a?q=${it}`)} ${it}`)
}
const refused = (schema: Json, values: readonly string[]): string[] =>
  statuses({ schema }, values)
    .filter((it) => it.startsWith('400'))
    .map((it) => it.slice(4))

const lost = (parameter: Fields, document: Fields = {}): string[] =>
  gateway(
    documentWith({ '/a': { get: operation({ parameters: [{ name: 'q', in: 'query', ...parameter }] }) } }, document),
  ).compiled.notEnforced.map(
    (it) => `${it.check} ${it.pointer.replace('/paths/~1a/get/parameters/0', '')}: ${it.reason}`,
  )

describe('values in a query', () => {
  test('integers', () => {
    const asked = ['5', '-5', '5.0', '1e3', '', 'a', '5.5', '5%0afoo', '0x5', '%205']
    expect(refused({ type: 'integer' }, asked)).toEqual(['1e3', '', 'a', '5.5', '5%0afoo', '0x5', '%205'])
    // As programs write integers that need an exponent; nothing smaller, and no fraction.
    const large = ['1e21', '1.5e+22', '-9E99', '1e%2B30', '1e20', '5.8e-211', '0e0', '12e30', '1.5e']
    expect(refused({ type: 'integer' }, large)).toEqual(['1e20', '5.8e-211', '0e0', '12e30', '1.5e'])
  })

  test('integers within bounds', () => {
    const schema = { type: 'integer', minimum: -12, exclusiveMaximum: 105 }
    const asked = ['-13', '-12', '-9', '0', '-0', '7', '007', '99', '104', '105', '1000']
    expect(refused(schema, asked)).toEqual(['-13', '105', '1000'])
    expect(refused({ type: 'integer', minimum: 0 }, ['-0', '-00', '0', '-1', '-01'])).toEqual(['-1', '-01'])
    const written = ['1', '100', '101', '1e9', '9.9e99', '-1e9', '1e-9', '0e0', '1e2', '1e21']
    expect(refused({ type: 'integer', minimum: 1, maximum: 100 }, written)).toEqual(written.slice(2))
    expect(refused({ type: 'integer', minimum: 1 }, written)).toEqual(['1e9', '-1e9', '1e-9', '0e0', '1e2'])
    // Bounds that no double holds, and beyond what is an integer of a machine.
    const [most, more] = ['1000000000000000000000', '1000000000000000000001']
    expect(refused({ type: 'integer', maximum: 1e21 }, [most, more, '1e21', '1e22', '-1e30'])).toEqual([
      more,
      '1e21',
      '1e22',
    ])
    expect(
      refused({ type: 'integer', format: 'int32' }, ['2147483647', '2147483648', '-2147483648', '-2147483649']),
    ).toEqual(['2147483648', '-2147483649'])
  })

  test('numbers; their bounds are checked to the next integer, which the report says', () => {
    expect(
      refused({ type: 'number', minimum: 0, maximum: 5 }, ['0', '4.9', '.5', '6', '-1', '-0.5', '1e2', 'NaN']),
    ).toEqual(['6', '-1', '-0.5', '1e2', 'NaN'])
    const doubles = ['1.0E7', '9.9e7', '1e8', '1e-7', '0.0E0', '-1e-7', '-1e7', '10e3']
    expect(refused({ type: 'number', minimum: 0, maximum: 2e7 }, doubles)).toEqual(['1e8', '-1e-7', '-1e7', '10e3'])
    expect(refused({ type: 'number', maximum: 0 }, doubles)).toEqual(['1.0E7', '9.9e7', '1e8', '1e-7', '10e3'])
    expect(refused({ type: 'number' }, doubles)).toEqual([])
    expect(lost({ schema: { type: 'number', maximum: 1e300 } })).toEqual([
      'parameters /schema/maximum: Bounds beyond 10^30 are not compared.',
    ])
    expect(lost({ schema: { type: 'number', maximum: 5 } })).toEqual([
      'parameters /schema/maximum: The bound of a number with a fraction is checked to the next integer, of one with an exponent to the next power of ten.',
    ])
  })

  test('booleans, null and listed values', () => {
    expect(refused({ type: 'boolean' }, ['true', 'false', 'True', '1', ''])).toEqual(['True', '1', ''])
    expect(refused({ type: ['integer', 'null'] }, ['1', 'null', '', 'x'])).toEqual(['x'])
    expect(refused({ enum: ['a+b', 'ü', 1, true] }, ['a%2Bb', 'a+b', '%C3%BC', '1', 'true', 'A', '1.5', ''])).toEqual([
      'A',
      '1.5',
      '',
    ])
    expect(refused({ const: 'on' }, ['on', 'off'])).toEqual(['off'])
  })

  test('texts by pattern, length and format', () => {
    expect(refused({ type: 'string', pattern: '^[a-z]{2,3}$' }, ['ab', 'abc', 'a', 'ab1', 'ab%0Acd', 'AB'])).toEqual([
      'a',
      'ab1',
      'ab%0Acd',
      'AB',
    ])
    expect(refused({ type: 'string', pattern: 'b+' }, ['abc', 'ac'])).toEqual(['ac'])
    expect(
      refused({ type: 'string', minLength: 2, maxLength: 3 }, ['', 'a', 'ab', '%C3%BC%C3%BC%C3%BC', 'abcd']),
    ).toEqual(['', 'a', 'abcd'])
    expect(refused({ type: 'string', format: 'date' }, ['2024-02-29', '2024-13-01', 'today'])).toEqual([
      '2024-13-01',
      'today',
    ])
    expect(
      refused({ type: 'string', format: 'date-time' }, [
        '2024-02-29T10:00:00Z',
        '2024-02-29T10:00:00+02:00',
        '2024-02-29',
      ]),
    ).toEqual(['2024-02-29'])
    expect(refused({ type: 'string', format: 'x-colour' }, ['anything'])).toEqual([])
  })

  test('what holds together is checked one by one, what holds instead at once', () => {
    const schema = { allOf: [{ type: 'string', pattern: '^a' }, { maxLength: 3 }, { $ref: '#/components/schemas/B' }] }
    const document = { components: { schemas: { B: { pattern: 'b$' } } } }
    expect(statuses({ schema }, ['ab', 'aab', 'aaab', 'b', 'a'], document)).toEqual([
      '0 ab',
      '0 aab',
      '400 aaab',
      '400 b',
      '400 a',
    ])
    expect(refused({ oneOf: [{ type: 'integer' }, { enum: ['all'] }] }, ['1', 'all', 'none'])).toEqual(['none'])
    expect(refused({ anyOf: [{ type: 'integer' }, {}] }, ['x'])).toEqual([])
    expect(refused({ type: ['integer', 'string'], pattern: '^x' }, ['1', 'xa', 'y'])).toEqual(['y'])
  })

  test('what RE2 cannot read is left out with the place and the reason (trap 7)', () => {
    const schema = { type: 'string', pattern: '^(?!a)', maxLength: 5 }
    expect(refused(schema, ['a', 'b', 'abcdef'])).toEqual(['abcdef'])
    expect(lost({ schema })).toEqual([
      'parameters /schema/pattern: Its pattern has what RE2 does not: a look around, a reference back, or an escape that is not regular.',
    ])
    expect(lost({ schema: { type: 'string', pattern: '^(a{40}){40}$' } })).toEqual([
      'parameters /schema/pattern: Its pattern repeats something more than 1,000 times, which RE2 refuses.',
    ])
    expect(lost({ schema: { type: 'string', maxLength: 5000 } })).toEqual([
      'parameters /schema/maxLength: Lengths above 1,000 are not counted: RE2 counts no further.',
    ])
    expect(lost({ schema: { type: 'integer', multipleOf: 5 } })).toEqual([
      'parameters /schema/multipleOf: Multiples cannot be seen in the text of a parameter.',
    ])
    expect(lost({ schema: { not: { const: 'x' } } })).toEqual([
      'parameters /schema/not: "not" cannot be said about the text of a parameter.',
    ])
    expect(lost({ schema: { $ref: '#/nowhere' } })).toEqual([
      'parameters /schema/$ref: Its reference "#/nowhere" cannot be resolved.',
    ])
    expect(refused({ $ref: '#/nowhere' }, ['anything'])).toEqual([])
  })

  test('required ones, and those that may be empty', () => {
    const required = gateway(
      documentWith({
        '/a': { get: operation({ parameters: [{ name: 'q', in: 'query', required: true, schema: {} }] }) },
      }),
    )
    expect(['/a', '/a?q', '/a?q=', '/a?q=1'].map((it) => required.status(`GET ${it}`))).toEqual([400, 0, 0, 0])
    expect(statuses({ schema: { type: 'integer' }, allowEmptyValue: true }, ['', 'a'])).toEqual(['0 ', '400 a'])
  })
})

test('in bytes a character of three bytes is one', () => {
  const parameters = [{ name: 'q', in: 'query', schema: { type: 'string', minLength: 3, maxLength: 4 } }]
  const { text } = gateway(documentWith({ '/a': { get: operation({ parameters }) } }), {
    dialect: modsecurity,
  }).compiled
  const written = /ARGS_GET:q "!@rx \\A(.*)\\z" "id/.exec(text)?.[1] ?? ''
  const pattern = new RegExp(`^${written}$`)
  const fits = (value: string): boolean => pattern.test(Buffer.from(value).toString('latin1'))
  expect(['€1', '€11', '€€€€', '11111', '€€€€€'].map(fits)).toEqual([false, true, true, false, false])
})

describe('lists and objects in a query', () => {
  const list = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 3 }

  test('a name for each item', () => {
    expect(statuses({ schema: list }, ['1&q=2', '1&q=2&q=3', '1', '1&q=2&q=3&q=4', '1&q=a'])).toEqual([
      '0 1&q=2',
      '0 1&q=2&q=3',
      '400 1',
      '400 1&q=2&q=3&q=4',
      '400 1&q=a',
    ])
  })

  test('all items in one text', () => {
    const one = (style: string) => ({ schema: list, style, explode: false })
    expect(statuses(one('form'), ['1,2', '1,2,3', '1', '1,2,3,4', '1,a', ''])).toEqual([
      '0 1,2',
      '0 1,2,3',
      '400 1',
      '400 1,2,3,4',
      '400 1,a',
      '400 ',
    ])
    expect(statuses(one('spaceDelimited'), ['1%202', '1,2'])).toEqual(['0 1%202', '400 1,2'])
    expect(statuses(one('pipeDelimited'), ['1%7C2', '1,2'])).toEqual(['0 1%7C2', '400 1,2'])
    expect(
      lost({ schema: { ...list, items: { type: 'string', minLength: 1, maxLength: 9 } }, explode: false }),
    ).toEqual(['parameters /schema: Its items cannot be counted within the text of the list.'])
    expect(lost({ schema: { type: 'array', uniqueItems: true } })).toEqual([
      'parameters /schema/uniqueItems: Equal items of a list cannot be found by an expression.',
    ])
  })

  test('properties by their names', () => {
    const schema = {
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      required: ['from'],
      additionalProperties: false,
    }
    const deep = gateway(
      documentWith({
        '/a': {
          get: operation({ parameters: [{ name: 'q', in: 'query', style: 'deepObject', required: true, schema }] }),
        },
      }),
    )
    expect(
      ['?q[from]=1', '?q[from]=a', '?q%5Bto%5D=1', '', '?r[from]=1'].map((it) => deep.status(`GET /a${it}`)),
    ).toEqual([0, 400, 400, 400, 400])
    expect(deep.compiled.notEnforced.map(({ reason }) => reason)).toEqual([
      'Members that the object does not list are not refused.',
    ])
    const flat = gateway(
      documentWith({ '/a': { get: operation({ parameters: [{ name: 'q', in: 'query', required: true, schema }] }) } }),
    )
    expect(['?from=1', '?from=a', '?to=1', '?from=1&other=1'].map((it) => flat.status(`GET /a${it}`))).toEqual([
      0, 400, 400, 400,
    ])
    expect(lost({ schema, explode: false })).toEqual(['parameters /schema: An object within one text is not checked.'])
  })

  test('a document within a value is not read', () => {
    expect(lost({ content: { 'application/json': { schema: { type: 'object' } } } })).toEqual([
      'parameters : Its value is a document of a media type within a text.',
    ])
  })
})

describe('names of a query', () => {
  const withParameters = (parameters: Json, more: Fields = {}) =>
    gateway(documentWith({ '/a': { get: operation({ parameters }) } }, more))

  test('those that are not declared are refused', () => {
    const { status, ask } = withParameters([{ name: 'filter[name]', in: 'query', schema: {} }])
    expect(
      ['?filter[name]=1', '?filter%5Bname%5D=1', '?Filter[name]=1', '?debug=1', '?x', ''].map((it) =>
        status(`GET /a${it}`),
      ),
    ).toEqual([0, 0, 400, 400, 400, 0])
    expect(ask('GET /a?debug=1').checks).toEqual(['undeclaredQuery'])
  })

  test('credentials in the query are declared', () => {
    const components = { securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'api_key' } } }
    const { status } = withParameters([], { components })
    expect(['?api_key=1', '?other=1'].map((it) => status(`GET /a${it}`))).toEqual([0, 400])
  })

  test('where any name is declared nothing is refused, and the report says so', () => {
    const { compiled, status } = withParameters([{ name: 'q', in: 'query', schema: { type: 'object' } }])
    expect(status('GET /a?any=1')).toBe(0)
    expect(compiled.notEnforced).toEqual([
      {
        check: 'undeclaredQuery',
        pointer: '/paths/~1a/get',
        reason: 'A parameter of the operation allows names that it does not list.',
      },
    ])
  })

  test('names that differ in case are not told apart, so that neither is checked', () => {
    const { compiled, status } = withParameters(
      ['limit', 'Limit'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
    )
    expect(['?limit=a', '?Limit=a'].map((it) => status(`GET /a${it}`))).toEqual([0, 0])
    expect(compiled.notEnforced.map((it) => it.reason)).toEqual(
      Array.from(
        { length: 2 },
        () => 'Another parameter differs in case only, and the engine does not distinguish them.',
      ),
    )
  })
})

describe('parameters elsewhere', () => {
  const at = (path: string, parameter: Fields) =>
    gateway(documentWith({ [path]: { get: operation({ parameters: [parameter] }) } }))

  test('in the path, decoded', () => {
    const id = { name: 'pet-id', in: 'path', required: true }
    const integer = at('/pets/{pet-id}/x', { ...id, schema: { type: 'integer' } })
    expect(['1', '%31', 'a', '1%2f2', '1;x=1'].map((it) => integer.status(`GET /pets/${it}/x`))).toEqual([
      0, 0, 400, 400, 400,
    ])
    const text = at('/pets/{pet-id}', { ...id, schema: { type: 'string', pattern: '^[a-z+/ü]+$' } })
    expect(['a+b', 'a%2fb', '%C3%BC', 'A'].map((it) => text.status(`GET /pets/${it}`))).toEqual([0, 0, 0, 400])
    const list = at('/pets/{pet-id}', { ...id, schema: { type: 'array', items: { type: 'integer' }, maxItems: 2 } })
    expect(['1', '1,2', '1,2,3', 'a'].map((it) => list.status(`GET /pets/${it}`))).toEqual([0, 0, 400, 400])
    const second = at('/{a}/{pet-id}.{b}', { ...id, schema: { type: 'integer' } })
    expect(['/x/1.y', '/1/x.1'].map((it) => second.status(`GET ${it}`))).toEqual([0, 400])
  })

  test('in headers and cookies', () => {
    const header = at('/a', { name: 'X-Count', in: 'header', required: true, schema: { type: 'integer' } })
    const send = (name: string, value: string): Request => ({ method: 'GET', uri: '/a', headers: [[name, value]] })
    expect([send('x-count', '1'), send('X-Count', 'a'), send('Other', '1')].map(header.status)).toEqual([0, 400, 400])
    const list = at('/a', { name: 'X-Ids', in: 'header', schema: { type: 'array', items: { type: 'integer' } } })
    expect([send('X-Ids', '1, 2'), send('X-Ids', '1,2'), send('X-Ids', '1;2')].map(list.status)).toEqual([0, 0, 400])
    const cookie = at('/a', { name: 'mode', in: 'cookie', required: true, schema: { enum: ['dark', 'light'] } })
    expect(
      [
        send('Cookie', 'a=b; mode=dark'),
        send('Cookie', 'mode=%64ark'),
        send('Cookie', 'mode=blue'),
        send('Cookie', 'a=b'),
      ].map(cookie.status),
    ).toEqual([0, 0, 400, 400])
  })

  test('Swagger 2.0 writes lists by its own words', () => {
    const parameters = [
      {
        name: 'q',
        in: 'query',
        type: 'array',
        items: { type: 'integer' },
        collectionFormat: 'pipes',
        'x-nullable': true,
      },
    ]
    const { status } = gateway({ swagger: '2.0', info: {}, paths: { '/a': { get: operation({ parameters }) } } })
    expect(['1|2', '1,2'].map((it) => status(`GET /a?q=${it}`))).toEqual([0, 400])
  })
})

describe('two operations that no request tells apart', () => {
  test('are both let through unchecked, and the report says so', () => {
    const one = (name: string) => ({
      get: operation({ parameters: [{ name, in: 'path', required: true, schema: { type: 'integer' } }] }),
    })
    const { status, compiled } = gateway(documentWith({ '/a/{x}': one('x'), '/a/{y}': one('y') }), {
      checks: { body: 'off', contentType: 'off', security: 'off' },
    })
    expect(status('GET /a/text')).toBe(0)
    expect(compiled.notEnforced.map((it) => `${it.check} ${it.pointer}`)).toEqual([
      'parameters /paths/~1a~1{x}/get',
      'undeclaredQuery /paths/~1a~1{x}/get',
      'parameters /paths/~1a~1{y}/get',
      'undeclaredQuery /paths/~1a~1{y}/get',
    ])
    expect(compiled.checks.find((it) => it.setting === 'positive:parameters')).toEqual({
      setting: 'positive:parameters',
      state: 'approximated',
      reason: '2 places of the document are not enforced as written.',
    })
  })
})
