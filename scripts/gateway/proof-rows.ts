/** What the table of proof has rows for: each with an operation of its own, and requests for what is not a value. */
import type { Json } from '../../src/kernel/json.ts'

type Fields = Readonly<Record<string, Json>>

/** A row whose values are made by the generator in Python. */
export interface ValueRow {
  readonly constraint: string
  readonly where: 'query' | 'path' | 'header' | 'cookie' | 'form' | 'multipart' | 'json'
  readonly schema: Json
  /** How a list is written; empty for a single value. */
  readonly style: string
}

const integer = { type: 'integer' }
const scalars: Readonly<Record<string, Fields>> = {
  integer,
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  string: { type: 'string', minLength: 1 },
  null: { type: ['integer', 'null'] },
  enum: { type: 'string', enum: ['red', 'green', 'light blue'] },
  const: { type: 'string', const: 'on' },
  minimum: { type: 'integer', minimum: 7 },
  maximum: { type: 'integer', maximum: 100 },
  exclusiveMinimum: { type: 'integer', exclusiveMinimum: 7 },
  exclusiveMaximum: { type: 'integer', exclusiveMaximum: 100 },
  minLength: { type: 'string', minLength: 3 },
  maxLength: { type: 'string', maxLength: 10 },
  pattern: { type: 'string', pattern: '^[a-z]{2,8}-[0-9]+$' },
  'format date': { type: 'string', format: 'date' },
  'format uuid': { type: 'string', format: 'uuid' },
  'format int32': { type: 'integer', format: 'int32' },
  'format int64': { type: 'integer', format: 'int64' },
  allOf: { allOf: [{ type: 'integer' }, { minimum: 1 }, { maximum: 50 }] },
  anyOf: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['all'] }] },
  oneOf: { oneOf: [{ type: 'integer' }, { type: 'string', enum: ['all'] }] },
}
const list = { type: 'array', items: { type: 'integer', minimum: 0, maximum: 99 } }
const lists: Readonly<Record<string, Fields>> = {
  array: list,
  minItems: { ...list, minItems: 2 },
  maxItems: { ...list, maxItems: 3 },
}
const object = (properties: Fields, more: Fields = {}): Json => ({ type: 'object', properties, ...more })
const bodies: Readonly<Record<string, Json>> = {
  object: object({ a: integer }),
  required: object({ a: integer, b: { type: 'string' } }, { required: ['a'] }),
  additionalProperties: object({ a: integer }, { additionalProperties: false }),
  minProperties: object({}, { minProperties: 1, additionalProperties: integer }),
  maxProperties: object({}, { maxProperties: 2, additionalProperties: integer }),
  patternProperties: object({}, { patternProperties: { '^x': integer }, additionalProperties: false }),
  array: { type: 'array', items: integer },
  minItems: { type: 'array', items: integer, minItems: 2 },
  maxItems: { type: 'array', items: integer, maxItems: 3 },
  uniqueItems: { type: 'array', items: integer, uniqueItems: true },
  prefixItems: { type: 'array', prefixItems: [integer, { type: 'string' }], items: false },
  multipleOf: { type: 'integer', multipleOf: 5 },
}

const styles = {
  query: ['form exploded', 'form', 'spaceDelimited', 'pipeDelimited'],
  form: ['form exploded', 'form'],
  multipart: [],
  path: ['simple'],
  header: ['simple'],
  cookie: [],
} as const

const inOne = (where: Exclude<ValueRow['where'], 'json'>): ValueRow[] => [
  ...Object.entries(scalars).map(([word, schema]) => ({ constraint: `${where} ${word}`, where, schema, style: '' })),
  ...styles[where].flatMap((style, i) => [
    { constraint: `${where} ${style}`, where, schema: list, style },
    ...(i === 0
      ? Object.entries(lists).map(([word, schema]) => ({ constraint: `${where} ${word}`, where, schema, style }))
      : []),
  ]),
]

const styled = (style: string): ValueRow[] =>
  [list, scalars['integer'] ?? {}].map((schema) => ({ constraint: `path ${style}`, where: 'path', schema, style }))
