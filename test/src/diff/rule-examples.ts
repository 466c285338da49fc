import type { ProfileName } from '../../../src/diff/profile.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { withOperation, withRequest } from './changes-of.ts'

/** Two documents between which a change is reported; the other way round it is the opposite one. */
interface Example {
  readonly base: Json
  readonly head: Json
  readonly profile?: ProfileName
}

const schema = (base: Json, head: Json, profile?: ProfileName): Example => ({
  base: withRequest(base),
  head: withRequest(head),
  ...(profile === undefined ? {} : { profile }),
})

const string = (words: object): Json => ({ type: 'string', ...words })
const number = (words: object): Json => ({ type: 'number', ...words })
const array = (words: object): Json => ({ type: 'array', ...words })
const object = (words: object): Json => ({ type: 'object', ...words })
const a = string({})
const cat: Json = object({
  title: 'cat',
  properties: { meow: { type: 'string' }, kind: { type: 'string' } },
  required: ['meow'],
})
const dog: Json = object({
  title: 'dog',
  properties: { bark: { type: 'string' }, kind: { type: 'string' } },
  required: ['bark'],
})

const numbers: readonly Example[] = [
  ...['minimum', 'maximum'].flatMap((word) => [
    schema(number({}), number({ [word]: 5 })),
    schema(number({ [word]: 5 }), number({ [word]: 6 })),
  ]),
  schema(number({}), number({ multipleOf: 2 })),
  schema(number({ multipleOf: 2 }), number({ multipleOf: 3 })),
]

const strings: readonly Example[] = [
  ...['minLength', 'maxLength'].flatMap((word) => [
    schema(string({}), string({ [word]: 5 })),
    schema(string({ [word]: 5 }), string({ [word]: 6 })),
  ]),
  ...(
    [
      ['pattern', '^a', '^b'],
      ['format', 'uuid', 'date'],
      ['contentEncoding', 'base64', 'base32'],
    ] as const
  ).flatMap(([word, one, other]) => [
    schema(string({}), string({ [word]: one })),
    schema(string({ [word]: one }), string({ [word]: other })),
  ]),
]

const arrays: readonly Example[] = [
  ...['minItems', 'maxItems'].flatMap((word) => [
    schema(array({}), array({ [word]: 5 })),
    schema(array({ [word]: 5 }), array({ [word]: 6 })),
  ]),
  schema(array({}), array({ items: string({}) })),
  schema(array({}), array({ uniqueItems: true })),
  schema(array({}), array({ contains: string({}) })),
  schema(array({ contains: string({}) }), array({ contains: number({}) })),
  schema(array({}), array({ prefixItems: [a] })),
  schema(array({ prefixItems: [a] }), array({ prefixItems: [a, a] })),
]

const objects: readonly Example[] = [
  ...['minProperties', 'maxProperties'].flatMap((word) => [
    schema(object({}), object({ [word]: 5 })),
    schema(object({ [word]: 5 }), object({ [word]: 6 })),
  ]),
  schema(object({ additionalProperties: false }), object({})),
  schema(object({}), object({ additionalProperties: string({}) })),
  schema(object({}), object({ properties: { a } })),
  schema(object({}), object({ properties: { a }, required: ['a'] })),
  schema(object({ properties: { a } }), object({ properties: { a }, required: ['a'] })),
  ...(
    [
      ['propertyNames', { maxLength: 5 }, { maxLength: 6 }],
      ['patternProperties', { '^x': string({}) }, { '^x': number({}) }],
      ['dependentRequired', { a: ['b'] }, { a: ['c'] }],
      ['dependentSchemas', { a: { required: ['b'] } }, { a: { required: ['c'] } }],
      ['unevaluatedProperties', string({}), number({})],
    ] as const
  ).flatMap(([word, one, other]) => [
    schema(object({}), object({ [word]: one })),
    schema(object({ [word]: one }), object({ [word]: other })),
  ]),
]

const named = (schemas: object): Json => withOperation({}, { components: { schemas } })

const values: readonly Example[] = [
  schema(string({}), number({})),
  schema(string({}), { type: ['string', 'number'] }),
  schema(string({}), { type: ['string', 'null'] }),
  schema(string({}), string({ enum: ['a'] })),
  schema(string({ enum: ['a'] }), string({ enum: ['a', 'b'] })),
  schema(string({ 'x-extensible-enum': ['a', 'b'] }), string({ 'x-extensible-enum': ['a'] }), 'oasdiff'),
  schema(string({}), false),
  { base: named({ A: a }), head: named({ A: a, B: a }) },
]

