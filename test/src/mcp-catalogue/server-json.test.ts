import { expect, test } from 'bun:test'
import type { DeclaredInput } from '../../../src/mcp-catalogue/types.ts'
import { manifest, refusal } from './manifest-fixtures.ts'

const schema = (version: string): string =>
  `https://static.modelcontextprotocol.io/schemas/${version}/server.schema.json`
const texts = { name: 'com.example/orders', description: 'Finds orders.', version: '1.2.0' }
const remotes = [{ type: 'streamable-http', url: 'https://MCP.example.com/orders/' }]

test('A server.json in camel case has identity, transports, packages and keys.', () => {
  const { format, schemaVersion, servers, notices } = manifest({
    $schema: schema('2025-12-11'),
    ...texts,
    title: 'Orders',
    websiteUrl: 'https://example.com',
    repository: { url: 'https://user:hunter2@github.com/example/orders', source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: '@example/orders',
        version: '1.2.0',
        transport: { type: 'stdio' },
        environmentVariables: [{ name: 'ORDERS_KEY', description: 'The key.', isRequired: true, isSecret: true }],
        packageArguments: [{ type: 'named', name: '--verbose', value: 'yes' }],
      },
    ],
    remotes: [
      { type: 'sse', url: 'https://mcp.example.com/orders/sse' },
      { ...remotes[0], headers: [{ name: 'X-Api-Key', isRequired: true, isSecret: true, value: 'hunter2' }] },
    ],
  })
  const key: DeclaredInput = {
    name: 'ORDERS_KEY',
    in: 'environment',
    description: 'The key.',
    isRequired: true,
    isSecret: true,
  }
  const verbose: DeclaredInput = {
    name: '--verbose',
    in: 'argument',
    description: null,
    isRequired: false,
    isSecret: false,
  }
  const header: DeclaredInput = { name: 'X-Api-Key', in: 'header', description: null, isRequired: true, isSecret: true }
  expect({ format, schemaVersion, servers }).toEqual({
    format: 'server-json',
    schemaVersion: '2025-12-11',
    servers: [
      {
        format: 'server-json',
        schemaVersion: '2025-12-11',
        place: { pointer: '', line: 1, column: 1 },
        name: 'com.example/orders',
        identity: {
          ...texts,
          title: 'Orders',
          websiteUrl: 'https://example.com',
          repositoryUrl: 'https://github.com/example/orders',
        },
        transport: 'streamable_http',
        address: 'https://mcp.example.com/orders',
        variables: [],
        transports: [
          {
            type: 'streamable_http',
            address: 'https://mcp.example.com/orders',
            variables: [],
            inputs: [header],
            command: null,
          },
          { type: 'sse', address: 'https://mcp.example.com/orders/sse', variables: [], inputs: [], command: null },
          { type: 'stdio', address: null, variables: [], inputs: [key, verbose], command: null },
        ],
        packages: [
          {
            registry: 'npm',
            identifier: '@example/orders',
            version: '1.2.0',
            inputs: [key, verbose],
            launch: {
              runtimeHint: null,
              runtimeArguments: [],
              packageArguments: [
                {
                  type: 'named',
                  name: '--verbose',
                  valueHint: null,
                  description: null,
                  value: 'yes',
                  default: null,
                  isRequired: false,
                  isRepeated: false,
                  isSecret: false,
                  variables: [],
                },
              ],
              transport: { type: 'stdio', address: null },
              fileSha256: null,
            },
          },
        ],
        keys: ['https://mcp.example.com/orders', 'https://mcp.example.com/orders/sse'],
        surface: null,
        fingerprint: null,
        isComplete: true,
        counts: { tools: 0, resources: 0, templates: 0, prompts: 0 },
      },
    ],
  })
  expect(notices).toEqual([
    {
      code: 'secret-dropped',
      message: 'The value of the header "X-Api-Key" was dropped: secrets are not stored.',
      pointer: '/remotes/1/headers/0/value',
      line: 50,
      column: 15,
    },
  ])
})

