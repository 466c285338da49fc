/** The documentation page without a browser: addresses, search, requests and their code. */
import { expect, test } from 'bun:test'
import type { OperationEntry, Parameter, ReaderIndex, SecurityScheme } from '../../src/api/reader.ts'
import { languages } from '../../web/documentation/code-samples.ts'
import { rowsOf } from '../../web/documentation/contents.tsx'
import { hrefOf, nameOf, type PagePlace, placeOf } from '../../web/documentation/place.ts'
import { composeRequest, serverUrl, startValues } from '../../web/documentation/request.ts'
import { search } from '../../web/documentation/search.ts'
import { outside } from '../../web/src/features/sign-in/outside.ts'
import { silenceReasons, whyNot } from '../../web/documentation/send.ts'

const listed = (method: string, path: string, summary: string, isWebhook = false) => ({
  method,
  path,
  summary,
  operationId: '',
  isWebhook,
  deprecated: false,
})
const index: ReaderIndex = {
  stamp: 's',
  title: 'T',
  version: '1',
  summary: '',
  description: '',
  servers: [],
  facts: [],
  security: [],
  operations: [
    listed('GET', '/pets/{id}', 'Read a pet'),
    listed('POST', '/pets', ''),
    listed('POST', 'newPet', 'New', true),
  ],
  groups: [
    { name: 'pets', description: '', count: 2 },
    { name: 'Webhooks', description: '', count: 1 },
  ],
  schemas: ['Pet', 'PetList'],
}

test('each place has an address that leads back to it, and old addresses still do', () => {
  const places: PagePlace[] = [
    { kind: 'introduction' },
    { kind: 'changes' },
    { kind: 'operation', index: 0 },
    { kind: 'operation', index: 2 },
    { kind: 'schema', index: 1 },
    { kind: 'group', index: 1 },
    { kind: 'unknown', name: 'GET /gone' },
  ]
  expect(places.map((place) => placeOf(index, hrefOf(index, place)))).toEqual(places)
  expect(placeOf(index, '#GET%20%2Fpets%2F%7Bid%7D')).toEqual({ kind: 'operation', index: 0 })
  expect(placeOf(index, '#%E0%A4%A')).toEqual({ kind: 'unknown', name: '%E0%A4%A' })
  expect(places.map((place) => nameOf(index, place))).toEqual([
    '',
    'Changes',
    'Read a pet',
    'New',
    'PetList',
    'Webhooks',
    '',
  ])
})

test('the contents list what is open', () => {
  const kinds = (open: number[]) =>
    rowsOf(index, new Set(open)).map((row) => ('index' in row ? `${row.kind} ${row.index}` : row.kind))
  expect(kinds([])).toEqual(['link', 'group 0', 'group 1', 'schemas'])
  expect(kinds([1, -1])).toEqual(['link', 'group 0', 'group 1', 'operation 2', 'schemas', 'schema 0', 'schema 1'])
})

test('the search finds parts of names first, then words of texts, of which all are needed', async () => {
  const asked: string[] = []
  const found = async (text: string) =>
    (
      await search(index, text, async (name) => {
        asked.push(name)
        const words: Record<string, Record<string, number[]>> = {
          'words-p': { pet: [3, 4 + 1, 12 + 3], petlist: [16 + 3] },
          'words-c': { cat: [4 + 2], category: [12 + 1] },
        }
        return words[name] ?? {}
      })
    ).map(({ kind, index }) => `${kind} ${index}`)
  expect(await found('Pet')).toEqual(['schema 0', 'operation 0', 'schema 1', 'operation 1', 'operation 2'])
  expect(await found('pet cat')).toEqual(['schema 0', 'operation 1'])
  expect(await found('etlis')).toEqual(['schema 1'])
  expect(await found('  ')).toEqual([])
  expect(await found('zebra')).toEqual([])
  expect([...new Set(asked)].sort()).toEqual(['words-c', 'words-e', 'words-p', 'words-z'])
})

const parameter = (name: string, place: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  place,
  required: true,
  deprecated: false,
  description: '',
  view: { type: ['string'], facts: [], description: '', deprecated: false, members: [] },
  examples: [],
  sample: null,
  ...more,
})
const operation: OperationEntry = {
  id: 'x',
  method: 'POST',
  path: '/pets/{id}',
  isWebhook: false,
  summary: '',
  operationId: '',
  description: '',
  deprecated: false,
  parameters: [
    parameter('id', 'path', { sample: 'string' }),
    parameter('tag', 'query', {
      sample: 'a,b c',
      view: { type: ['array of ', 'string'], facts: [], description: '', deprecated: false, members: [] },
    }),
    parameter('X-Trace', 'header', { examples: [{ name: 'Example', text: 't1' }] }),
    parameter('page', 'query', { required: false, sample: '1' }),
  ],
  body: {
    required: true,
    description: '',
    media: [
      { type: 'application/xml', view: null, examples: [], sample: null },
      {
        type: 'application/json',
        view: null,
        examples: [],
        sample: '{\n  "name": "O\'Neil",\n  "ok": true,\n  "no": null\n}',
      },
    ],
  },
  responses: [],
  security: [],
  schemes: [[], ['token'], ['other']],
  servers: [],
  callbacks: [],
  ownSamples: [],
}
const token: SecurityScheme = {
  name: 'token',
  kind: '',
  description: '',
  type: 'http',
  scheme: 'bearer',
  carrier: '',
  place: '',
}