const choices: readonly Example[] = [
  schema(object({}), { allOf: [object({}), object({ required: ['a'] })] }, 'oasdiff'),
  ...['anyOf', 'oneOf'].flatMap((word) => [
    schema({}, { [word]: [cat, dog] }),
    schema({ [word]: [cat, dog] }, { [word]: [cat, dog, string({})] }),
  ]),
  schema(string({}), string({ if: { minLength: 1 }, then: { pattern: '^a' } })),
  schema(
    string({ if: { minLength: 1 }, then: { pattern: '^a' } }),
    string({ if: { minLength: 1 }, then: { pattern: '^b' } }),
  ),
  schema(string({}), string({ not: { const: 'a' } })),
  schema(string({ not: { const: 'a' } }), string({ not: { const: 'b' } })),
  ...discriminators(),
]

function discriminators(): readonly Example[] {
  const pets = (discriminator?: object): Json => ({
    ...(withRequest({
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      ...(discriminator === undefined ? {} : { discriminator }),
    } as Json) as object),
    components: { schemas: { Cat: cat, Dog: dog } },
  })
  const by = (mapping: object, propertyName = 'kind'): Json => pets({ propertyName, mapping })
  return [
    { base: pets(), head: by({}) },
    { base: by({}), head: by({}, 'type') },
    { base: by({ c: '#/components/schemas/Cat' }), head: by({ c: '#/components/schemas/Dog' }) },
    {
      base: by({ c: '#/components/schemas/Cat' }),
      head: by({ c: '#/components/schemas/Cat', d: '#/components/schemas/Dog' }),
    },
  ]
}

const xml = (words: object): Json =>
  withOperation({ requestBody: { content: { 'application/xml': { schema: string(words) } } } })

const remarks: readonly Example[] = [
  ...['deprecated', 'readOnly', 'writeOnly'].map((word) =>
    schema(object({ properties: { a } }), object({ properties: { a: string({ [word]: true }) } })),
  ),
  schema(string({}), string({ default: 'a' })),
  schema(string({ default: 'a' }), string({ default: 'b' })),
  schema(string({ 'x-stability-level': 'beta' }), string({ 'x-stability-level': 'alpha' }), 'oasdiff'),
  { base: xml({}), head: xml({ xml: { name: 'a' } }) },
  { base: xml({ xml: { name: 'a' } }), head: xml({ xml: { name: 'b' } }) },
]

const operation = (
  base: object,
  head: object,
  rest: { base?: object; head?: object; profile?: ProfileName } = {},
): Example => ({
  base: withOperation(base, rest.base),
  head: withOperation(head, rest.head),
  ...(rest.profile === undefined ? {} : { profile: rest.profile }),
})

const parameter = (base: object, head: object, profile?: ProfileName): Example => {
  const query = { in: 'query', name: 'a', schema: array({ items: a }) }
  return operation(
    { parameters: [{ ...query, ...base }] },
    { parameters: [{ ...query, ...head }] },
    profile === undefined ? {} : { profile },
  )
}

const parameters: readonly Example[] = [
  operation({}, { parameters: [{ in: 'query', name: 'a', schema: a }] }),
  parameter({}, { deprecated: true }),
  parameter({}, { required: true }),
  parameter({}, { allowEmptyValue: true }),
  parameter({}, { allowReserved: true }),
  parameter({}, { explode: false }),
  parameter({ explode: false }, { style: 'pipeDelimited', explode: false }),
  parameter({}, { schema: undefined, content: { 'application/json': { schema: a } } }),
  parameter({}, { deprecated: true, 'x-sunset': 'soon' }, 'oasdiff'),
  parameter({ deprecated: true, 'x-sunset': '2030-01-01' }, { deprecated: true, 'x-sunset': '2029-01-01' }),
  parameter({ deprecated: true, 'x-sunset': '2030-01-01' }, { deprecated: true }),
  {
    base: {
      openapi: '3.1.1',
      paths: { '/a/{b}': { get: { parameters: [{ in: 'path', name: 'b', required: true }] } } },
    },
    head: {
      openapi: '3.1.1',
      paths: { '/a/{c}': { get: { parameters: [{ in: 'path', name: 'c', required: true }] } } },
    },
  },
]

const content = (base: object, head: object): Example =>
  operation({ requestBody: { content: base } }, { requestBody: { content: head } })
