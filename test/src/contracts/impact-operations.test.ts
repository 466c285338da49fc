/** Operations as a whole, what they refer to, and Swagger 2.0: exactly the consumers that use what changed are named. */
import { api, expectImpacts, list, number, object, reads, selectionOf, sends, text, uses } from './documents.ts'

const json = 'application/json'
const par = (name: string, place = 'query', schema: object = text, more: object = {}) => ({
  name,
  in: place,
  schema,
  ...more,
})
const formOf = (type: string) => [
  { name: 'a', in: 'formData', type },
  { name: 'b', in: 'formData', type: 'string' },
]
const swagger = (schema: object, operation: object, definitions: object = {}) => ({
  swagger: '2.0',
  info: { title: 'Things', version: '1' },
  consumes: ['application/x-www-form-urlencoded'],
  definitions,
  paths: { '/things': { post: { ...operation, responses: { 200: { description: 'Good', schema } } } } },
})

expectImpacts([
  [
    'the server changes',
    { ...api(object({ a: text })), servers: [{ url: 'https://a.example/v1' }] },
    { ...api(object({ a: text })), servers: [{ url: 'https://a.example/v2' }] },
    { a: reads('a') },
    {},
  ],
  [
    'another scope is asked for: everyone is broken',
    {
      ...api(object({ a: text }), { operation: { security: [{ o: ['read'] }] } }),
      components: {
        securitySchemes: {
          o: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: 'https://t', scopes: { read: '', write: '' } } },
          },
        },
      },
    },
    {
      ...api(object({ a: text }), { operation: { security: [{ o: ['read', 'write'] }] } }),
      components: {
        securitySchemes: {
          o: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: 'https://t', scopes: { read: '', write: '' } } },
          },
        },
      },
    },
    { a: reads('a'), n: selectionOf({}) },
    { a: 'broken', n: 'broken' },
  ],
  [
    'the operation is deprecated',
    api(object({ a: text })),
    api(object({ a: text }), { operation: { deprecated: true } }),
    { a: reads('a') },
    { a: 'touched' },
  ],
  [
    'the operation is called otherwise',
    api(object({ a: text }), { operation: { operationId: 'x' } }),
    api(object({ a: text }), { operation: { operationId: 'y' } }),
    { a: reads('a') },
    {},
  ],
  [
    'a parameter of the path is required: everyone is broken',
    {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/things': {
          parameters: [par('q')],
          post: { responses: { 200: { description: 'x', content: { [json]: { schema: object({ a: text }) } } } } },
        },
      },
    },
    {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/things': {
          parameters: [par('q', 'query', text, { required: true })],
          post: { responses: { 200: { description: 'x', content: { [json]: { schema: object({ a: text }) } } } } },
        },
      },
    },
    { a: reads('a'), q: uses('q') },
    { a: 'broken', q: 'broken' },
  ],
  [
    'a parameter by reference takes less',
    {
      ...api(object({ a: text }), { parameters: [{ $ref: '#/components/parameters/P' }] }),
      components: { parameters: { P: par('p') } },
    },
    {
      ...api(object({ a: text }), { parameters: [{ $ref: '#/components/parameters/P' }] }),
      components: { parameters: { P: par('p', 'query', { type: 'integer' }) } },
    },
    { p: uses('p'), a: reads('a') },
    { p: 'broken' },
  ],
  [
    'a body by reference takes less',
    {
      ...api(null, { operation: { requestBody: { $ref: '#/components/requestBodies/B' } } }),
      components: {
        requestBodies: { B: { required: true, content: { [json]: { schema: object({ a: text, b: text }, []) } } } },
      },
    },
    {
      ...api(null, { operation: { requestBody: { $ref: '#/components/requestBodies/B' } } }),
      components: {
        requestBodies: { B: { required: true, content: { [json]: { schema: object({ a: number, b: text }, []) } } } },
      },
    },
    { a: sends('a'), b: sends('b') },
    { a: 'broken' },
  ],
  [
    'form fields of Swagger 2.0',
    swagger(object({ k: text, z: text }), { parameters: formOf('string') }),
    swagger(object({ k: number, z: text }), { parameters: formOf('integer') }),
    { a: sends('a'), b: sends('b'), k: reads('k'), z: reads('z') },
    { a: 'broken', k: 'broken' },
  ],
  [
    'definitions of Swagger 2.0',
    swagger(list({ $ref: '#/definitions/T' }), {}, { T: object({ a: text, b: text }) }),
    swagger(list({ $ref: '#/definitions/T' }), {}, { T: object({ a: text, b: number }) }),
    { k: reads('[].a'), z: reads('[].b') },
    { z: 'broken' },
  ],
  [
    'an operation is merged into one with a parameter',
    {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/t/mine': {
          get: { responses: { 200: { description: 'x', content: { [json]: { schema: object({ a: text }) } } } } },
        },
        '/t/{id}': {
          get: {
            parameters: [par('id', 'path', text, { required: true })],
            responses: { 200: { description: 'x', content: { [json]: { schema: object({ a: text }) } } } },
          },
        },
      },
    },
    {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/t/{id}': {
          get: {
            parameters: [par('id', 'path', text, { required: true })],
            responses: { 200: { description: 'x', content: { [json]: { schema: object({ a: text }) } } } },
          },
        },
      },
    },
    {
      mine: selectionOf({ response: ['a'] }, '/t/mine', 'GET'),
      id: selectionOf({ response: ['a'] }, '/t/{id}', 'GET'),
    },
    { mine: 'broken' },
  ],
  [
    'a webhook goes',
    {
      ...api(object({ a: text })),
      webhooks: {
        w: {
          post: {
            requestBody: { content: { [json]: { schema: object({ a: text }) } } },
            responses: { 200: { description: 'x' } },
          },
        },
      },
    },
    { ...api(object({ a: text })), webhooks: {} },
    { a: reads('a') },
    {},
  ],
])