const members = object(
  { a: { type: 'integer', minimum: 0, maximum: 99 }, b: { type: 'string', enum: ['x', 'y'] } },
  { required: ['a'], additionalProperties: false },
)
/** Objects of a query, each word with the style that has names of members. */
const deepObjects: readonly ValueRow[] = [
  ...['deepObject', 'deepObject exploded'].map((style) => ({ constraint: `query ${style}`, style })),
  ...['object', 'additionalProperties'].map((word) => ({ constraint: `query ${word}`, style: 'deepObject exploded' })),
].map((it) => ({ ...it, where: 'query', schema: members }))

export const valueRows: readonly ValueRow[] = [
  ...(['query', 'path', 'header', 'cookie', 'form', 'multipart'] as const).flatMap(inOne),
  ...['label', 'label exploded', 'matrix', 'matrix exploded'].flatMap(styled),
  ...deepObjects,
  ...Object.entries({ ...scalars, ...bodies }).map(([word, schema]) => ({
    constraint: `json ${word}`,
    where: 'json' as const,
    schema: object({ a: schema }, { required: ['a'] }),
    style: '',
  })),
]

/** A request, and whether the document describes it. */
export interface Case {
  readonly constraint: string
  readonly isDescribed: boolean
  readonly method: string
  readonly uri: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const host = ['Host', 'proof.example'] as const
const of = (
  constraint: string,
  isDescribed: boolean,
  method: string,
  uri: string,
  headers: Case['headers'] = [],
  body = '',
): Case => ({
  constraint,
  isDescribed,
  method,
  uri,
  headers: [host, ...headers, ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const])],
  body,
})

const oddPaths =
  `/PLAIN //plain /plain/ /./plain /x/../plain /%70lain /plain;a=b /plain%2f /plain%00 /plain%252f /plain/. /plain/%2e
/plain/..;/plain /plain%c0%ae /plain%c0%af /%2e%2e/plain /plain\\ /plain%5c /plain%20 /plain.json /plainx /x/plain /plain/x /plai
/plain%0a /%2fplain /plain%23 /plain%3fa=b`.split(/\s+/)
const json = ['Content-Type', 'application/json'] as const
const wrongTypes =
  `text/plain application/x-json application/json-patch+json application/xml application/jsonx xapplication/json
application/json, json */* application/* text/json;application/json multipart/form-data`.split(/\s+/)
const basic = 'Basic YTpi'
/** A body in parts: a field, and a file whose text looks like one. */
const partsOf = (boundary: string, name = 'q'): string =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"`,
    '',
    '1',
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="a b.txt"',
    'Content-Type: application/octet-stream',
    '',
    'Content-Disposition: form-data; name="z"\r\n\r\n--other\r\n\u00e9',
    `--${boundary}--`,
    '',
  ].join('\r\n')
const multipart = (boundary: string, isDescribed: boolean): Case =>
  of(
    'media type multipart',
    isDescribed,
    'POST',
    '/parts',
    [['Content-Type', `multipart/form-data; boundary=${boundary}`]],
    partsOf(boundary.replaceAll('"', '')),
  )
const parted = [['Content-Type', 'multipart/form-data; boundary=a']] as const