const answer = (base: object, head: object): Example =>
  operation({ responses: { '200': { content: base } } }, { responses: { '200': { content: head } } })

const contents: readonly Example[] = [
  operation({}, { requestBody: { content: { 'application/json': {} } } }),
  operation({ requestBody: { content: {} } }, { requestBody: { required: true, content: {} } }),
  content({ 'text/plain': {} }, { 'text/plain': {}, 'text/html': {} }),
  answer({ 'text/plain': {} }, { 'text/*': {} }),
  content({ 'application/json': {} }, { 'application/json': { schema: string({}) } }),
  content(
    {
      'multipart/form-data': {
        schema: object({ properties: { a: {} } }),
        encoding: { a: { contentType: 'text/plain' } },
      },
    },
    {
      'multipart/form-data': {
        schema: object({ properties: { a: {} } }),
        encoding: { a: { contentType: 'text/csv' } },
      },
    },
  ),
]

const response = (base: object, head: object): Example =>
  operation(
    { responses: { '200': { description: 'ok', ...base } } },
    { responses: { '200': { description: 'ok', ...head } } },
  )
const header = (base: object, head: object): Example =>
  response({ headers: { A: { schema: a, ...base } } }, { headers: { A: { schema: a, ...head } } })

const responses: readonly Example[] = [
  operation({ responses: { '200': {} } }, { responses: { '200': {}, '201': {}, '404': {} } }),
  response({}, { headers: { A: { schema: a } } }),
  header({}, { required: true }),
  header({ schema: object({ properties: { a } }) }, { schema: object({ properties: { a } }), explode: true }),
  header({}, { deprecated: true }),
  response({}, { links: { next: { operationId: 'b' } } }),
  response({ links: { next: { operationId: 'b' } } }, { links: { next: { operationId: 'c' } } }),
]

const call = (url = '{$request.body#/url}', methods = ['post']): object => ({
  [url]: Object.fromEntries(methods.map((it) => [it, { responses: { '200': { description: 'ok' } } }])),
})

const operations: readonly Example[] = [
  { base: withOperation({}), head: { openapi: '3.1.1', paths: {} } },
  operation({}, { deprecated: true }),
  operation({}, { operationId: 'a' }),
  operation({ operationId: 'a' }, { operationId: 'b' }),
  operation({ tags: ['a'] }, { tags: ['b'] }),
  operation({}, { deprecated: true, 'x-sunset': 'soon' }, { profile: 'oasdiff' }),
  operation({ deprecated: true, 'x-sunset': '2030-01-01' }, { deprecated: true, 'x-sunset': '2029-01-01' }),
  operation({ deprecated: true, 'x-sunset': '2030-01-01' }, { deprecated: true }),
  operation({}, { 'x-stability-level': 'beta' }, { profile: 'oasdiff' }),
  operation({}, { callbacks: { a: call() } }),
  operation({ callbacks: { a: call() } }, { callbacks: { a: call(undefined, ['post', 'put']) } }),
  operation({}, {}, { head: { webhooks: { a: { post: {} } } } }),
  operation({}, {}, { base: { webhooks: { a: { post: {} } } }, head: { webhooks: { a: { post: {}, put: {} } } } }),
]

const documents: readonly Example[] = [
  { base: withOperation({}), head: { arazzo: '1.0.1', info: {}, workflows: [] } },
  operation({}, {}, { head: { externalDocs: { url: 'https://example.com' } } }),
  operation({ description: 'a' }, { description: 'b' }),
  operation({}, {}, { head: { tags: [{ name: 'a' }] } }),
  operation({}, {}, { base: { tags: [{ name: 'a' }] }, head: { tags: [{ name: 'b' }] } }),
  operation({ parameters: [{ $ref: '#/components/parameters/gone' }] }, { requestBody: { $ref: '#/gone' } }),
  operation({}, {}, { head: { servers: [{ url: 'https://a.example' }, { url: '/' }] } }),
  operation(
    {},
    {},
    {
      base: { servers: [{ url: '/{v}', variables: { v: { default: 'a', enum: ['a', 'b'] } } }] },
      head: { servers: [{ url: '/{v}', variables: { v: { default: 'a', enum: ['a'] } } }] },
    },
  ),
]

const schemes = (base: object, head: object): Example => {
  const security = [{ s: ['read'] }]
  return operation(
    { security },
    { security },
    { base: { components: { securitySchemes: { s: base } } }, head: { components: { securitySchemes: { s: head } } } },
  )
}
const oauth = (flow: object, kind = 'authorizationCode'): object => ({ type: 'oauth2', flows: { [kind]: flow } })
const flow = { authorizationUrl: 'https://a.example', tokenUrl: 'https://b.example', scopes: { read: '' } }

