/** Longer than 400 lines: a table. Parameters, addresses, security, responses, webhooks and callbacks. */
import type { Json } from '../../../../src/kernel/json.ts'
import { testPairs } from '../protocol/pairs.ts'
import { answer, content, integer, list, number, object, ok, operation, ref, request, text, Pairs } from './builders.ts'
import type { Fields } from './builders.ts'

const { all, pair } = new Pairs()

const parameter = (fields: Fields, openapi = '3.1.1'): Json =>
  operation({ parameters: [{ name: 'q', in: 'query', ...fields }] }, {}, openapi)
const ofParameter = (name: string, base: Fields, head: Fields, forward: 'B' | 'N', backward: 'B' | 'N'): void =>
  pair(`parameter: ${name}`, parameter(base), parameter(head), forward, backward)
const headerParameter = (name: string, fields: Fields = {}): Json =>
  operation({ parameters: [{ name, in: 'header', schema: text, ...fields }] })
const paths = (all: Fields, rest: Fields = {}, openapi = '3.1.1'): Json => ({
  openapi,
  info: { title: 'A', version: '1' },
  paths: all,
  ...rest,
})
const get = (fields: Fields = {}): Fields => ({ get: { responses: { '200': ok }, ...fields } })
const pathParameter = (name: string, schema: Json = text): Json => ({ name, in: 'path', required: true, schema })
const secured = (security: Json | undefined, securitySchemes: Fields, own?: Json): Json =>
  paths(
    { '/a': get(own === undefined ? {} : { security: own }) },
    { ...(security === undefined ? {} : { security }), components: { securitySchemes } },
  )
const key: Fields = { type: 'apiKey', in: 'header', name: 'X' }
const queryKey: Fields = { type: 'apiKey', in: 'query', name: 'x' }
const basic: Fields = { type: 'http', scheme: 'basic' }
const bearer: Fields = { type: 'http', scheme: 'bearer' }
const flow = (...scopes: string[]): Fields => ({
  clientCredentials: { tokenUrl: 'https://t', scopes: Object.fromEntries(scopes.map((it) => [it, it])) },
})
const oauth = (...scopes: string[]): Fields => ({ type: 'oauth2', flows: flow(...scopes) })
const answers = (responses: Fields): Json => operation({ responses })
const hook = (schema: Json, responses: Fields = { '200': ok }): Json =>
  paths({}, { webhooks: { w: { post: { requestBody: { required: true, ...content(schema) }, responses } } } })
const callback = (schema: Json, url = '{$request.body#/u}'): Json =>
  operation({ callbacks: { c: { [url]: { post: { requestBody: content(schema), responses: { '200': ok } } } } } })

