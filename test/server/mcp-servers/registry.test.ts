/** The approved servers as a registry that agent hosts read: the shape of the official one, and what it lists. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { observeKind } from '../../../server/mcp-servers/due.ts'
import { mcpRegistryApi } from '../../../src/api/mcp-registry.ts'
import { mcpServersApi } from '../../../src/api/mcp-servers.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { forecastTool, greeting, startMcpServer, type ScriptedMcpServer } from '../../fixtures/mcp-server.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const keyed = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, isSecret: { type: 'boolean' } },
  },
}
const remote = {
  type: 'object',
  required: ['type', 'url'],
  properties: {
    type: { enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' },
    headers: keyed,
    variables: { type: 'object' },
  },
}
const packaged = {
  type: 'object',
  required: ['registryType', 'identifier', 'transport'],
  properties: {
    registryType: { type: 'string' },
    identifier: { type: 'string' },
    transport: { type: 'object', required: ['type'], properties: { type: { enum: ['stdio'] } } },
    environmentVariables: keyed,
  },
}
/** What the published description of the registry's interface (version 0.1) says of an answer. */
const serverResponse = {
  type: 'object',
  required: ['server'],
  properties: {
    server: {
      type: 'object',
      required: ['name', 'description', 'version'],
      properties: {
        $schema: { type: 'string', format: 'uri' },
        name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
        title: { type: 'string', minLength: 1, maxLength: 100 },
        description: { type: 'string', minLength: 1, maxLength: 100 },
        version: { type: 'string', minLength: 1, maxLength: 255, not: { enum: ['latest'] } },
        websiteUrl: { type: 'string', format: 'uri' },
        repository: { type: 'object', required: ['url', 'source'] },
        remotes: { type: 'array', items: remote },
        packages: { type: 'array', items: packaged },
        _meta: { type: 'object' },
      },
    },
    _meta: {
      type: 'object',
      properties: {
        'io.modelcontextprotocol.registry/official': {
          type: 'object',
          additionalProperties: false,
          properties: {
            status: { enum: ['active', 'deprecated', 'deleted'] },
            statusChangedAt: { type: 'string', format: 'date-time' },
            publishedAt: { type: 'string', format: 'date-time' },
            updatedAt: { type: 'string', format: 'date-time' },
            isLatest: { type: 'boolean' },
          },
        },
      },
    },
  },
}
const serverList = {
  type: 'object',
  required: ['servers', 'metadata'],
  properties: {
    servers: { type: 'array', items: serverResponse },
    metadata: {
      type: 'object',
      required: ['count'],
      properties: { nextCursor: { type: 'string' }, count: { type: 'integer' } },
    },
  },
}
const ajv = new Ajv({ strict: false })
addFormats(ajv)
const fits = { list: ajv.compile(serverList), one: ajv.compile(serverResponse) }

interface Entry {
  readonly server: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }
  readonly _meta: { readonly 'io.modelcontextprotocol.registry/official': { readonly isLatest: boolean } }
}

