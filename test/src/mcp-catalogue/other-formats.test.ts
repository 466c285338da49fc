import { expect, test } from 'bun:test'
import { manifest, refusal } from './manifest-fixtures.ts'

const tool = { name: 'find', description: 'Finds orders.', inputSchema: { type: 'object' } }
const at = { endpointUrl: 'https://mcp.example.com' }
const surface = { tools: [tool], resources: [], resourceTemplates: [], prompts: [] }
const digest = 'sha256:d1a4c8d6396356fa4f88'

/** What the formats read differently. */
const read = (...args: Parameters<typeof manifest>): unknown => {
  const { format, schemaVersion, servers, notices } = manifest(...args)
  return {
    format,
    schemaVersion,
    servers: servers.map((it) => [it.name, it.transport, it.address, it.keys, it.counts.tools, it.isComplete]),
    notices: notices.map((it) => `${it.code} ${it.line}:${it.column} ${it.pointer}`),
  }
}
const dump = { format: 'tools-list', schemaVersion: null, notices: [] }
const named = (name: string): unknown => [
  name,
  'streamable_http',
  'https://mcp.example.com',
  ['https://mcp.example.com'],
  1,
  true,
]

test.each<[string, unknown, unknown]>([
  ['the answer of a server', { tools: [tool] }, { ...dump, servers: [named('mcp.example.com')] }],
  [
    'an answer with its envelope',
    { jsonrpc: '2.0', id: 1, result: { tools: [tool] } },
    { ...dump, servers: [named('mcp.example.com')] },
  ],
  ['a list of tools', [tool], { ...dump, servers: [named('mcp.example.com')] }],
  [
    'a dump with the answer to initialize',
    { serverInfo: { name: 'orders', version: '1' }, tools: [tool] },
    { ...dump, servers: [named('orders')] },
  ],
  [
    'functions of the API of a model',
    [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
    { ...dump, servers: [named('mcp.example.com')] },
  ],
  [
    'one page of several',
    { tools: [tool], nextCursor: 'x' },
    { ...dump, servers: [named('mcp.example.com')], notices: ['page-missing 11:16 /nextCursor'] },
  ],
  [
    'two tools of one name',
    { tools: [{ name: 'find' }, { name: 'find' }] },
    {
      ...dump,
      servers: [
        ['mcp.example.com', 'streamable_http', 'https://mcp.example.com', ['https://mcp.example.com'], 2, false],
      ],
      notices: ['duplicate-name 6:3 /tools/1'],
    },
  ],
])('Reads %s', (_, value, expected) => {
  expect(read(value, at)).toEqual(expected)
})

test('All lists of a dump are its surface, as they were sent.', () => {
  const odd = { ...tool, 'x-unknown': [1.5, null], _meta: { a: 1 } }
  const prompts = [{ name: 'ask' }]
  const resources = [{ uri: 'file:///a', name: 'a' }]
  const resourceTemplates = [{ uriTemplate: 'a:{b}', name: 'b' }]
  const { servers } = manifest({ tools: [odd], prompts, resources, resourceTemplates }, at)
  expect(servers[0]!.surface).toEqual({ tools: [odd], resources, resourceTemplates, prompts })
  expect(manifest([tool], at).servers[0]!.fingerprint).toEqual(
    manifest({ result: { ...surface } }, at).servers[0]!.fingerprint,
  )
})

test('A dump without any item declares no surface: two of them are not the same.', () => {
  const [server] = manifest({ tools: [] }, at).servers
  expect([server!.surface, server!.fingerprint]).toEqual([null, null])
  expect(refusal([])).toStartWith('manifest-invalid 1:1')
})

test('A dump may say how its server is reached.', () => {
  const way = (value: object): unknown =>
    manifest({ tools: [tool], ...value }).servers.map((it) => [it.transport, it.address])
  expect(way({ transport: 'stdio' })).toEqual([['stdio', null]])
  expect(way({ transport: { type: 'sse', url: 'https://a.example' } })).toEqual([['sse', 'https://a.example']])
  expect(way({ transport: 'streamable_http', url: 'https://a.example' })).toEqual([
    ['streamable_http', 'https://a.example'],
  ])
  expect(way({ endpoint: 'https://a.example/mcp' })).toEqual([['streamable_http', 'https://a.example/mcp']])
  expect(refusal({ tools: [tool], transport: 'pigeon' })).toBe(
    'transport-unknown 11:15 "/transport" Unknown transport "pigeon" (line 11, column 15).',
  )
})

const yaml = `name: orders
image: mcp/orders:1.2
type: server
about:
  title: Orders
  description: Finds orders.
source:
  project: https://github.com/example/orders
config:
  secrets:
    - name: orders.key
      env: ORDERS_KEY
      example: sk-123
  env:
    - name: ORDERS_URL
`

test('A server.yaml of Docker has its tools beside it.', () => {
  const source = 'server.yaml'
  const tools = JSON.stringify([{ name: 'find', description: 'Finds.', arguments: [{ name: 'id', type: 'string' }] }])
  expect(read(yaml, { source, tools })).toEqual({
    format: 'docker',
    schemaVersion: null,
    servers: [['orders', 'stdio', null, ['pkg:oci/mcp/orders'], 1, false]],
    notices: [],
  })
  const [server] = manifest(yaml, { source, tools }).servers
  expect(server!.identity).toEqual({
    name: 'orders',
    title: 'Orders',
    version: null,
    description: 'Finds orders.',
    websiteUrl: null,
    repositoryUrl: 'https://github.com/example/orders',
  })
  expect(server!.packages).toEqual([
    {
      registry: 'oci',
      identifier: 'mcp/orders',
      version: '1.2',
      inputs: [
        { name: 'ORDERS_KEY', in: 'environment', description: null, isRequired: true, isSecret: true },
        { name: 'ORDERS_URL', in: 'environment', description: null, isRequired: true, isSecret: false },
      ],
    },
  ])
  expect(read(`name: a\nremote:\n  transport_type: sse\n  url: https://a.example/sse\n`)).toEqual({
    format: 'docker',
    schemaVersion: null,
    servers: [['a', 'sse', 'https://a.example/sse', ['https://a.example/sse'], 0, false]],
    notices: [],
  })
  expect(refusal(yaml, { source, tools: '[{]' })).toBe(
    'manifest-invalid 1:3 "" Invalid manifest (line 1, column 3): tools.json: Invalid JSON: expected a property name in double quotes or "}", found "]".',
  )
  expect(refusal(yaml, { source, tools: '3' })).toBe(
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): tools.json must be a list of tools.',
  )
})