ofParameter(
  'style form→spaceDelimited explode false',
  { style: 'form', explode: false, schema: list(text) },
  { style: 'spaceDelimited', explode: false, schema: list(text) },
  'B',
  'B',
)
ofParameter(
  'explode default form',
  { schema: list(text) },
  { style: 'form', explode: true, schema: list(text) },
  'N',
  'N',
)
ofParameter('explode false ', { schema: list(text) }, { explode: false, schema: list(text) }, 'B', 'B')
ofParameter('explode scalar', { schema: text }, { explode: false, schema: text }, 'N', 'N')
ofParameter(
  'content json',
  { schema: object({ a: text }) },
  { content: { 'application/json': { schema: object({ a: text }) } } },
  'B',
  'B',
)
ofParameter(
  'content json scalar int',
  { schema: integer },
  { content: { 'application/json': { schema: integer } } },
  'N',
  'N',
)
ofParameter('content json string', { schema: text }, { content: { 'application/json': { schema: text } } }, 'B', 'B')
ofParameter('required added', { schema: text }, { required: true, schema: text }, 'B', 'N')
ofParameter('allowEmptyValue dropped', { allowEmptyValue: true, schema: integer }, { schema: integer }, 'B', 'N')
ofParameter('integer to string', { schema: integer }, { schema: text }, 'N', 'B')
ofParameter('integer to number', { schema: integer }, { schema: number }, 'N', 'B')
ofParameter(
  'boolean to enum string',
  { schema: { type: 'boolean' } },
  { schema: { type: 'string', enum: ['true', 'false'] } },
  'N',
  'N',
)
ofParameter('array to single', { schema: list(text) }, { schema: text }, 'B', 'N')
ofParameter(
  'deepObject vs form',
  { style: 'deepObject', explode: true, schema: object({ a: text }) },
  { style: 'form', explode: true, schema: object({ a: text }) },
  'B',
  'B',
)
ofParameter(
  'object form explode',
  { style: 'form', explode: true, schema: object({ a: text }) },
  { style: 'form', explode: true, schema: object({ a: text, b: text }) },
  'N',
  'B',
)
ofParameter('maxItems exploded', { schema: { ...list(text), maxItems: 2 } }, { schema: list(text) }, 'N', 'B')
ofParameter('minLength 1 to 0', { schema: { type: 'string', minLength: 1 } }, { schema: text }, 'N', 'B')
ofParameter('example only', { schema: text, example: 'a' }, { schema: text, example: 'b' }, 'N', 'N')
ofParameter('deprecated', { schema: text }, { schema: text, deprecated: true }, 'N', 'N')
ofParameter('date format', { schema: { type: 'string', format: 'date' } }, { schema: text }, 'N', 'B')
pair('header param case', headerParameter('X-A'), headerParameter('x-a'), 'N', 'N')
pair('header param removed', headerParameter('X-A'), operation({}), 'B', 'N')
pair('header Accept ignored', headerParameter('Accept', { required: true }), operation({}), 'N', 'N')
pair('header Authorization ignored', operation({}), headerParameter('Authorization', { required: true }), 'N', 'N')
pair(
  'query case matters',
  parameter({ schema: text }),
  operation({ parameters: [{ name: 'Q', in: 'query', schema: text }] }),
  'B',
  'B',
)
pair('query → header', parameter({ schema: text }), headerParameter('q'), 'B', 'B')
pair(
  'cookie param added required',
  operation({}),
  operation({ parameters: [{ name: 'c', in: 'cookie', required: true, schema: text }] }),
  'B',
  'B',
)
pair(
  'cookie param added optional',
  operation({}),
  operation({ parameters: [{ name: 'c', in: 'cookie', schema: text }] }),
  'N',
  'B',
)
pair(
  'path rename',
  paths({ '/a/{id}': get({ parameters: [pathParameter('id')] }) }),
  paths({ '/a/{key}': get({ parameters: [pathParameter('key')] }) }),
  'N',
  'N',
)
pair(
  'path rename narrower',
  paths({ '/a/{id}': get({ parameters: [pathParameter('id')] }) }),
  paths({ '/a/{key}': get({ parameters: [pathParameter('key', integer)] }) }),
  'B',
  'N',
)
pair(
  'path rename swap',
  paths({ '/a/{x}/{y}': get({ parameters: [pathParameter('x', integer), pathParameter('y', text)] }) }),
  paths({ '/a/{y}/{x}': get({ parameters: [pathParameter('y', integer), pathParameter('x', text)] }) }),
  'N',
  'N',
)
pair(
  'path swap types',
  paths({ '/a/{x}/{y}': get({ parameters: [pathParameter('x', integer), pathParameter('y', text)] }) }),
  paths({ '/a/{y}/{x}': get({ parameters: [pathParameter('y', text), pathParameter('x', integer)] }) }),
  'B',
  'B',
)
pair('path trailing slash', paths({ '/a': get() }), paths({ '/a/': get() }), 'B', 'B')
pair('path case', paths({ '/a': get() }), paths({ '/A': get() }), 'B', 'B')
pair('method added', paths({ '/a': get() }), paths({ '/a': { ...get(), put: { responses: { '200': ok } } } }), 'N', 'B')
pair(
  'params path level',
  paths({ '/a': { parameters: [{ name: 'q', in: 'query', schema: text }], ...get() } }),
  paths({ '/a': get({ parameters: [{ name: 'q', in: 'query', schema: text }] }) }),
  'N',
  'N',
)
pair(
  'params override',
  paths({
    '/a': {
      parameters: [{ name: 'q', in: 'query', schema: text }],
      ...get({ parameters: [{ name: 'q', in: 'query', schema: integer }] }),
    },
  }),
  paths({ '/a': get({ parameters: [{ name: 'q', in: 'query', schema: integer }] }) }),
  'N',
  'N',
)
pair(
  'ref path item',
  paths({ '/a': { $ref: '#/components/pathItems/P' } }, { components: { pathItems: { P: get() } } }),
  paths({ '/a': get() }),
  'N',
  'N',
)
pair(
  'ref path item changed',
  paths({ '/a': { $ref: '#/components/pathItems/P' } }, { components: { pathItems: { P: get() } } }),
  paths(
    { '/a': { $ref: '#/components/pathItems/P' } },
    {
      components: { pathItems: { P: get({ parameters: [{ name: 'q', in: 'query', required: true, schema: text }] }) } },
    },
  ),
  'B',
  'B',
)
pair(
  'ref parameter',
  paths(
    { '/a': get({ parameters: [{ $ref: '#/components/parameters/Q' }] }) },
    { components: { parameters: { Q: { name: 'q', in: 'query', schema: text } } } },
  ),
  paths({ '/a': get({ parameters: [{ name: 'q', in: 'query', schema: text }] }) }),
  'N',
  'N',
)
pair(
  'servers variable enum',
  paths({ '/a': get() }, { servers: [{ url: 'https://{r}.x', variables: { r: { default: 'a', enum: ['a', 'b'] } } }] }),
  paths({ '/a': get() }, { servers: [{ url: 'https://{r}.x', variables: { r: { default: 'a', enum: ['a'] } } }] }),
  'B',
  'N',
)
pair(
  'servers description',
  paths({ '/a': get() }, { servers: [{ url: 'https://x', description: 'a' }] }),
  paths({ '/a': get() }, { servers: [{ url: 'https://x', description: 'b' }] }),
  'N',
  'N',
)
pair(
  'sec or → and',
  secured([{ a: [] }, { b: [] }], { a: key, b: basic }),
  secured([{ a: [], b: [] }], { a: key, b: basic }),
  'B',
  'N',
)
pair('sec global → op', secured([{ a: [] }], { a: key }), secured(undefined, { a: key }, [{ a: [] }]), 'N', 'N')
pair('sec op empty override', secured([{ a: [] }], { a: key }), secured([{ a: [] }], { a: key }, []), 'N', 'B')
pair('sec optional {}', secured([{ a: [] }, {}], { a: key }), secured(undefined, { a: key }), 'N', 'N')
pair('sec apikey place', secured([{ a: [] }], { a: key }), secured([{ a: [] }], { a: queryKey }), 'B', 'B')
pair(
  'sec header name case',
  secured([{ a: [] }], { a: key }),
  secured([{ a: [] }], { a: { ...key, name: 'x' } }),
  'N',
  'N',
)
pair(
  'sec scheme case',
  secured([{ a: [] }], { a: bearer }),
  secured([{ a: [] }], { a: { ...bearer, scheme: 'Bearer' } }),
  'N',
  'N',
)
pair(
  'sec scope needed',
  secured([{ o: ['r'] }], { o: oauth('r', 'w') }),
  secured([{ o: ['r', 'w'] }], { o: oauth('r', 'w') }),
  'B',
  'N',
)
pair(
  'sec scope unused declared removed',
  secured([{ o: ['r'] }], { o: oauth('r', 'w') }),
  secured([{ o: ['r'] }], { o: oauth('r') }),
  'N',
  'N',
)
pair(
  'sec flow added',
  secured([{ o: ['r'] }], { o: oauth('r') }),
  secured([{ o: ['r'] }], {
    o: { type: 'oauth2', flows: { ...flow('r'), implicit: { authorizationUrl: 'https://a', scopes: { r: 'r' } } } },
  }),
  'N',
  'B',
)
pair(
  'sec AND subset',
  secured([{ a: [], b: [] }], { a: key, b: basic }),
  secured([{ a: [] }, { b: [] }], { a: key, b: basic }),
  'N',
  'B',
)
pair('sec dup alt', secured([{ a: [] }], { a: key }), secured([{ a: [] }, { a: [] }], { a: key }), 'N', 'N')
pair(
  'sec mutualTLS',
  secured([{ a: [] }], { a: { type: 'mutualTLS' } }),
  secured([{ a: [] }, { b: [] }], { a: { type: 'mutualTLS' }, b: key }),
  'N',
  'B',
)
pair(
  '4XX to 404',
  answers({ '200': ok, '4XX': answer(text) }),
  answers({ '200': ok, '404': answer(text), '4XX': answer(text) }),
  'N',
  'N',
)
pair(
  'default to 4XX',
  answers({ '200': ok, default: answer(object({ a: text }, 'a')) }),
  answers({ '200': ok, '4XX': answer(object({ a: text }, 'a')), default: answer(object({ a: text }, 'a')) }),
  'N',
  'N',
)
pair('200 → 201', answers({ '200': answer(text) }), answers({ '201': answer(text) }), 'B', 'B')
pair('200 → 2XX', answers({ '200': answer(text) }), answers({ '2XX': answer(text) }), 'B', 'N')
pair(
  'response header required dropped',
  answers({ '200': { ...ok, headers: { 'X-A': { required: true, schema: text } } } }),
  answers({ '200': { ...ok, headers: { 'X-A': { schema: text } } } }),
  'B',
  'N',
)
pair(
  'response header case',
  answers({ '200': { ...ok, headers: { 'X-A': { schema: text } } } }),
  answers({ '200': { ...ok, headers: { 'x-a': { schema: text } } } }),
  'N',
  'N',
)
pair(
  'response content-type header',
  answers({ '200': { ...ok, headers: { 'Content-Type': { schema: text } } } }),
  answers({ '200': ok }),
  'N',
  'N',
)
pair(
  'links changed',
  answers({ '200': { ...ok, links: { l: { operationId: 'x' } } } }),
  answers({ '200': ok }),
  'N',
  'N',
)
pair(
  'ref response',
  operation(
    { responses: { '200': { $ref: '#/components/responses/R' } } },
    { components: { responses: { R: answer(text) } } },
  ),
  answers({ '200': answer(text) }),
  'N',
  'N',
)
pair(
  'media range',
  answers({ '200': { ...ok, content: { '*/*': { schema: text } } } }),
  answers({ '200': { ...ok, content: { 'application/json': { schema: text } } } }),
  'N',
  'B',
)
pair(
  'req media range',
  operation({ requestBody: { content: { 'application/json': { schema: text } } } }),
  operation({ requestBody: { content: { 'application/*': { schema: text } } } }),
  'N',
  'B',
)
pair(
  'media case',
  operation({ requestBody: { content: { 'application/json': { schema: text } } } }),
  operation({ requestBody: { content: { 'Application/JSON': { schema: text } } } }),
  'N',
  'N',
)
pair(
  'media suffix',
  operation({ requestBody: { content: { 'application/json': { schema: text } } } }),
  operation({ requestBody: { content: { 'application/vnd.a+json': { schema: text } } } }),
  'B',
  'B',
)
pair(
  'body required dropped',
  operation({ requestBody: { required: true, ...content(text) } }),
  operation({ requestBody: content(text) }),
  'N',
  'B',
)
pair('body added optional', operation({}), operation({ requestBody: content(text) }), 'N', 'B')
pair(
  'ref requestBody',
  operation(
    { requestBody: { $ref: '#/components/requestBodies/B' } },
    { components: { requestBodies: { B: content(text) } } },
  ),
  operation({ requestBody: content(text) }),
  'N',
  'N',
)
pair('webhook body prop removed', hook(object({ a: text }, 'a')), hook(object({})), 'B', 'N')
pair('webhook body required added', hook(object({ a: text })), hook(object({ a: text }, 'a')), 'N', 'B')
pair(
  'webhook answer narrowed',
  hook(text, { '200': answer(text) }),
  hook(text, { '200': answer({ type: 'string', maxLength: 3 }) }),
  'B',
  'N',
)
pair('callback enum added', callback({ enum: ['a'] }), callback({ enum: ['a', 'b'] }), 'B', 'N')
pair('callback url', callback(text), callback(text, '{$request.body#/v}'), 'B', 'B')
pair('components unused removed', operation({}, { components: { schemas: { A: text } } }), operation({}), 'N', 'N')
pair(
  'components renamed',
  request(ref('A'), { A: object({ x: ref('A') }) }),
  request(ref('B'), { B: object({ x: ref('B') }) }),
  'N',
  'N',
)
pair('operationId', operation({ operationId: 'a' }), operation({ operationId: 'b' }), 'N', 'N')
pair('tags', operation({ tags: ['a'] }), operation({ tags: ['b'] }), 'N', 'N')
pair(
  '3 root security',
  paths({ '/a': get() }, { components: { securitySchemes: { b: { type: 'http', scheme: 'basic' } } } }),
  paths(
    { '/a': get() },
    { security: [{ b: [] }], components: { securitySchemes: { b: { type: 'http', scheme: 'basic' } } } },
  ),
  'B',
  'N',
)
pair(
  'path param added',
  paths({ '/a': { ...get() } }),
  paths({ '/a': { parameters: [{ name: 'q', in: 'query', required: true, schema: text }], ...get() } }),
  'B',
  'B',
)
pair(
  'path servers',
  paths({ '/a': { ...get() } }, { servers: [{ url: 'https://x' }] }),
  paths({ '/a': { servers: [{ url: 'https://y' }], ...get() } }, { servers: [{ url: 'https://x' }] }),
  'B',
  'B',
)
pair(
  'scheme behind key changed',
  paths(
    { '/a': get({ security: [{ b: [] }] }) },
    { components: { securitySchemes: { b: { type: 'http', scheme: 'basic' } } } },
  ),
  paths(
    { '/a': get({ security: [{ b: [] }] }) },
    { components: { securitySchemes: { b: { type: 'http', scheme: 'bearer' } } } },
  ),
  'B',
  'B',
)
pair(
  'component header',
  operation(
    { responses: { '200': { ...ok, headers: { 'X-A': { $ref: '#/components/headers/H' } } } } },
    { components: { headers: { H: { schema: integer } } } },
  ),
  operation(
    { responses: { '200': { ...ok, headers: { 'X-A': { $ref: '#/components/headers/H' } } } } },
    { components: { headers: { H: { schema: text } } } },
  ),
  'B',
  'N',
)
pair(
  'component parameter',
  operation(
    { parameters: [{ $ref: '#/components/parameters/P' }] },
    { components: { parameters: { P: { name: 'q', in: 'query', schema: text } } } },
  ),
  operation(
    { parameters: [{ $ref: '#/components/parameters/P' }] },
    { components: { parameters: { P: { name: 'q', in: 'query', schema: integer } } } },
  ),
  'B',
  'N',
)
pair(
  'component param through ref chain',
  operation(
    { parameters: [{ $ref: '#/components/parameters/P' }] },
    {
      components: {
        parameters: { P: { $ref: '#/components/parameters/Q' }, Q: { name: 'q', in: 'query', schema: text } },
      },
    },
  ),
  operation(
    { parameters: [{ $ref: '#/components/parameters/P' }] },
    {
      components: {
        parameters: { P: { $ref: '#/components/parameters/Q' }, Q: { name: 'q', in: 'query', schema: integer } },
      },
    },
  ),
  'B',
  'N',
)
pair(
  'callback component',
  operation(
    { callbacks: { c: { $ref: '#/components/callbacks/C' } } },
    {
      components: {
        callbacks: {
          C: {
            '{$request.body#/u}': {
              post: { requestBody: content(object({ a: text }, 'a')), responses: { '200': ok } },
            },
          },
        },
      },
    },
  ),
  operation(
    { callbacks: { c: { $ref: '#/components/callbacks/C' } } },
    {
      components: {
        callbacks: {
          C: {
            '{$request.body#/u}': { post: { requestBody: content(object({ a: text })), responses: { '200': ok } } },
          },
        },
      },
    },
  ),
  'B',
  'N',
)
testPairs('messages', all)
