/** Descriptions of APIs that are dear to compare, lint or read, by shape and size; deterministic. */
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { api, documents, range, record, ref, text } from './hostile-making.ts'
import type { Shape } from './hostile-making.ts'

const answers: JsonObject = { 200: { description: 'ok' } }

const paths = (make: (i: number, head: boolean) => readonly [string, JsonObject]): Shape =>
  documents((n, head) => api({ R: true }, { paths: record(range(n, (i) => make(i, head))) }))

const operation = (make: (n: number, head: boolean) => JsonObject): Shape =>
  documents((n, head) => api({ R: true }, { paths: { '/x': { get: { responses: answers, ...make(n, head) } } } }))

export const documentShapes: Readonly<Record<string, Shape>> = {
  paths: paths((i, head) => [`/p${i}/{id}`, { get: { operationId: `o${head ? i : i + 1}`, responses: answers } }]),
  templates: paths((i, head) => [`/a/{x${head ? 'h' : 'b'}${i}}/${i}/{y}`, { get: { responses: answers } }]),
  'templates-alike': paths((i, head) => [`/a/{x${head ? 'h' : 'b'}${i}}`, { get: { responses: answers } }]),
  parameters: operation((n, head) => ({
    parameters: range(n, (i) => ({ name: `q${i}`, in: 'query', required: head, schema: { type: 'integer' } })),
  })),
  'parameters-of-one-path': documents((n, head) => {
    const path = `/${range(n, (i) => `{p${i}}`).join('/')}`
    const parameters = range(head ? 0 : n, (i) => ({ name: `p${i}`, in: 'path', required: true, schema: text(9) }))
    return api({ R: true }, { paths: { [path]: { get: { parameters, responses: answers } } } })
  }),
  'examples-of-a-discriminator': documents((n, head) => {
    const branches = range(n, (i) => ref(`B${i}`))
    const example = (i: number): JsonObject => ({ kind: `B${i}`, [`p${i}`]: 1 })
    const schemas = record([
      ...range(n, (i): [string, Json] => [
        `B${i}`,
        {
          allOf: [ref('R'), { properties: { [`p${i}`]: { type: 'integer', minimum: head ? 1 : 0 } } }],
          example: example(i),
        },
      ]),
      ['R', { required: ['kind'], discriminator: { propertyName: 'kind' }, oneOf: branches, example: example(0) }],
    ])
    const examples = record(range(n, (i): [string, Json] => [`e${i}`, { value: example(i) }]))
    const content = { 'application/json': { schema: ref('R'), examples } }
    return api(schemas, { paths: { '/x': { post: { requestBody: { content }, responses: answers } } } })
  }),
  answers: operation((n, head) => ({
    responses: record(range(Math.min(n, 400), (i) => [String(200 + i), { description: head ? 'a' : 'b' }] as const)),
  })),
  tags: operation((n, head) => ({ tags: range(n, (i) => `t${head ? n - i : i}`) })),
  security: operation((n, head) => ({
    security: range(n, (i) => record(range(8, (j) => [`s${(i * (head ? 3 : 5) + j) % n}`, []] as const))),
  })),
  servers: operation((n, head) => ({
    servers: range(n, (i) => ({
      url: `https://{a}.{b}.example.com/${head ? i : i + 1}`,
      variables: { a: { default: 'x', enum: range(10, String) }, b: { default: 'y', enum: range(10, String) } },
    })),
  })),
  callbacks: operation((n, head) => ({
    callbacks: record(
      range(
        n,
        (i) => [`c${i}`, { [`{$request.body#/${head ? i : i + 1}}`]: { post: { responses: answers } } }] as const,
      ),
    ),
  })),
  example: operation((n, head) => ({
    responses: {
      200: {
        description: 'ok',
        content: {
          'application/json': {
            schema: {
              type: 'array',
              items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
            },
            example: range(n, (i) => ({ id: i, name: head ? `n${i}` : `m${i}` })),
          },
        },
      },
    },
  })),
  'callbacks-nested': documents((n, head) => {
    let at: JsonObject = { responses: { 200: { description: head ? 'a' : 'b' } } }
    for (let i = 0; i < Math.min(n, 100); i++)
      at = { responses: answers, callbacks: { c: { '{$request.body#/u}': { post: at } } } }
    return api({ R: true }, { paths: { '/x': { post: at } } })
  }),
  'paths-renamed': documents((n, head) =>
    api(
      { R: true },
      {
        paths: record(
          range(10 * n, (i) => [`/${head ? 'h' : 'b'}${i}/{id}`, { get: { responses: answers } }] as const),
        ),
      },
    ),
  ),
  'operations-of-one-name': paths((i, head) => [
    `/p${i}`,
    {
      get: { operationId: 'same', responses: answers },
      post: { operationId: head ? 'same' : 'other', responses: answers },
    },
  ]),
  'parameters-renamed': operation((n, head) => ({
    parameters: range(n, (i) => ({ name: `${head ? 'h' : 'b'}${i}`, in: 'query', schema: { type: 'integer' } })),
  })),
  'parameters-by-reference': documents((n, head) =>
    api(
      { R: true },
      {
        paths: { '/x': { get: { parameters: [{ $ref: `#/components/parameters/p${n}` }], responses: answers } } },
        components: {
          parameters: record([
            ['p0', { name: 'q', in: 'query', required: head, schema: { type: 'integer' } }],
            ...range(n, (i) => [`p${i + 1}`, { $ref: `#/components/parameters/p${i}` }] as const),
          ]),
          schemas: { R: true },
        },
      },
    ),
  ),
  'media-types': operation((n, head) => ({
    responses: {
      200: {
        description: 'ok',
        content: record(
          range(
            n,
            (i) =>
              [
                `application/vnd.t${i}+json;v=${head ? 2 : 1}`,
                { schema: { type: 'object', minProperties: i } },
              ] as const,
          ),
        ),
      },
    },
  })),
  headers: operation((n, head) => ({
    responses: {
      200: {
        description: 'ok',
        headers: record(
          range(n, (i) => [`X-${i}`, { required: !head, schema: { type: 'integer', minimum: i } }] as const),
        ),
        links: record(
          range(
            n,
            (i) => [`l${i}`, { operationRef: `#/paths/~1x/get`, parameters: { id: head ? 'a' : 'b' } }] as const,
          ),
        ),
      },
    },
  })),
  examples: operation((n, head) => ({
    responses: {
      200: {
        description: 'ok',
        content: {
          'application/json': {
            schema: { type: 'array', items: { oneOf: range(20, (i) => ({ type: 'object', required: [`p${i}`] })) } },
            examples: record(
              range(n, (i) => [`e${i}`, { value: range(n, (j) => ({ [`p${(i + j) % 30}`]: head })) }] as const),
            ),
          },
        },
      },
    },
  })),
  'example-deep': operation((n, head) => {
    let at: Json = head
    for (let i = 0; i < Math.min(n, 400); i++) at = i % 2 === 0 ? [at] : { p: at }
    return {
      responses: {
        200: {
          description: 'ok',
          content: { 'application/json': { schema: { type: 'array', items: {} }, example: at } },
        },
      },
    }
  }),
  'description-long': operation((n, head) => ({
    description: `${head ? 'a' : 'b'} ${'word <b> [x](y) '.repeat(300 * n)}`,
  })),
  descriptions: paths((i, head) => [
    `/p${i}`,
    { get: { summary: head ? 'a' : 'b', description: `${i} ${'text '.repeat(500)}${head}`, responses: answers } },
  ]),
  'tags-many': documents((n, head) =>
    api({ R: true }, { tags: range(100 * n, (i) => ({ name: `t${i % (50 * n)}`, description: head ? 'a' : 'b' })) }),
  ),
  'security-schemes': documents((n, head) =>
    api(
      { R: true },
      {
        security: range(n, (i) => ({ [`${head ? 'h' : 'b'}${i}`]: [] })),
        components: {
          schemas: { R: true },
          securitySchemes: record(
            range(n, (i) => [`${head ? 'h' : 'b'}${i}`, { type: 'apiKey', in: 'header', name: `X-${i}` }] as const),
          ),
        },
      },
    ),
  ),
  encodings: operation((n, head) => ({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: record(range(n, (i) => [`p${i}`, { type: 'string' }] as const)) },
          encoding: record(range(n, (i) => [`p${i}`, { contentType: head ? 'text/plain' : 'text/html' }] as const)),
        },
      },
    },
  })),
  webhooks: documents((n, head) =>
    api(
      { R: true },
      {
        webhooks: record(
          range(
            n,
            (i) =>
              [
                `w${i}`,
                {
                  post: {
                    requestBody: { content: { 'application/json': { schema: text(head ? i : i + 1) } } },
                    responses: answers,
                  },
                },
              ] as const,
          ),
        ),
      },
    ),
  ),
  extensions: documents((n, head) =>
    api({ R: true }, { 'x-data': range(100 * n, (i) => ({ $ref: `#/x-data/${i}`, at: head ? i : -i })) }),
  ),
  'operations-of-one-schema': documents((n, head) =>
    api(
      { R: { type: 'object', properties: record(range(n, (i) => [`p${i}`, text(head ? i : i + 1)] as const)) } },
      {
        paths: record(
          range(
            n,
            (i) =>
              [
                `/p${i}`,
                {
                  post: { requestBody: { content: { 'application/json': { schema: ref('R') } } }, responses: answers },
                },
              ] as const,
          ),
        ),
      },
    ),
  ),
}
