import { describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../../src/kernel/json.ts'
import { writeHtml } from '../../../../src/render/reference/html.ts'
import { writeMarkdown } from '../../../../src/render/reference/markdown.ts'
import { readReference } from '../../../../src/render/reference/model.ts'
import { typeOf, viewSchema } from '../../../../src/render/reference/schema-view.ts'

const pets = {
  openapi: '3.2.0',
  info: { title: 'Pets', version: '1.2', summary: 'All pets', license: { name: 'MIT' } },
  servers: [{ url: 'https://example.com', description: 'Production' }],
  security: [{ key: [] }, {}],
  tags: [{ name: 'pets', description: 'About *pets*' }, { name: 'unused' }],
  paths: {
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        tags: ['pets'],
        summary: 'Get a pet | by id',
        operationId: 'getPet',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            deprecated: true,
            description: 'Most\n\nmore',
            schema: { type: 'integer', maximum: 9, default: 3 },
          },
        ],
        responses: {
          200: {
            description: 'A pet',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' }, example: { name: 'Rex' } } },
          },
        },
      },
      additionalOperations: { COPY: { responses: {} } },
    },
  },
  webhooks: { born: { post: { requestBody: { required: true, content: { 'text/plain': {} } }, responses: {} } } },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', enum: ['Rex', 'Tom'] },
          tags: { type: 'array', items: { properties: { key: {} } } },
          friend: { $ref: '#/components/schemas/Pet' },
        },
        additionalProperties: false,
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
}

test('the reference of a document, as Markdown', () => {
  expect(writeMarkdown(readReference(pets))).toBe(`# Pets 1.2

All pets

- License: MIT

## Servers

- \`https://example.com\` Production

## Credentials

- \`key\` apiKey: X-Key in header

## pets

About *pets*

### GET \`/pets/{id}\`

**Get a pet \\| by id**

operationId: \`getPet\`

Credentials: key, or none

#### Parameters

| Name | In | Type | Required | Description |
| --- | --- | --- | --- | --- |
| \`id\` | path | string (uuid) | yes |  |
| \`limit\` | query | integer |  | Most (at most 9; default 3) Deprecated. |

#### Response 200

A pet

\`application/json\`

Type: [Pet](#pet)

Example:

\`\`\`
{
  "name": "Rex"
}
\`\`\`

## Operations

### COPY \`/pets/{id}\`

Credentials: key, or none

#### Parameters

| Name | In | Type | Required | Description |
| --- | --- | --- | --- | --- |
| \`id\` | path | string (uuid) | yes |  |

## Webhooks

### Webhook POST \`born\`

Credentials: key, or none

#### Request body

\`text/plain\`

## Schemas

### Pet

Type: object; no other properties

| Name | Type | Required | Description |
| --- | --- | --- | --- |
| \`name\` | string | yes | one of Rex, Tom |
| \`tags\` | array of object |  |  |
| \`tags.each item\` | object |  |  |
| \`tags.each item.key\` | any |  |  |
| \`friend\` | [Pet](#pet) |  |  |
`)
})

test('places on the page have addresses of their own, which depend on method, path and name alone', () => {
  const { groups, schemas } = readReference({
    ...pets,
    paths: { ...pets.paths, '/pets-{id}': { get: { responses: {} } }, '/': { get: { responses: {} } } },
  })
  expect(groups.flatMap(({ id, operations }) => [id, ...operations.map((it) => it.id)])).toEqual([
    'tag-pets',
    'get-pets-id',
    'tag-operations',
    'copy-pets-id',
    'get-pets-id-2',
    'get',
    'tag-Webhooks',
    'webhook-post-born',
  ])
  expect(schemas.map(({ id }) => id)).toEqual(['schema-Pet'])
})