test('The manifest of a bundle names its tools.', () => {
  const value = {
    manifest_version: '0.3',
    name: 'orders',
    version: '1.0.0',
    description: 'Finds orders.',
    server: {
      type: 'node',
      mcp_config: {
        command: 'npx',
        args: ['-y', '@example/orders@1.0.0'],
        env: { KEY: 'hunter2', B: '${user_config.b}' },
      },
    },
    tools: [{ name: 'find', description: 'Finds.' }],
  }
  expect(read(value)).toEqual({
    format: 'mcpb',
    schemaVersion: '0.3',
    servers: [['orders', 'stdio', null, ['pkg:mcpb/orders', 'pkg:npm/@example/orders'], 1, false]],
    notices: ['secret-dropped 15:12 /server/mcp_config/env/KEY'],
  })
  expect(refusal({ ...value, server: [] })).toBe(
    'manifest-invalid 6:12 "/server" Invalid manifest (line 6, column 12): "server" must be an object.',
  )
})

test('Cards of servers are read in both forms.', () => {
  expect(
    read({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'com.example/orders',
      description: 'a',
      version: '1',
      remotes: [{ type: 'streamable-http', url: 'https://a.example/mcp' }],
    }),
  ).toEqual({
    format: 'server-card',
    schemaVersion: 'v1',
    servers: [['com.example/orders', 'streamable_http', 'https://a.example/mcp', ['https://a.example/mcp'], 0, true]],
    notices: [],
  })
  const draft = {
    serverInfo: { name: 'orders', version: '1' },
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    tools: 'dynamic',
  }
  expect(read(draft, at)).toEqual({
    format: 'server-card',
    schemaVersion: null,
    servers: [['orders', 'streamable_http', 'https://mcp.example.com', ['https://mcp.example.com'], 0, true]],
    notices: ['field-ignored 8:15 /transport/endpoint'],
  })
  expect(refusal(draft)).toBe(
    'manifest-no-transport 1:1 "" The manifest has no address or command for the server (line 1, column 1): it names no remote server, package or command.',
  )
})

test.each<[string, string, string]>([
  ['nothing', '', 'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): The document is empty.'],
  [
    'a syntax error',
    '{"tools": [}',
    'manifest-invalid 1:12 "" Invalid manifest (line 1, column 12): Invalid JSON: expected a value, found "}".',
  ],
  [
    'a repeated key, which readers read differently',
    '{"tools": [],\n "tools": []}',
    'manifest-invalid 2:2 "/tools" Invalid manifest (line 2, column 2): Duplicate key "tools"; only the last one is used.',
  ],
  [
    'an API description',
    '{"openapi": "3.1.0"}',
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): it is an OpenAPI document; "svc import" imports it.',
  ],
  [
    'another thing',
    '{"a": 1}',
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): it has no format that is known.',
  ],
  ['a text', '"tools"', 'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): it has no format that is known.'],
  [
    'a tool without a name',
    '{"tools": [{}]}',
    'manifest-invalid 1:12 "/tools/0" Invalid manifest (line 1, column 12): a tool has no "name".',
  ],
  [
    'a tool that is a number',
    '{"tools": [1]}',
    'manifest-invalid 1:12 "/tools/0" Invalid manifest (line 1, column 12): a tool must be an object.',
  ],
  [
    'a list of another type beside a good one',
    '{"tools": [], "prompts": {}}',
    'manifest-invalid 1:26 "/prompts" Invalid manifest (line 1, column 26): "prompts" must be an array.',
  ],
])('Refuses %s', (_, text, expected) => {
  expect(refusal(text)).toBe(expected)
})

test('The digest of a surface does not depend on the format.', () => {
  const wire = manifest([tool], at).servers[0]!.fingerprint!.wire
  expect(wire).toStartWith(digest)
  expect(manifest({ name: 'x', tools: [tool] }, at).servers[0]!.fingerprint!.wire).toBe(wire)
})