onBothEngines('the registry of approved servers', (makeDb) => {
  let it: PetsProject
  let server: ScriptedMcpServer
  let version = '1.2.0'
  let tools: readonly Record<string, unknown>[] = [forecastTool]
  const ids = new Map<string, string>()

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await it.get(`/v1/mcp/local/registry/v0.1/servers${path}`, headers)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      value: (text === '' ? null : JSON.parse(text)) as unknown,
    }
  }
  const list = async (query = ''): Promise<readonly Entry[]> => {
    const { value } = await read(query)
    expect([fits.list(value), fits.list.errors]).toEqual([true, null])
    return (value as { servers: Entry[] }).servers
  }
  const params = { tenant_slug: 'local' }
  const observe = (id: string) =>
    observeKind.run({
      subjectId: id,
      tenantId: it.tenantId,
      deps: it.service.deps,
      signal: AbortSignal.timeout(60_000),
    })
  const add = async (name: string, manifest: object, more: object = {}) => {
    const body = { manifest: JSON.stringify(manifest), ...more }
    const { endpoint } = await it.call(mcpServersApi.import, { params, body })
    ids.set(name, endpoint.id)
    await observe(endpoint.id)
    return endpoint.id
  }
  const approve = async (name: string) => {
    const at = { ...params, endpoint_id: ids.get(name) ?? '' }
    const { observed } = await it.call(mcpServersApi.get, { params: at })
    await it.call(mcpServersApi.approve, { params: at, body: { fingerprint: observed?.fingerprint ?? '' } })
  }

  beforeAll(async () => {
    server = startMcpServer(({ rpc }) =>
      rpc === 'tools/list'
        ? { tools }
        : rpc === 'initialize'
          ? greeting({ serverInfo: { name: 'weather', version } })
          : undefined,
    )
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8' })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await server.stop()
  })

  test('without a decision of an administrator nothing is published', async () => {
    expect((await read('')).status).toBe(404)
    expect((await it.get('/v1/mcp/no-such/registry/v0.1/servers')).status).toBe(404)
    const before = await it.call(mcpRegistryApi.get, { params })
    expect(before).toEqual({
      enabled: false,
      audience: 'anyone-with-link',
      url: 'http://svc.test/v1/mcp/local/registry',
      servers: 0,
      updated_at: null,
    })
    await it.call(mcpRegistryApi.set, { params, body: { enabled: true } })
    expect(await list()).toEqual([])
  })

  test('what is approved is listed, as the official registry would', async () => {
    const manifest = {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'com.example/weather',
      title: 'Weather',
      description: 'Forecasts of cities.',
      version: '1.2.0',
      websiteUrl: 'https://weather.example.com',
      repository: { url: 'https://github.com/example/weather', source: 'github' },
      remotes: [
        {
          type: 'streamable-http',
          url: server.url,
          headers: [{ name: 'Authorization', description: 'A token.', isRequired: true, isSecret: true }],
        },
      ],
    }
    await add('weather', manifest)
    await add(
      'tools',
      { tools: [{ ...forecastTool, name: 'other' }] },
      { endpoint_url: `${server.origin}/other`, transport: 'streamable_http' },
    )
    expect(await list()).toEqual([])
    await approve('weather')
    const [entry, ...more] = await list()
    expect(more).toEqual([])
    const { _meta: own, ...described } = entry?.server ?? { _meta: {} }
    expect(described).toEqual(manifest)
    expect(Object.keys(own as object)).toEqual(['io.modelcontextprotocol.registry/publisher-provided'])
    await approve('tools')
    expect((await list()).map(({ server: { name, version: one } }) => [name, one])).toEqual([
      ['com.example/weather', '1.2.0'],
      [expect.stringMatching(/^svc\.local\//) as unknown as string, '1.2.0'],
    ])
    expect((await it.call(mcpRegistryApi.get, { params })).servers).toBe(2)
  })

  test('it is paged by cursors, searched, and filtered', async () => {
    const first = await read('?limit=1')
    const { servers, metadata } = first.value as { servers: Entry[]; metadata: { count: number; nextCursor: string } }
    expect([servers.length, metadata.count]).toEqual([1, 1])
    const second = await read(`?limit=1&cursor=${metadata.nextCursor}`)
    const rest = second.value as { servers: Entry[]; metadata: object }
    expect([rest.servers.length, rest.metadata]).toEqual([1, { count: 1 }])
    expect((await read('?cursor=nonsense')).status).toBe(400)
    expect((await list('?search=WEATHER')).map(({ server: { name } }) => name)).toEqual(['com.example/weather'])
    expect((await list('?version=latest')).length).toBe(2)
    expect((await list('?version=9.9.9')).length).toBe(0)
    expect((await list('?updated_since=2999-01-01T00:00:00Z')).length).toBe(0)
    expect((await read('?updated_since=yesterday')).status).toBe(422)
  })

  test('hosts of any origin read it, and ask again with the tag', async () => {
    const { headers } = await read('')
    expect([
      headers.get('access-control-allow-origin'),
      headers.get('cache-control'),
      headers.get('x-robots-tag'),
    ]).toEqual(['*', 'private, no-cache', 'noindex'])
    const asked = new Request('http://localhost/v1/mcp/local/registry/v0.1/servers', { method: 'OPTIONS' })
    const answered = await it.service.handle(asked)
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const tag = headers.get('etag') ?? ''
    expect((await read('', { 'if-none-match': tag })).status).toBe(304)
    await it.call(mcpRegistryApi.set, { params, body: { enabled: true, audience: 'public' } })
    const open = (await read('')).headers
    expect([open.get('cache-control'), open.get('x-robots-tag')]).toEqual(['public, max-age=60', null])
  })

  test('a version is found by its name, which is encoded', async () => {
    const one = await read('/com.example%2Fweather/versions/latest')
    expect([fits.one(one.value), (one.value as Entry).server.version]).toEqual([true, '1.2.0'])
    expect((await read('/com.example%2Fweather/versions/1.2.0')).status).toBe(200)
    expect((await read('/com.example%2Fweather/versions/0.0.1')).status).toBe(404)
    expect((await read('/com.example%2Fnothing/versions')).status).toBe(404)
  })

  test('a server that drifted is not offered until it is approved again, as another version', async () => {
    tools = [{ ...forecastTool, description: 'Something else.' }]
    await observe(ids.get('weather') ?? '')
    expect((await list()).map(({ server: { name } }) => name)).toEqual([
      expect.stringMatching(/^svc\.local\//) as unknown as string,
    ])
    expect((await read('/com.example%2Fweather/versions')).status).toBe(404)
    await approve('weather')
    const { value } = await read('/com.example%2Fweather/versions')
    const { servers } = value as { servers: Entry[] }
    const shown = servers.map((entry) => [
      entry.server.version,
      entry._meta['io.modelcontextprotocol.registry/official'].isLatest,
    ])
    expect(shown).toEqual([
      ['1.2.0+2', true],
      ['1.2.0', false],
    ])
    version = '2.0.0'
    expect((await read('/com.example%2Fweather/versions/1.2.0%2B2')).status).toBe(200)
  })

  test('withdrawn, it answers as if it had never been', async () => {
    await it.call(mcpRegistryApi.set, { params, body: { enabled: false } })
    expect((await read('')).status).toBe(404)
    expect((await read('/com.example%2Fweather/versions/latest')).status).toBe(404)
  })
})