/** The requests that are about no value. */
export const otherCases: readonly Case[] = [
  of('path', true, 'GET', '/plain'),
  ...oddPaths.map((it) => of('path', false, 'GET', it)),
  of('method', true, 'GET', '/plain'),
  of('method', true, 'HEAD', '/plain'),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'GETX', 'PROPFIND'].map((it) =>
    of('method', false, it, '/plain'),
  ),
  of('undeclared name', true, 'GET', '/plain'),
  ...['x=1', 'x', 'x[]=1', '%78=1', '=1', 'x=1&x=2', 'x.y=1', 'Q=1', '%00=1', 'x%20=1', '+=1', ';x=1', '%c0%b1=1'].map(
    (it) => of('undeclared name', false, 'GET', `/plain?${it}`),
  ),
  of('query required', true, 'GET', '/required?q=1'),
  ...['', '?', '?Q', '?x=1', '?q%00=1', '?%20q=1', '?q%5b%5d=1'].map((it) =>
    of('query required', false, 'GET', `/required${it}`),
  ),
  of('header required', true, 'GET', '/required-header', [['X-Q', '1']]),
  of('header required', true, 'GET', '/required-header', [['x-q', '1']]),
  ...[[], [['X_Q', '1']], [['X-Qq', '1']]].map((it) =>
    of('header required', false, 'GET', '/required-header', it as unknown as Case['headers']),
  ),
  of('cookie required', true, 'GET', '/required-cookie', [['Cookie', 'a=b; q=1']]),
  ...[[], [['Cookie', 'a=q']], [['Cookie', 'qq=1']]].map((it) =>
    of('cookie required', false, 'GET', '/required-cookie', it as unknown as Case['headers']),
  ),
  of('form required', true, 'POST', '/required-form', [['Content-Type', 'application/x-www-form-urlencoded']], 'q=1'),
  ...['p=1', 'q[]=1', '%00q=1', 'qq=1'].map((it) =>
    of('form required', false, 'POST', '/required-form', [['Content-Type', 'application/x-www-form-urlencoded']], it),
  ),
  ...[
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
  ].map((it) => of('media type', true, 'POST', '/typed', [['Content-Type', it]], '{}')),
  ...wrongTypes.map((it) => of('media type', false, 'POST', '/typed', [['Content-Type', it]], '{}')),
  of('media type', false, 'POST', '/typed', [], '{}'),
  of('media type', false, 'POST', '/typed', [['Content-Type', '']], '{}'),
  ...['a', '"a b"', '"----WebKitFormBoundary7MA4YWxkTrZu0gW"', "a'+_-."].map((it) => multipart(it, true)),
  ...[
    'multipart/form-data',
    'multipart/mixed; boundary=a',
    'application/x-www-form-urlencoded',
    'text/plain; boundary=a',
  ].map((it) => of('media type multipart', false, 'POST', '/parts', [['Content-Type', it]], partsOf('a'))),
  of('media type multipart', false, 'POST', '/parts', [], partsOf('a')),
  of('multipart required', true, 'POST', '/required-parts', parted, partsOf('a', 'q')),
  of('multipart required', false, 'POST', '/required-parts', parted, partsOf('a', 'p')),
  of('multipart object', true, 'POST', '/required-parts', parted, partsOf('a', 'q')),
  of('multipart object', false, 'POST', '/required-parts', parted, '--a--\r\n'),
  ...['{"a":1}', '{"b":1,"a":1}', '{"a":1,"c":{"a":1}}'].map((it) =>
    of('json duplicate names', true, 'POST', '/members', [json], it),
  ),
  ...[
    '{"a":"x","a":1}',
    '{"a":1,"a":"x"}',
    '{"\\u0061":"x","a":1}',
    '{"a":1,"\\u0061":"x"}',
    '{"a":null,"b":2,"a":1}',
    '{"a":1,"c":{"a":"x","a":1}}',
    '{"a":1,"c":{"a":1},"c":{"a":"x"}}',
    '{"a":1,"c":{"a":"x"},"c":{"a":1}}',
  ].map((it) => of('json duplicate names', false, 'POST', '/members', [json], it)),
  of('required body', true, 'POST', '/typed', [json], '{}'),
  of('required body', false, 'POST', '/typed', [json, ['Content-Length', '0']]),
  of('required body', false, 'POST', '/typed', [['Content-Length', '0']]),
  of('required body', false, 'POST', '/typed', [json]),
  ...['Bearer abc', 'bearer abc'].map((it) => of('credential bearer', true, 'GET', '/bearer', [['Authorization', it]])),
  ...['', basic, 'Bearerabc', 'Token abc', ' x'].map((it) =>
    of('credential bearer', false, 'GET', '/bearer', [['Authorization', it]]),
  ),
  of('credential bearer', false, 'GET', '/bearer'),
  of('credential basic', true, 'GET', '/basic', [['Authorization', basic]]),
  ...['', 'Bearer abc', 'Basically x'].map((it) =>
    of('credential basic', false, 'GET', '/basic', [['Authorization', it]]),
  ),
  of('credential basic', false, 'GET', '/basic'),
  of('credential apiKey in header', true, 'GET', '/key-header', [['X-Key', 'a']]),
  of('credential apiKey in header', false, 'GET', '/key-header', [['X-Key', '']]),
  of('credential apiKey in header', false, 'GET', '/key-header'),
  of('credential apiKey in query', true, 'GET', '/key-query?key=a'),
  ...['', '?key=', '?key', '?Key[]=a'].map((it) => of('credential apiKey in query', false, 'GET', `/key-query${it}`)),
  of('credential apiKey in cookie', true, 'GET', '/key-cookie', [['Cookie', 'key=a']]),
  of('credential apiKey in cookie', false, 'GET', '/key-cookie', [['Cookie', 'key=']]),
  of('credential apiKey in cookie', false, 'GET', '/key-cookie'),
  ...['oauth2', 'openIdConnect'].flatMap((it) => [
    of(`credential ${it}`, true, 'GET', `/${it}`, [['Authorization', 'Bearer abc']]),
    of(`credential ${it}`, false, 'GET', `/${it}`, [['Authorization', '']]),
    of(`credential ${it}`, false, 'GET', `/${it}`),
  ]),
]

