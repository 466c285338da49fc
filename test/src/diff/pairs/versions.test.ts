/** Longer than 400 lines: a table. Swagger 2.0, OpenAPI 3.0, 3.1 and 3.2, and encodings. */
import type { Json } from '../../../../src/kernel/json.ts'
import { testPairs } from '../protocol/pairs.ts'
import {
  content,
  integer,
  list,
  number,
  object,
  ok,
  operation,
  ref,
  request,
  response,
  text,
  Pairs,
} from './builders.ts'
import type { Fields } from './builders.ts'

const { all, pair } = new Pairs()

const swagger = (fields: Fields, rest: Fields = {}): Json => ({
  swagger: '2.0',
  info: { title: 'A', version: '1' },
  paths: { '/a': { post: { responses: { '200': ok }, ...fields } } },
  ...rest,
})
const answering = (fields: Fields, rest: Fields = {}): Json =>
  swagger({ responses: { '200': { ...ok, schema: text } }, ...fields }, rest)
const textBody: Fields = { parameters: [{ name: 'b', in: 'body', schema: text }] }
const query = (fields: Fields): Json => swagger({ parameters: [{ name: 'q', in: 'query', ...fields }] })
const form = (parameters: readonly Fields[], consumes: Json = ['application/x-www-form-urlencoded']): Json =>
  swagger({ consumes, parameters: parameters.map((it) => ({ in: 'formData', ...it })) })
const upgraded = (name: string, base: Json, head: Json, forward: 'B' | 'N', backward: 'B' | 'N'): void => {
  pair(`request: ${name}`, request(base, {}, '3.0.3'), request(head), forward, backward)
  pair(`response: ${name}`, response(base, {}, '3.0.3'), response(head), backward, forward)
}
const modern = (fields: Fields, rest: Fields = {}): Json => operation(fields, rest, '3.2.0')
const encoded = (
  encoding: Fields,
  schema: Json = object({ a: list(text) }),
  type = 'application/x-www-form-urlencoded',
): Json => operation({ requestBody: { content: { [type]: { schema, encoding } } } })