test('Snake case is read alike.', () => {
  const { schemaVersion, servers } = manifest({
    ...texts,
    version: undefined,
    version_detail: { version: '1.2.0' },
    packages: [
      {
        registry_name: 'docker',
        name: 'docker.io/example/orders:1.2',
        version: '1.2',
        environment_variables: [{ name: 'A' }],
      },
    ],
    remotes: [{ transport_type: 'streamable', url: 'https://mcp.example.com' }],
  })
  expect(schemaVersion).toBe('2025-07-09')
  expect(
    servers.map(({ identity, transport, keys, packages }) => ({
      version: identity.version,
      transport,
      keys,
      packages,
    })),
  ).toEqual([
    {
      version: '1.2.0',
      transport: 'streamable_http',
      keys: ['https://mcp.example.com'],
      packages: [
        {
          registry: 'oci',
          identifier: 'docker.io/example/orders:1.2',
          version: '1.2',
          inputs: [{ name: 'A', in: 'environment', description: null, isRequired: false, isSecret: false }],
          launch: {
            runtimeHint: null,
            runtimeArguments: [],
            packageArguments: [],
            transport: { type: 'stdio', address: null },
            fileSha256: null,
          },
        },
      ],
    },
  ])
})

test('A package without a remote is known by its name, whatever its version.', () => {
  const keysOf = (it: object): readonly string[] => manifest({ ...texts, packages: [it] }).servers[0]!.keys
  expect(keysOf({ registryType: 'npm', identifier: '@example/a', version: '1' })).toEqual(['pkg:npm/@example/a'])
  expect(keysOf({ registry_type: 'pypi', identifier: 'Example_A' })).toEqual(['pkg:pypi/example-a'])
  expect(keysOf({ registryType: 'oci', identifier: 'docker.io/example/a:1.0' })).toEqual(['pkg:oci/example/a'])
  expect(keysOf({ registryType: 'oci', identifier: 'ghcr.io/example/a@sha256:ab' })).toEqual([
    'pkg:oci/ghcr.io/example/a',
  ])
  expect(
    keysOf({
      registryType: 'npm',
      identifier: 'a',
      transport: { type: 'streamable-http', url: 'http://127.0.0.1:{port}/mcp' },
    }),
  ).toEqual(['pkg:npm/a'])
})