const requirement = (base: readonly object[], head: readonly object[]): Example => {
  const components = {
    securitySchemes: {
      s: oauth({ ...flow, scopes: { read: '', write: '' } }),
      key: { type: 'apiKey', in: 'header', name: 'K' },
    },
  }
  return operation({ security: base }, { security: head }, { base: { components }, head: { components } })
}

const securities: readonly Example[] = [
  requirement([{ key: [] }], [{ key: [] }, { s: [] }]),
  requirement([{ key: [] }], [{ key: [] }, {}]),
  requirement([{ s: ['read'] }], [{ s: ['read', 'write'] }]),
  schemes({ type: 'apiKey', in: 'header', name: 'A' }, { type: 'apiKey', in: 'query', name: 'A' }),
  schemes({ type: 'http', scheme: 'bearer' }, { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
  schemes(oauth(flow), oauth({ ...flow, tokenUrl: 'https://c.example' })),
  schemes(oauth(flow), oauth({ ...flow, scopes: { read: '', write: '' } })),
  schemes(oauth(flow), { type: 'oauth2', flows: { authorizationCode: flow, clientCredentials: flow } }),
  operation({}, {}, { head: { components: { securitySchemes: { s: { type: 'http', scheme: 'basic' } } } } }),
]

const server = (base: object, head: object): Example => ({
  base: { tools: [], ...base },
  head: { tools: [], ...head },
})
const tool = { name: 'a', inputSchema: { type: 'object' } }

const mcp: readonly Example[] = [
  server({}, { tools: [tool] }),
  server({ tools: [tool] }, { tools: [{ ...tool, annotations: { readOnlyHint: true } }] }),
  server({}, { prompts: [{ name: 'a' }] }),
  server({ prompts: [{ name: 'a' }] }, { prompts: [{ name: 'a', arguments: [{ name: 'b' }] }] }),
  server(
    { prompts: [{ name: 'a', arguments: [{ name: 'b' }] }] },
    { prompts: [{ name: 'a', arguments: [{ name: 'b', required: true }] }] },
  ),
  server({}, { resources: [{ uri: 'a:b' }] }),
  server({ resources: [{ uri: 'a:b' }] }, { resources: [{ uri: 'a:b', mimeType: 'text/plain' }] }),
  server({}, { remotes: [{ url: 'https://a.example' }] }),
  server({}, { packages: [{ identifier: 'a' }] }),
]

const arazzo = (base: object, head: object): Example => {
  const document = (rest: object): Json => ({
    arazzo: '1.0.1',
    info: { title: 'A', version: '1' },
    workflows: [],
    ...rest,
  })
  return { base: document(base), head: document(head) }
}
const workflow = (rest: object): object => ({ workflows: [{ workflowId: 'a', steps: [], ...rest }] })
const step = (stepId: string, rest: object = {}): object => ({ stepId, operationId: 'x', ...rest })

const workflows: readonly Example[] = [
  arazzo({}, workflow({})),
  arazzo(workflow({}), workflow({ dependsOn: ['b'] })),
  arazzo(workflow({}), workflow({ outputs: { a: '$steps.a' } })),
  arazzo(workflow({ outputs: { a: '$steps.a' } }), workflow({ outputs: { a: '$steps.b' } })),
  arazzo(workflow({}), workflow({ steps: [step('s')] })),
  arazzo(workflow({ steps: [step('s')] }), workflow({ steps: [step('s', { operationId: 'y' })] })),
  arazzo(workflow({ steps: [step('s'), step('t')] }), workflow({ steps: [step('t'), step('s')] })),
  arazzo({}, { sourceDescriptions: [{ name: 'a', url: './a.yaml' }] }),
  arazzo(
    { sourceDescriptions: [{ name: 'a', url: './a.yaml' }] },
    { sourceDescriptions: [{ name: 'a', url: './b.yaml' }] },
  ),
]

/** Examples of every kind of change. */
export const examples: readonly Example[] = [
  ...documents,
  ...operations,
  ...parameters,
  ...contents,
  ...responses,
  ...numbers,
  ...strings,
  ...arrays,
  ...objects,
  ...values,
  ...choices,
  ...remarks,
  ...securities,
  ...mcp,
  ...workflows,
]