pair(
  '2.0 collectionFormat csv default',
  query({ type: 'array', items: { type: 'string' } }),
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'csv' }),
  'N',
  'N',
)
pair(
  '2.0 csv→multi',
  query({ type: 'array', items: { type: 'string' } }),
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'multi' }),
  'B',
  'B',
)
pair(
  '2.0 csv→ssv',
  query({ type: 'array', items: { type: 'string' } }),
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'ssv' }),
  'B',
  'B',
)
pair(
  '2.0 → 3.0 multi',
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'multi' }),
  operation({ parameters: [{ name: 'q', in: 'query', schema: { type: 'array', items: text } }] }, {}, '3.0.3'),
  'N',
  'N',
)
pair(
  '2.0 → 3.0 csv',
  query({ type: 'array', items: { type: 'string' } }),
  operation(
    { parameters: [{ name: 'q', in: 'query', explode: false, schema: { type: 'array', items: text } }] },
    {},
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 → 3.0 csv default explode',
  query({ type: 'array', items: { type: 'string' } }),
  operation({ parameters: [{ name: 'q', in: 'query', schema: { type: 'array', items: text } }] }, {}, '3.0.3'),
  'B',
  'B',
)
pair(
  '2.0 pipes → 3.0',
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' }),
  operation(
    {
      parameters: [
        { name: 'q', in: 'query', style: 'pipeDelimited', explode: false, schema: { type: 'array', items: text } },
      ],
    },
    {},
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 tsv → tsv',
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'tsv' }),
  query({ type: 'array', items: { type: 'string' }, collectionFormat: 'csv' }),
  'B',
  'B',
)
pair(
  '2.0 consumes inheritance',
  swagger({ consumes: ['application/json'], parameters: [{ name: 'b', in: 'body', schema: text }] }),
  swagger({ parameters: [{ name: 'b', in: 'body', schema: text }] }, { consumes: ['application/json'] }),
  'N',
  'N',
)
pair(
  '2.0 consumes removed type',
  swagger({ consumes: ['application/json', 'application/xml'], parameters: [{ name: 'b', in: 'body', schema: text }] }),
  swagger({ parameters: [{ name: 'b', in: 'body', schema: text }] }, { consumes: ['application/json'] }),
  'B',
  'N',
)
pair(
  '2.0 consumes without body',
  swagger({ consumes: ['application/json', 'application/xml'] }),
  swagger({ consumes: ['application/json'] }),
  'N',
  'N',
)
pair(
  '2.0 produces',
  swagger({ produces: ['application/json', 'application/xml'], responses: { '200': { ...ok, schema: text } } }),
  swagger({ produces: ['application/json'], responses: { '200': { ...ok, schema: text } } }),
  'B',
  'N',
)
pair(
  '2.0 body name',
  swagger({ parameters: [{ name: 'b', in: 'body', schema: text }] }),
  swagger({ parameters: [{ name: 'c', in: 'body', schema: text }] }),
  'N',
  'N',
)
pair(
  '2.0 formData required',
  form([{ name: 'a', type: 'string' }]),
  form([{ name: 'a', type: 'string', required: true }]),
  'B',
  'N',
)
pair(
  '2.0 formData removed',
  form([
    { name: 'a', type: 'string' },
    { name: 'b', type: 'string' },
  ]),
  form([{ name: 'a', type: 'string' }]),
  'B',
  'N',
)
pair(
  '2.0 formData → 3.0',
  form([{ name: 'a', type: 'string', required: true }]),
  operation(
    {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: object({ a: text }, 'a') } },
      },
    },
    {},
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 formData file → 3.0',
  form([{ name: 'f', type: 'file', required: true }], ['multipart/form-data']),
  operation(
    {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: object({ f: { type: 'string', format: 'binary' } }, 'f') } },
      },
    },
    {},
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 formData enc change',
  form([{ name: 'a', type: 'string' }]),
  form([{ name: 'a', type: 'string' }], ['multipart/form-data']),
  'B',
  'B',
)
pair(
  '2.0 body → 3.0',
  swagger(
    {
      consumes: ['application/json'],
      parameters: [{ name: 'b', in: 'body', required: true, schema: { $ref: '#/definitions/A' } }],
    },
    { definitions: { A: object({ x: text }) } },
  ),
  operation(
    { requestBody: { required: true, ...content(ref('A')) } },
    { components: { schemas: { A: object({ x: text }) } } },
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 x-nullable → 3.0',
  swagger({
    responses: { '200': { ...ok, schema: { type: 'string', 'x-nullable': true } } },
    produces: ['application/json'],
  }),
  operation({ responses: { '200': { ...ok, ...content({ type: 'string', nullable: true }) } } }, {}, '3.0.3'),
  'N',
  'N',
)
pair(
  '2.0 host/basePath → servers',
  swagger({}, { host: 'h.x', basePath: '/v1', schemes: ['https'] }),
  operation({}, { servers: [{ url: 'https://h.x/v1' }] }, '3.0.3'),
  'N',
  'N',
)
pair(
  '2.0 security basic → http',
  swagger({ security: [{ b: [] }] }, { securityDefinitions: { b: { type: 'basic' } } }),
  operation(
    { security: [{ b: [] }] },
    { components: { securitySchemes: { b: { type: 'http', scheme: 'basic' } } } },
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 oauth → 3.0',
  swagger(
    { security: [{ o: ['r'] }] },
    {
      securityDefinitions: {
        o: {
          type: 'oauth2',
          flow: 'accessCode',
          authorizationUrl: 'https://a',
          tokenUrl: 'https://t',
          scopes: { r: 'r' },
        },
      },
    },
  ),
  operation(
    { security: [{ z: ['r'] }] },
    {
      components: {
        securitySchemes: {
          z: {
            type: 'oauth2',
            flows: { authorizationCode: { authorizationUrl: 'https://a', tokenUrl: 'https://t', scopes: { r: 'r' } } },
          },
        },
      },
    },
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  '2.0 response header',
  swagger({ responses: { '200': { ...ok, headers: { 'X-A': { type: 'string' } } } } }),
  operation({ responses: { '200': { ...ok, headers: { 'X-A': { schema: text } } } } }, {}, '3.0.3'),
  'N',
  'N',
)
pair(
  '2.0 exclusiveMinimum',
  query({ type: 'integer', minimum: 0, exclusiveMinimum: true }),
  query({ type: 'integer', minimum: 1 }),
  'N',
  'N',
)
pair(
  '2.0 default consumes json',
  swagger({ parameters: [{ name: 'b', in: 'body', schema: text }] }),
  swagger({ parameters: [{ name: 'b', in: 'body', schema: integer }] }),
  'B',
  'B',
)
pair(
  '2.0 parameters root ref',
  swagger(
    { parameters: [{ $ref: '#/parameters/Q' }] },
    { parameters: { Q: { name: 'q', in: 'query', type: 'string' } } },
  ),
  query({ type: 'string' }),
  'N',
  'N',
)
pair(
  '2.0 multi nested csv',
  query({
    type: 'array',
    items: { type: 'array', items: { type: 'string' }, collectionFormat: 'ssv' },
    collectionFormat: 'multi',
  }),
  query({ type: 'array', items: { type: 'array', items: { type: 'string' } }, collectionFormat: 'multi' }),
  'B',
  'B',
)
upgraded('nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }, 'N', 'N')
upgraded(
  'exclusive',
  { type: 'number', minimum: 1, exclusiveMinimum: true },
  { type: 'number', exclusiveMinimum: 1 },
  'N',
  'N',
)
upgraded('exclusive kept as boolean', { type: 'number', minimum: 1 }, { type: 'number', exclusiveMinimum: 1 }, 'B', 'N')
upgraded('binary', { type: 'string', format: 'binary' }, { type: 'string' }, 'N', 'N')
upgraded('byte', { type: 'string', format: 'byte' }, { type: 'string', contentEncoding: 'base64' }, 'N', 'N')
upgraded('example', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }, 'N', 'N')
upgraded('any', {}, {}, 'N', 'N')
upgraded(
  'nullable allOf',
  { allOf: [object({ a: text })], nullable: true },
  { anyOf: [object({ a: text }), { type: 'null' }] },
  'N',
  'N',
)
upgraded('const', { type: 'string', enum: ['a'] }, { const: 'a' }, 'N', 'N')
upgraded(
  'ref siblings',
  { allOf: [{ type: 'string' }], description: 'x' },
  { type: 'string', description: 'x' },
  'N',
  'N',
)
upgraded('nullable ignored in 3.1', { type: 'string', nullable: true }, { type: 'string', nullable: true }, 'B', 'N')
pair('3.1→3.2 same', request(object({ a: text })), request(object({ a: text }), {}, '3.2.0'), 'N', 'N')
pair(
  '3.2 query method',
  { openapi: '3.2.0', info: { title: 'A', version: '1' }, paths: { '/a': { query: { responses: { '200': ok } } } } },
  { openapi: '3.2.0', info: { title: 'A', version: '1' }, paths: { '/a': { get: { responses: { '200': ok } } } } },
  'B',
  'B',
)
pair(
  '3.2 additionalOperations',
  {
    openapi: '3.2.0',
    info: { title: 'A', version: '1' },
    paths: {
      '/a': { get: { responses: { '200': ok } }, additionalOperations: { COPY: { responses: { '200': ok } } } },
    },
  },
  { openapi: '3.2.0', info: { title: 'A', version: '1' }, paths: { '/a': { get: { responses: { '200': ok } } } } },
  'B',
  'N',
)
pair(
  '3.2 querystring added',
  modern({}),
  modern({
    parameters: [
      {
        in: 'querystring',
        name: 'q',
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: object({ a: text }, 'a') } },
      },
    ],
  }),
  'B',
  'B',
)
pair(
  '3.2 itemSchema response widened',
  modern({ responses: { '200': { ...ok, content: { 'application/jsonl': { itemSchema: integer } } } } }),
  modern({ responses: { '200': { ...ok, content: { 'application/jsonl': { itemSchema: number } } } } }),
  'B',
  'N',
)
pair(
  '3.2 itemSchema vs schema array',
  modern({ responses: { '200': { ...ok, content: { 'application/jsonl': { itemSchema: integer } } } } }),
  modern({
    responses: { '200': { ...ok, content: { 'application/jsonl': { schema: { type: 'array', items: integer } } } } },
  }),
  'N',
  'N',
)
pair(
  '3.2 cookie style',
  modern({ parameters: [{ name: 'c', in: 'cookie', schema: { type: 'array', items: text } }] }),
  modern({ parameters: [{ name: 'c', in: 'cookie', style: 'cookie', schema: { type: 'array', items: text } }] }),
  'B',
  'B',
)
pair(
  '3.2 mediaTypes ref',
  modern(
    { requestBody: { content: { 'application/json': { $ref: '#/components/mediaTypes/M' } } } },
    { components: { mediaTypes: { M: { schema: text } } } },
  ),
  modern(
    { requestBody: { content: { 'application/json': { $ref: '#/components/mediaTypes/M' } } } },
    { components: { mediaTypes: { M: { schema: integer } } } },
  ),
  'B',
  'B',
)
pair(
  '3.2 server name',
  modern({}, { servers: [{ url: 'https://x', name: 'a' }] }),
  modern({}, { servers: [{ url: 'https://x', name: 'b' }] }),
  'N',
  'N',
)
pair(
  '3.2 oauth deviceAuthorization',
  modern(
    { security: [{ o: [] }] },
    {
      components: {
        securitySchemes: {
          o: {
            type: 'oauth2',
            flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://d', tokenUrl: 'https://t', scopes: {} } },
          },
        },
      },
    },
  ),
  modern(
    { security: [{ o: [] }] },
    {
      components: {
        securitySchemes: { o: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://t', scopes: {} } } } },
      },
    },
  ),
  'B',
  'B',
)
pair(
  '3.2 security uri ref',
  modern(
    { security: [{ '#/components/securitySchemes/a': [] }] },
    { components: { securitySchemes: { a: { type: 'http', scheme: 'basic' } } } },
  ),
  modern({ security: [{ a: [] }] }, { components: { securitySchemes: { a: { type: 'http', scheme: 'basic' } } } }),
  'N',
  'N',
)
pair('enc style explode', encoded({ a: { explode: false } }), encoded({}), 'B', 'B')
pair(
  'enc default contentType',
  encoded({ a: { contentType: 'text/plain' } }, object({ a: text }), 'multipart/form-data'),
  encoded({}, object({ a: text }), 'multipart/form-data'),
  'N',
  'N',
)
pair(
  'enc object json default',
  encoded({ a: { contentType: 'application/json' } }, object({ a: object({ b: text }) }), 'multipart/form-data'),
  encoded({}, object({ a: object({ b: text }) }), 'multipart/form-data'),
  'N',
  'N',
)
pair(
  'enc json irrelevant',
  encoded({ a: { explode: false } }, object({ a: text }), 'application/json'),
  encoded({}, object({ a: text }), 'application/json'),
  'N',
  'N',
)
pair(
  'res readOnly required dropped',
  response(object({ a: { type: 'string', readOnly: true } }, 'a'), {}, '3.0.3'),
  response(object({ a: { type: 'string', readOnly: true } }), {}, '3.0.3'),
  'B',
  'N',
)
pair(
  'req required prop becomes readOnly',
  request(object({ a: text }, 'a'), {}, '3.0.3'),
  request(object({ a: { type: 'string', readOnly: true } }, 'a'), {}, '3.0.3'),
  'B',
  'B',
)
pair(
  '2.0 produces op',
  answering({ produces: ['application/json', 'application/xml'] }),
  answering({ produces: ['application/json'] }),
  'B',
  'N',
)
pair(
  '2.0 root consumes',
  answering(textBody, { consumes: ['application/json', 'application/xml'] }),
  answering(textBody, { consumes: ['application/json'] }),
  'B',
  'N',
)
pair(
  '2.0 root produces',
  answering({}, { produces: ['application/json', 'application/xml'] }),
  answering({}, { produces: ['application/json'] }),
  'B',
  'N',
)
pair(
  '2.0 root produces ref response',
  answering(
    { responses: { '200': { $ref: '#/responses/R' } } },
    { responses: { R: { ...ok, schema: text } }, produces: ['application/json', 'application/xml'] },
  ),
  answering(
    { responses: { '200': { $ref: '#/responses/R' } } },
    { responses: { R: { ...ok, schema: text } }, produces: ['application/json'] },
  ),
  'B',
  'N',
)
pair(
  '2.0 root security',
  answering({}, { securityDefinitions: { b: { type: 'basic' } } }),
  answering({}, { security: [{ b: [] }], securityDefinitions: { b: { type: 'basic' } } }),
  'B',
  'N',
)
pair(
  '2.0 produces irrelevant when no schema',
  answering({ responses: { '204': ok }, produces: ['application/json', 'application/xml'] }),
  answering({ responses: { '204': ok }, produces: ['application/json'] }),
  'N',
  'N',
)
testPairs('versions', all)
