/** Nobody sees another tenant's private specification by any tool, cursor, resource, prompt, completion or search. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { cursorSeal } from '../../../mcp/cursor-seal.ts'
import { prompts } from '../../../mcp/prompts.gen.ts'
import { operationUri, resourceTemplates, specUri } from '../../../mcp/resources.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { tools } from '../../../mcp/tools.gen.ts'
import { eq } from 'drizzle-orm'
import { embeddingEntries, tenants } from '../../../db/tables.gen.ts'
import { primitivesApi } from '../../../src/api/primitives.ts'
import { mcpServersApi } from '../../../src/api/mcp-servers.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addAgentKey, addApiKey, addMcpKey, addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { startProvider, type ProviderStub } from '../embeddings/provider-stub.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

/** Is in every document of the tenant; no question of a stranger contains it, except searches for it. */
const secret = 'zebrafish'
const sought = 'zebrafi'

const document = (version: string) => `openapi: 3.1.0
info: { title: ${secret}, version: ${version}, description: About ${secret} }
servers: [{ url: https://${secret}.example }]
tags: [{ name: ${secret} }]
paths:
${['a', 'b', 'c']
  .map(
    (name) => `  /${secret}/${name}:
    get: { operationId: swim${name}, summary: Swim ${secret}, tags: [${secret}], responses: { '200': { description: ${secret}, content: { application/json: { schema: { $ref: '#/components/schemas/Striped' } } } } } }`,
  )
  .join('\n')}
components: { schemas: { Striped: { type: object, description: ${secret}, properties: { ${secret}: { type: string } } } } }
`

const places = ['local/stripes', 'local/stripes/latest', 'local/stripes/1.0.0', 'local/stripes/2.0.0', 'local/drafts']

const emptyDescription = 'openapi: 3.1.0\ninfo: { title: Nothing, version: 1.0.0 }\npaths: {}\n'

/** The id of an MCP server of the tenant, once there is one. */
let mcpServer = ''
const ofServer = (more: object): Record<string, unknown> => ({
  get server() {
    return mcpServer
  },
  ...more,
})

/** Arguments that would show the secret to its owner, for every tool; a new tool has to be added. */
const questions: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  ping: [{}],
  'project.list': [{}, { q: sought }, { tenant: 'local' }],
  'spec.list': [{}, { q: sought }, { tenant: 'local' }, { project: 'stripes' }, { limit: 1 }],
  'spec.describe': places.flatMap((spec) => [
    { spec },
    { spec, limit: 1 },
    ...['GET /a', 'swima'].flatMap((operation) =>
      ['summary', 'operation', 'full'].flatMap((detail) => [
        { spec, operation, detail },
        { spec, operation, detail, refs: 'inline' },
      ]),
    ),
    { spec, schema: 'Striped' },
    { spec, schema: '#/info' },
  ]),
  'spec.export': places.flatMap((spec) => [
    ...['openapi', 'json-schema', 'arazzo'].map((format) => ({ spec, format, max_tokens: 500 })),
    { spec, schema: 'Striped' },
  ]),
  'spec.search': ['', 'local', ...places].flatMap((spec) => [
    { q: sought, ...(spec && { spec }) },
    { q: 'swim', limit: 1, ...(spec && { spec }) },
  ]),
  'spec.search_semantic': ['', 'local', ...places].flatMap((spec) => [
    { q: sought, ...(spec && { spec }) },
    { q: 'swim', limit: 1, ...(spec && { spec }) },
  ]),
  'mcp_server.describe': [
    {},
    { q: sought },
    { limit: 1 },
    ofServer({}),
    ofServer({ limit: 1 }),
    ofServer({ tool: 'find' }),
  ],
  'lint.check': ['local/stripes/1.0.0', 'local/drafts'].flatMap((spec) => [
    { document: { spec } },
    { document: { spec }, limit: 1 },
  ]),
  'diff.compare': ['local/stripes/2.0.0', 'local/drafts'].flatMap((spec) => [
    { base: { spec }, head: { text: emptyDescription } },
    { base: { text: emptyDescription }, head: { spec }, limit: 1 },
  ]),
  'schema.contains': places.map((spec) => ({
    a: { spec, schema: 'Striped' },
    b: { type: 'object', properties: { [secret]: false } },
  })),
  explain: [{ id: 'operation-tags' }],
  'type.list': [{}, { q: sought }, { q: 'stripes', limit: 1 }],
  'type.describe': ['svc:stripes/Hidden', 'stripes/Hidden@1'].flatMap((type) => [{ type }, { type, max_tokens: 500 }]),
}