const responses: Json = { 200: { description: 'Done' } }
const get = (more: Fields = {}): Json => ({ get: { ...more, responses } })
const secured = (name: string): Json => get({ security: [{ [name]: [] }] })
const formBody = (schema: Json, encoding: Json | null = null): Json => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema, ...(encoding === null ? {} : { encoding }) } },
})

const partedBody = (schema: Json): Json => ({ required: true, content: { 'multipart/form-data': { schema } } })

/** The address of the operation of a row. */
export const pathOf = (at: number): string => `/row-${at}`

function operationOf({ where, schema, style, constraint }: ValueRow, at: number): Readonly<Record<string, Json>> {
  const [name = '', exploded] = style.split(' ')
  const how: Fields = style === '' ? {} : { style: name, explode: exploded !== undefined }
  if (where === 'json')
    return {
      [pathOf(at)]: {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses,
          summary: constraint,
        },
      },
    }
  if (where === 'multipart')
    return { [pathOf(at)]: { post: { requestBody: partedBody(object({ q: schema })), responses } } }
  if (where === 'form')
    return {
      [pathOf(at)]: {
        post: { requestBody: formBody(object({ q: schema }), style === '' ? null : { q: how }), responses },
      },
    }
  const parameter = { name: where === 'header' ? 'X-Q' : 'q', in: where, required: where === 'path', schema, ...how }
  return { [`${pathOf(at)}${where === 'path' ? '/{q}' : ''}`]: get({ parameters: [parameter] }) }
}

/** The document that has all of it. */
export const proofDocument: Json = {
  openapi: '3.1.0',
  info: { title: 'Proof', version: '1' },
  paths: {
    ...(Object.assign({}, ...valueRows.map(operationOf)) as Fields),
    '/plain': get(),
    '/required': get({ parameters: [{ name: 'q', in: 'query', required: true, schema: {} }] }),
    '/required-header': get({ parameters: [{ name: 'X-Q', in: 'header', required: true, schema: {} }] }),
    '/required-cookie': get({ parameters: [{ name: 'q', in: 'cookie', required: true, schema: {} }] }),
    '/required-form': { post: { requestBody: formBody(object({ q: {} }, { required: ['q'] })), responses } },
    '/parts': { post: { requestBody: partedBody({}), responses } },
    '/required-parts': { post: { requestBody: partedBody(object({ q: {} }, { required: ['q'] })), responses } },
    '/members': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: object({ a: integer, c: object({ a: integer }) }, { required: ['a'] }),
            },
          },
        },
        responses,
      },
    },
    '/typed': { post: { requestBody: { required: true, content: { 'application/json': { schema: {} } } }, responses } },
    ...Object.fromEntries(
      ['bearer', 'basic', 'key-header', 'key-query', 'key-cookie', 'oauth2', 'openIdConnect'].map((it) => [
        `/${it}`,
        secured(it),
      ]),
    ),
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      'key-header': { type: 'apiKey', in: 'header', name: 'X-Key' },
      'key-query': { type: 'apiKey', in: 'query', name: 'key' },
      'key-cookie': { type: 'apiKey', in: 'cookie', name: 'key' },
      oauth2: { type: 'oauth2', flows: {} },
      openIdConnect: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://login.example/.well-known/openid-configuration',
      },
    },
  },
}