test('Templates of addresses are kept, and noted: nobody can observe them.', () => {
  const { servers, notices } = manifest({
    ...texts,
    remotes: [{ type: 'sse', url: 'https://{Tenant}.example.com/x/' }],
  })
  expect(servers.map(({ address, variables }) => ({ address, variables }))).toEqual([
    { address: 'https://{Tenant}.example.com/x', variables: ['Tenant'] },
  ])
  expect(notices.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(['template-address /remotes/0'])
})

test.each([
  ['2025-07-09', []],
  ['2025-09-16', []],
  ['2025-09-29', []],
  ['2025-10-11', []],
  ['2025-10-17', []],
  ['2025-12-11', []],
  ['2031-01-01', ['schema-unknown']],
])('The version %s of the schema is known or noted', (version, notes) => {
  const { schemaVersion, notices } = manifest({ $schema: schema(version), ...texts, remotes })
  expect([schemaVersion, notices.map((it) => it.code)]).toEqual([version, notes])
})

test('A draft of the schema has no date.', () => {
  const $schema = 'https://raw.githubusercontent.com/modelcontextprotocol/registry/main/docs/server.schema.json'
  expect(manifest({ $schema, ...texts, remotes }).schemaVersion).toBe('draft')
})

test('Registries wrap servers and list them.', () => {
  const names = (value: unknown): string[] => manifest(value).servers.map((it) => `${it.name} ${it.place.pointer}`)
  expect(names({ server: { ...texts, remotes }, _meta: {} })).toEqual(['com.example/orders /server'])
  expect(
    names({ servers: [{ server: { ...texts, remotes } }, { ...texts, name: 'b/c', remotes }], metadata: {} }),
  ).toEqual(['com.example/orders /servers/0/server', 'b/c /servers/1'])
  expect(names([{ ...texts, remotes }])).toEqual(['com.example/orders /0'])
})

test('Tools in a server.json are its surface.', () => {
  const tool = { name: 'find', inputSchema: { type: 'object' } }
  const { servers } = manifest({ ...texts, remotes, tools: [tool] })
  expect(servers.map(({ surface, counts, isComplete }) => ({ surface, counts, isComplete }))).toEqual([
    {
      surface: { tools: [tool], resources: [], resourceTemplates: [], prompts: [] },
      counts: { tools: 1, resources: 0, templates: 0, prompts: 0 },
      isComplete: true,
    },
  ])
})

test.each<[string, unknown, string]>([
  [
    'no name',
    { $schema: schema('2025-12-11') },
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): the server has no "name".',
  ],
  [
    'an empty name',
    { ...texts, name: ' ', remotes },
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): the server has no "name".',
  ],
  [
    'a name of another type',
    { ...texts, name: 1, remotes },
    'manifest-invalid 2:10 "/name" Invalid manifest (line 2, column 10): "name" must be a string.',
  ],
  [
    'no version, although the schema demands one',
    { $schema: schema('2025-12-11'), name: 'a/b', description: 'c', remotes },
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): the server has no "version".',
  ],
  [
    'no description, although the schema demands one',
    { $schema: schema('2025-12-11'), name: 'a/b', version: '1', remotes },
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): the server has no "description".',
  ],
  [
    'a transport that nobody knows',
    { ...texts, remotes: [{ type: 'websocket', url: 'wss://example.com' }] },
    'transport-unknown 7:12 "/remotes/0/type" Unknown transport "websocket" (line 7, column 12).',
  ],
  [
    'a remote without a type',
    { ...texts, remotes: [{ url: 'https://example.com' }] },
    'manifest-invalid 6:3 "/remotes/0" Invalid manifest (line 6, column 3): the remote has no "type".',
  ],
  [
    'a remote without an address',
    { ...texts, remotes: [{ type: 'sse' }] },
    'manifest-invalid 6:3 "/remotes/0" Invalid manifest (line 6, column 3): the remote has no "url".',
  ],
  [
    'a password in an address',
    { ...texts, remotes: [{ type: 'sse', url: 'https://me:hunter2@example.com' }] },
    'endpoint-address-invalid 8:11 "/remotes/0/url" Invalid address of a server (line 8, column 11): it contains a user name or a password.',
  ],
  [
    'a key in an address',
    { ...texts, remotes: [{ type: 'sse', url: 'https://example.com?api_key=hunter2' }] },
    'endpoint-address-invalid 8:11 "/remotes/0/url" Invalid address of a server (line 8, column 11): its query parameter "api_key" holds a secret.',
  ],
  [
    'remotes of another type',
    { ...texts, remotes: {} },
    'manifest-invalid 5:13 "/remotes" Invalid manifest (line 5, column 13): "remotes" must be an array.',
  ],
  [
    'a package without an identifier',
    { ...texts, packages: [{ registryType: 'npm' }] },
    'manifest-invalid 6:3 "/packages/0" Invalid manifest (line 6, column 3): the package has no "identifier".',
  ],
  [
    'a package without a registry',
    { ...texts, packages: [{ identifier: 'a' }] },
    'manifest-invalid 6:3 "/packages/0" Invalid manifest (line 6, column 3): the package has no "registryType".',
  ],
  [
    'no way to the server',
    texts,
    'manifest-no-transport 1:1 "" The manifest has no address or command for the server (line 1, column 1): it names no remote server, package or command.',
  ],
])('Refuses %s', (_, value, expected) => {
  expect(refusal(value)).toBe(expected)
})