onBothEngines('isolation of private specifications', (makeDb) => {
  let it: TestService
  let provider: ProviderStub
  let owner: string
  let strangers: Record<string, string | null>
  const clients: Client[] = []
  const seal = cursorSeal('a secret of the test')

  const bring = async (content: string, slug: string, more: object) => {
    const body = { source: { kind: 'inline' as const, name: 'a.yaml', content }, project_slug: slug, ...more }
    const job = await it.call(importsApi.create, { params: { tenant_slug: 'local' }, body })
    const done = await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    expect([done.status, done.error]).toEqual(['completed', null])
  }

  beforeAll(async () => {
    provider = startProvider('k')
    const db = await makeDb()
    it = await startService(db, { embeddings: { url: provider.url, key: 'k', model: 'm' } })
    await bring(document('1.0.0'), 'stripes', { publish: 'private' })
    await bring(document('2.0.0'), 'stripes', { publish: 'private' })
    await bring(document('1.0.0'), 'drafts', {})
    for (const name of ['Hidden', 'Other']) {
      const schema = { type: 'object', description: secret, properties: { [secret]: { $ref: 'svc:stripes/Other' } } }
      const body = { namespace: 'stripes', name, schema, description: `swim ${secret}` }
      await it.call(primitivesApi.create, { params: { tenant_slug: 'local' }, body })
    }
    for (const name of ['orders', 'shop']) {
      const tools = ['find', 'add'].map((tool) => ({
        name: tool,
        description: secret,
        inputSchema: { type: 'object' },
      }))
      const manifest = JSON.stringify({ name, description: secret, tools: name === 'shop' ? tools.slice(1) : tools })
      const body = { manifest, transport: 'stdio' as const }
      const { endpoint } = await it.call(mcpServersApi.import, { params: { tenant_slug: 'local' }, body })
      if (name === 'orders') mcpServer = endpoint.id
    }
    const [local] = await db.read.select().from(tenants).where(eq(tenants.slug, 'local'))
    const other = await addTenant(db, 'other')
    const eve = await addUser(db, 'eve')
    await addMember(db, other, eve, 'owner')
    owner = await addMcpKey(db, local?.id ?? '')
    strangers = {
      nobody: null,
      'a foreign Owner': (await it.service.identity.tokens.issue(eve)).token,
      'a foreign key': await addApiKey(db, other),
      'a foreign agent key': await addAgentKey(db, other),
      'a foreign MCP key': await addMcpKey(db, other),
      'a narrow key of the tenant': await addApiKey(db, local?.id ?? '', { scopes: ['diff:read'] }),
    }
    for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(20))
      if ((await db.read.$count(embeddingEntries)) === 6) break
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await it.service.stop()
    await provider.stop()
  })

  async function connect(key: string | null): Promise<Client> {
    const [here, there] = InMemoryTransport.createLinkedPair()
    const onFault = (fault: unknown) => it.faults.push(fault)
    const callFor = it.service.callWith
    const server = createMcpServer({ version: '1', callFor, names: 'dots', seal, key, onFault })
    const client = new Client({ name: 'test', version: '0' })
    await Promise.all([server.connect(there), client.connect(here)])
    clients.push(client)
    return client
  }

  /** What a question came to, in text: an answer or a refusal. */
  const said = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      (answer) => JSON.stringify(answer),
      (error: Error & { data?: unknown }) => `${error.message} ${JSON.stringify(error.data)}`,
    )

  /** Every question to the server, by kind. The cursors were issued to another caller. */
  async function* everything(client: Client, cursors: readonly { name: string; args: object }[]) {
    for (const { name } of tools)
      for (const args of questions[name] ?? [])
        yield [`${name} ${JSON.stringify(args)}`, await said(client.callTool({ name, arguments: args }))] as const
    for (const { name, args } of cursors)
      yield [
        `cursor of ${name} ${JSON.stringify(args)}`,
        await said(client.callTool({ name, arguments: { ...args } })),
      ] as const
    yield ['resources/list', await said(client.listResources())] as const
    const uris = places.flatMap((spec) => [
      specUri(spec),
      operationUri(spec, 'swima'),
      `${specUri(spec)}/schemas/Striped`,
      `${specUri(spec)}?tag=x`,
    ])
    for (const uri of uris) yield [`resource ${uri}`, await said(client.readResource({ uri }))] as const
    for (const spec of places) {
      const call = { name: 'call_operation', arguments: { spec, operation: 'swima' } }
      yield [`prompt call_operation ${spec}`, await said(client.getPrompt(call))] as const
      const find = { name: 'find_operation', arguments: { task: `swim ${sought}`, spec } }
      yield [
        `prompt find_operation ${spec}`,
        (await said(client.getPrompt(find))).replaceAll(`swim ${sought}`, ''),
      ] as const
    }
    for (const name of ['tenant', 'project', 'version', 'spec', 'operation', 'schema']) {
      const others = { tenant: 'local', project: 'stripes', version: 'latest', spec: 'local/stripes' }
      const ref = { type: 'ref/resource' as const, uri: resourceTemplates[1]?.uriTemplate ?? '' }
      const argument = { name, value: '' }
      yield [
        `completion ${name}`,
        await said(client.complete({ ref, argument, context: { arguments: others } })),
      ] as const
    }
  }

  test('the questions go through every tool, template and prompt', () => {
    expect(Object.keys(questions).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    expect([resourceTemplates.length, prompts.length]).toEqual([3, 2])
  })

  /** Cursors that the owner was given: what goes on with them is private. */
  async function ownersCursors(client: Client) {
    const found: { name: string; args: object }[] = []
    for (const [name, all] of Object.entries(questions))
      for (const args of all) {
        const answer = (await client.callTool({ name, arguments: args })) as {
          structuredContent?: { next_cursor?: string | null }
        }
        const cursor = answer.structuredContent?.next_cursor
        if (cursor) found.push({ name, args: { ...args, cursor } })
      }
    return found
  }

  test('a key of the tenant sees it everywhere; nobody else anywhere', async () => {
    const mine = await connect(owner)
    const cursors = await ownersCursors(mine)
    expect(new Set(cursors.map(({ name }) => name))).toEqual(
      new Set([
        'diff.compare',
        'lint.check',
        'mcp_server.describe',
        'spec.list',
        'spec.describe',
        'spec.export',
        'spec.search',
        'spec.search_semantic',
        'type.list',
        'type.describe',
      ]),
    )
    const seen: string[] = []
    for await (const [question, answer] of everything(mine, cursors)) if (answer.includes(secret)) seen.push(question)
    for (const kind of [
      ...Object.keys(questions).filter((name) => name !== 'ping' && name !== 'explain'),
      'cursor',
      'resources/list',
      'resource',
      'prompt',
      'completion',
    ])
      expect([kind, seen.some((question) => question.startsWith(kind))]).toEqual([kind, true])
    const shown: string[] = []
    let asked = 0
    for (const [name, key] of Object.entries(strangers)) {
      const stranger = await connect(key)
      for await (const [question, answer] of everything(stranger, cursors)) {
        asked += 1
        if (answer.includes(secret) || /swim[bc]/.test(answer)) shown.push(`${name}: ${question}`)
      }
    }
    expect(shown).toEqual([])
    expect(asked).toBeGreaterThan(600)
  }, 180_000)

  test('nothing failed that was not expected to', () => {
    expect(it.faults).toEqual([])
  })
})