test('a request is what was filled in, with a placeholder for a credential', () => {
  const start = startValues(operation, 'https://api.example.com')
  expect(start.values).toEqual({ 'path id': '', 'query tag': 'a,b c', 'header X-Trace': 't1' })
  const request = composeRequest(operation, [token], { ...start, values: { ...start.values, 'path id': 'a/b' } })
  expect([request.method, request.url, request.headers]).toEqual([
    'POST',
    'https://api.example.com/pets/a%2Fb?tag=a&tag=b%20c',
    [
      ['X-Trace', 't1'],
      ['Authorization', 'Bearer TOKEN'],
      ['Content-Type', 'application/json'],
    ],
  ])
  const with_ = (scheme: Partial<SecurityScheme>, value = 'ä:b') =>
    composeRequest({ ...operation, body: null, parameters: [] }, [{ ...token, ...scheme }], {
      ...start,
      bodyType: null,
      credentials: { token: value },
    })
  expect(with_({ scheme: 'basic' }).headers).toEqual([['Authorization', 'Basic w6Q6Yg==']])
  expect(with_({ type: 'apiKey', place: 'query', carrier: 'k' }).url).toBe(
    'https://api.example.com/pets/{id}?k=%C3%A4%3Ab',
  )
  expect(with_({ type: 'apiKey', place: 'cookie', carrier: 'k' }, 'v').headers).toEqual([['Cookie', 'k=v']])
})

test('the variables of a server are put into its address', () => {
  const server = {
    url: 'https://{region}.example.com/{base}/',
    description: '',
    variables: [
      { name: 'region', value: 'eu', choices: [], description: '' },
      { name: 'base', value: 'v1', choices: [], description: '' },
    ],
  }
  expect(serverUrl(server)).toBe('https://eu.example.com/v1')
  expect(serverUrl(server, { region: 'us' })).toBe('https://us.example.com/v1')
})

test('the code of a request keeps quotes, lines and values as they are', () => {
  const start = startValues(operation, 'https://api.example.com')
  const request = composeRequest(operation, [token], { ...start, values: { 'path id': '1' } })
  const code = Object.fromEntries(languages.map(({ id, write }) => [id, write(request)]))
  expect(code['curl']).toBe(
    [
      "curl -X POST 'https://api.example.com/pets/1' \\",
      "  -H 'Authorization: Bearer TOKEN' \\",
      "  -H 'Content-Type: application/json' \\",
      `  --data-raw '{\n  "name": "O'\\''Neil",\n  "ok": true,\n  "no": null\n}'`,
    ].join('\n'),
  )
  expect(code['javascript']).toContain('  body: JSON.stringify({\n    "name": "O\'Neil",\n    "ok": true,')
  expect(code['python']).toContain(
    '    json={\n        "name": "O\'Neil",\n        "ok": True,\n        "no": None,\n    },',
  )
  expect(code['go']).toContain('\tbody := strings.NewReader(`{\n  "name": "O\'Neil",')
  expect(code['java']).toContain('ofString("""\n        {\n          "name": "O\'Neil",')
  expect(code['csharp']).toContain('new StringContent("""\n    {\n      "name": "O\'Neil",')
  const lines = { ...request, body: 'a`\r\n"""\\' }
  for (const id of ['go', 'java', 'csharp', 'javascript', 'python'] as const)
    expect(languages.find((it) => it.id === id)?.write(lines)).toContain(JSON.stringify(lines.body))
  const plain = { method: 'GET', url: 'https://a.example/', headers: [], body: null }
  expect(languages.map(({ write }) => write(plain).length > 20)).toEqual(languages.map(() => true))
  expect(languages[0].write(plain)).toBe("curl 'https://a.example/'")
})

test('why nothing is sent, and why a browser shows no answer, is said in words', () => {
  const origins = ['https://api.example.com', 'http://plain.example.com']
  expect(whyNot('https://api.example.com/x', origins, 'https://docs.example')).toBeNull()
  expect(whyNot('/x', origins, 'https://docs.example')).toContain('names no server with a full address')
  expect(whyNot('https://{region}.example.com/x', origins, 'https://docs.example')).toContain('no server with a full')
  expect(whyNot('https://evil.example/x', origins, 'https://docs.example')).toContain('https://evil.example is not one')
  expect(whyNot('http://plain.example.com/x', origins, 'https://docs.example')).toContain('over plain http')
  expect(silenceReasons('https://api.example.com/x', 'https://docs.example')[1]).toContain(
    '"Access-Control-Allow-Origin: https://docs.example"',
  )
})

test('after signing in only pages of this service are gone back to', () => {
  const good = ['/v1/swagger/acme/pets/1.0.0?view=workflows', '/p/acme']
  expect(good.map(outside)).toEqual(good)
  const bad = [
    null,
    '/v1/schema/a/b/c',
    '//evil.example/p/',
    '/p//evil',
    '/p/\\evil',
    'https://evil.example/p/',
    '/pets/',
  ]
  expect(bad.map(outside)).toEqual(bad.map(() => null))
})