test('What the request says beside the manifest decides.', () => {
  const both = {
    ...texts,
    remotes: [
      { type: 'streamable-http', url: 'https://a.example' },
      { type: 'sse', url: 'https://b.example' },
    ],
  }
  const chosen = (options: Parameters<typeof manifest>[1], value: object = both): unknown =>
    manifest(value, options).servers.map(({ transport, address, keys }) => ({ transport, address, keys }))
  expect(chosen({ transport: 'sse' })).toEqual([
    { transport: 'sse', address: 'https://b.example', keys: ['https://b.example', 'https://a.example'] },
  ])
  // An address of the request takes the place of a template before that of another address.
  const template = { type: 'sse', url: 'https://{host}.example/sse', variables: { host: {} } }
  expect(
    chosen({ endpointUrl: 'https://c.example/sse' }, { ...texts, remotes: [both.remotes[0], template] }),
  ).toMatchObject([{ transport: 'sse', address: 'https://c.example/sse' }])
  // The template that it takes the place of is no other way to the server.
  const replaced = manifest(
    { ...texts, remotes: [both.remotes[0], template] },
    { endpointUrl: 'https://c.example/sse' },
  )
  expect(replaced.servers[0]?.transports.map(({ address }) => address)).toEqual([
    'https://c.example/sse',
    'https://a.example',
  ])
  expect(chosen({ endpointUrl: 'https://B.example/' })).toEqual([
    { transport: 'sse', address: 'https://b.example', keys: ['https://b.example'] },
  ])
  expect(chosen({ endpointUrl: 'https://c.example/mcp', transport: 'sse' })).toEqual([
    { transport: 'sse', address: 'https://c.example/mcp', keys: ['https://c.example/mcp'] },
  ])
  expect(chosen({ endpointUrl: 'https://c.example/sse' }, texts)).toEqual([
    { transport: 'sse', address: 'https://c.example/sse', keys: ['https://c.example/sse'] },
  ])
  expect(chosen({ endpointUrl: 'https://c.example/mcp' }, texts)).toEqual([
    { transport: 'streamable_http', address: 'https://c.example/mcp', keys: ['https://c.example/mcp'] },
  ])
  expect(chosen({ transport: 'stdio' }, texts)).toEqual([{ transport: 'stdio', address: null, keys: [] }])
  expect(refusal(texts, { transport: 'sse' })).toStartWith('manifest-no-transport 1:1')
  expect(chosen({ transport: 'sse' }, { ...texts, remotes })).toEqual(
    (chosen({}, { ...texts, remotes }) as object[]).map((it) => ({ ...it, transport: 'sse' })),
  )
  expect(refusal(both, { endpointUrl: 'https://u:hunter2@c.example' })).toBe(
    'endpoint-address-invalid null:null "" Invalid address of a server: it contains a user name or a password.',
  )
  expect(
    refusal(
      [
        { ...texts, remotes },
        { ...texts, remotes },
      ],
      { endpointUrl: 'https://c.example' },
    ),
  ).toBe(
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): it names 2 servers, but the request has the address of one.',
  )
})

test('Remote ways come before local ones, fixed addresses before templates, streamable HTTP before SSE.', () => {
  const local = {
    registryType: 'npm',
    identifier: 'a',
    transport: { type: 'streamable-http', url: 'http://127.0.0.1:3000/mcp' },
  }
  const types = (value: object): unknown =>
    manifest({ ...texts, ...value }).servers[0]!.transports.map((it) => it.address)
  const sse = { type: 'sse', url: 'https://b.example' }
  const http = { type: 'streamable-http', url: 'https://c.example' }
  const template = { type: 'streamable-http', url: 'https://{a}.example' }
  expect(types({ packages: [local], remotes: [sse] })).toEqual(['https://b.example', 'http://127.0.0.1:3000/mcp'])
  expect(types({ remotes: [template, sse, http] })).toEqual([
    'https://c.example',
    'https://b.example',
    'https://{a}.example',
  ])
  expect(manifest({ ...texts, packages: [local] }).servers.map((it) => [it.transport, it.address, it.keys])).toEqual([
    ['streamable_http', 'http://127.0.0.1:3000/mcp', ['pkg:npm/a']],
  ])
})