describe('types in words', () => {
  const types: readonly (readonly [schema: Json, type: string])[] = [
    [true, 'any'],
    [false, 'nothing'],
    [{ description: 'x' }, 'any'],
    [{ type: ['string', 'null'], format: 'date' }, 'string or null (date)'],
    [{ type: 'array', items: { type: 'array', items: { $ref: '#/components/schemas/A' } } }, 'array of array of <A>'],
    [{ const: 1 }, '1'],
    [{ oneOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, '<A> or null'],
    [{ allOf: [{ $ref: '#/components/schemas/A' }, { properties: {} }] }, 'all of'],
    [{ properties: {} }, 'object'],
    [{ enum: [1] }, 'enum'],
    [{ $ref: 'https://example.com/a.json' }, 'https://example.com/a.json'],
  ]
  for (const [schema, type] of types)
    test(JSON.stringify(schema), () => {
      expect(
        typeOf(schema)
          .map((it) => (typeof it === 'string' ? it : `<${it.schema}>`))
          .join(''),
      ).toBe(type)
    })
})

describe('bounds', () => {
  test('deep schemas end, and what is used everywhere is shown a limited number of times', () => {
    let deep: Json = { type: 'string' }
    for (let depth = 0; depth < 400; depth++) deep = { properties: { a: deep } }
    let depth = 0
    for (
      let view = viewSchema(deep, { left: 1000, schemas: {} });
      view.members[0] !== undefined;
      view = view.members[0].view
    )
      depth++
    expect(depth).toBe(16)
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, { type: 'string' }])),
    }
    const operation = { responses: { 200: { $ref: '#/components/responses/R' } } }
    const document: JsonObject = {
      info: { title: 'A', version: '1' },
      paths: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`/p${at}`, { get: operation }])),
      components: { responses: { R: { description: 'r', content: { 'a/b': { schema: wide } } } } },
    }
    const shown = readReference(document)
      .groups.flatMap((it) => it.operations)
      .filter((it) => it.responses[0]?.media[0]?.view?.members.length === 1000)
    expect(shown.length).toBe(250)
  })
})

test('nothing of a document becomes markup of the page', () => {
  const attack = `"'></code></script><img src=x onerror=hit()><script>hit()</script>\${hit()}`
  const page = writeHtml(
    readReference({
      info: {
        title: attack,
        version: attack,
        summary: attack,
        description: attack,
        license: { name: attack },
        contact: { url: `javascript:${attack}` },
      },
      servers: [{ url: attack, description: attack }],
      security: [{ [attack]: [attack] }],
      tags: [{ name: attack, description: attack }],
      paths: {
        [`/${attack}`]: {
          get: {
            tags: [attack],
            operationId: attack,
            summary: attack,
            description: attack,
            parameters: [
              {
                name: attack,
                in: attack,
                description: attack,
                schema: {
                  type: attack,
                  format: attack,
                  enum: [attack],
                  default: attack,
                  pattern: attack,
                  description: attack,
                },
                examples: { [attack]: { value: attack } },
              },
            ],
            requestBody: {
              description: attack,
              content: {
                [attack]: {
                  schema: { properties: { [attack]: { $ref: `#/components/schemas/${attack}` } } },
                  example: { [attack]: attack },
                },
              },
            },
            responses: { [attack]: { description: attack, headers: { [attack]: { schema: { const: attack } } } } },
          },
          additionalOperations: { [attack]: { responses: {} } },
        },
      },
      components: {
        schemas: {
          [attack]: {
            title: attack,
            type: 'object',
            description: attack,
            properties: { [attack]: { oneOf: [{ $ref: attack }] } },
          },
        },
        securitySchemes: {
          [attack]: { type: attack, description: attack, flows: { [attack]: { scopes: { [attack]: attack } } } },
        },
      },
    }),
  ).join('\n')
  const elements = new Set<string>()
  const attributes = new Set<string>()
  let scripts = 0
  new HTMLRewriter()
    .on('*', {
      element(it) {
        elements.add(it.tagName)
        if (it.tagName === 'script') scripts++
        for (const [name] of it.attributes) attributes.add(name)
      },
    })
    .transform(page)
  expect(scripts).toBe(1)
  expect(elements.intersection(new Set(['img', 'iframe', 'svg', 'object', 'form', 'link', 'base']))).toEqual(new Set())
  expect([...attributes].filter((it) => /^on|^style$|^src$/.test(it))).toEqual([])
  expect(page).not.toContain('href="javascript')
})
