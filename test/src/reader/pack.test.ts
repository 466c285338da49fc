/** The parts of documentation: what each holds, and that nothing harmful is in a description. */
import { expect, test } from 'bun:test'
import { wordsOf } from '../../../src/api/reader.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { packReader, type PackTable } from '../../../src/reader/pack.ts'
import { listGroups } from '../../../src/reader/groups.ts'

const open = (root: JsonObject, more: Record<string, unknown> = {}) => {
  const pack = packReader(root, 'stamp', more)
  const start = 4 + new DataView(pack.buffer).getUint32(0, true)
  const table = JSON.parse(new TextDecoder().decode(pack.subarray(4, start))) as PackTable
  const read = (name: string): unknown => {
    const [offset, length] = table[name] ?? [0, 0]
    return JSON.parse(new TextDecoder().decode(Bun.gunzipSync(pack.subarray(start + offset, start + offset + length))))
  }
  return { names: Object.keys(table), read }
}

const petstore: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.2.0', description: '# About\n\n<script>alert(1)</script>\n\n**Pets**' },
  servers: [{ url: 'https://{region}.example.com/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
  security: [{ key: [] }],
  tags: [{ name: 'pets', description: 'All *pets*' }],
  paths: {
    '/pets': {
      post: {
        tags: ['pets'],
        operationId: 'createPet',
        summary: 'Create a pet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { 201: { description: 'Created' } },
        callbacks: {
          sold: { '{$request.body#/hook}': { post: { summary: 'Sold', responses: { 204: { description: 'Seen' } } } } },
        },
        'x-codeSamples': [{ lang: 'Ruby', source: 'Pets.create' }],
      },
    },
  },
  webhooks: { newPet: { post: { summary: 'A pet arrived', responses: { 200: { description: 'Fine' } } } } },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask us' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name', 'owner'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string', description: '<img src=x onerror=alert(1)>The nickname' },
          owner: { $ref: '#/components/schemas/Owner' },
        },
      },
      Owner: {
        type: 'object',
        required: ['pets'],
        properties: { pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
      },
    },
  },
}

test('the index says what there is, and each part is found by its name', () => {
  const { names, read } = open(petstore, { servers: ['https://eu.example.com/v1'] })
  expect(names.filter((it) => !it.startsWith('words-'))).toEqual([
    'servers',
    'index',
    'operation-0',
    'operation-1',
    'schema-0',
    'schema-1',
  ])
  expect(read('servers')).toEqual(['https://eu.example.com/v1'])
  expect(read('index')).toEqual({
    stamp: 'stamp',
    title: 'Pets',
    version: '1.2.0',
    summary: '',
    description: '<h3>About</h3>\n\n<p><strong>Pets</strong></p>\n',
    servers: [
      {
        url: 'https://{region}.example.com/v1',
        description: '',
        variables: [{ name: 'region', value: 'eu', choices: ['eu', 'us'], description: '' }],
      },
    ],
    facts: [],
    security: [
      {
        name: 'key',
        kind: 'apiKey: X-Key in header',
        description: '<p>Ask us</p>\n',
        type: 'apiKey',
        scheme: '',
        carrier: 'X-Key',
        place: 'header',
      },
    ],
    operations: [
      {
        method: 'POST',
        path: '/pets',
        summary: 'Create a pet',
        operationId: 'createPet',
        isWebhook: false,
        deprecated: false,
      },
      { method: 'POST', path: 'newPet', summary: 'A pet arrived', operationId: '', isWebhook: true, deprecated: false },
    ],
    groups: [
      { name: 'pets', description: '<p>All <em>pets</em></p>\n', count: 1 },
      { name: 'Webhooks', description: '', count: 1 },
    ],
    schemas: ['Pet', 'Owner'],
  })
})

test('an operation has a sample without what is read only, its callbacks and its own samples', () => {
  const { operation } = open(petstore).read('operation-0') as { operation: Record<string, unknown> }
  expect(operation['body']).toEqual({
    required: true,
    description: '',
    media: [
      {
        type: 'application/json',
        view: { type: [{ schema: 'Pet' }], facts: [], description: '', deprecated: false, members: [] },
        examples: [],
        // The owner has pets again, which are left out.
        sample: '{\n  "name": "string",\n  "owner": {\n    "pets": []\n  }\n}',
      },
    ],
  })
  expect(operation['schemes']).toEqual([['key']])
  expect(operation['ownSamples']).toEqual([{ label: 'Ruby', source: 'Pets.create' }])
  expect((operation['callbacks'] as { name: string; to: string }[]).map(({ name, to }) => [name, to])).toEqual([
    ['sold', '{$request.body#/hook}'],
  ])
})

test('a schema has harmless descriptions and the operations that name it', () => {
  const part = open(petstore).read('schema-0') as { usedBy: number[]; schema: { view: { members: object[] } } }
  expect(part.usedBy).toEqual([0])
  expect(part.schema.view.members[1]).toEqual({
    name: 'name',
    required: true,
    view: { type: ['string'], facts: [], description: '<p>The nickname</p>\n', deprecated: false, members: [] },
  })
})

test('words lead to operations and schemas with their weight', () => {
  const { read } = open(petstore)
  // 4 × index + weight: the description of a property of the first schema, which follows two operations.
  expect(read('words-n')).toEqual({ newpet: [4 + 3], new: [4 + 3], name: [8 + 2], nickname: [8 + 1] })
  expect(wordsOf('PaymentIntent of the user_id, HTTP 2')).toEqual([
    'paymentintent',
    'payment',
    'intent',
    'user_id',
    'user',
    'id',
    'http',
  ])
})

test('operations without tags are grouped by the segment in which their paths differ', () => {
  const operations = (paths: readonly string[]) => paths.map((path) => ({ path }) as never)
  const grouped = (paths: readonly string[]) =>
    listGroups([{ name: 'Operations', description: '', operations: operations(paths) }]).map(({ name, operations }) => [
      name,
      operations.length,
    ])
  const many = (name: string) => Array.from({ length: 12 }, (_, at) => `/v1/${name}/{id}/x${at}`)
  expect(grouped([...many('pets'), ...many('shops')])).toEqual([
    ['pets', 12],
    ['shops', 12],
  ])
  expect(grouped(['/v1/a', '/v1/b'])).toEqual([['Operations', 2]])
  expect(grouped(Array.from({ length: 30 }, (_, at) => `/r${at}`))).toEqual([['Operations', 30]])
})
