import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { cursorSeal } from '../../../mcp/cursor-seal.ts'
import { asAgent } from '../../../mcp/agent-call.ts'
import { callTool } from '../../../mcp/call-tool.ts'
import { tools } from '../../../mcp/tools.gen.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { importsApi, type ImportRequest } from '../../../src/api/imports.ts'
import { mcpKeysApi, mcpTools } from '../../../src/api/mcp-keys.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { specsApi } from '../../../src/api/specs.ts'
import { SvcError } from '../../../src/errors.ts'
import type { Database } from '../../../db/database.ts'
import { searchEntries, tenants } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addAgentKey, addApiKey, addMember, addTenant, outcome } from '../../fixtures/accounts.ts'
import { addPerson } from '../../fixtures/identity-service.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const document = (title: string, version: string, word: string) => `openapi: 3.1.0
info: { title: ${title}, version: ${version}, description: About ${word}. }
servers: [{ url: https://${word}.example.com }]
tags: [{ name: ${word}, description: All of it. }]
paths:
  /${word}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: get${title}
      summary: Read one ${word}
      tags: [${word}]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${title}' } } } } }
    delete: { operationId: remove${title}, summary: Remove it, tags: [other], responses: { '204': { description: gone } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    ${title}: { type: object, properties: { name: { type: string }, ${word}Colour: { type: string } } }
`

const seal = cursorSeal('a secret of the test')

onBothEngines('published specifications', (makeDb) => {
  let it: TestService
  let db: Database
  let outsider: Call
  let key: string
  let keyId: string

  const localTenantId = async () =>
    (await db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, 'local')))[0]?.id ?? ''

  const bring = async (call: Call, tenant: string, content: string, publish?: ImportRequest['publish']) => {
    const body = { source: { kind: 'inline' as const, name: 'a.yaml', content }, ...(publish && { publish }) }
    const job = await call(importsApi.create, { params: { tenant_slug: tenant }, body })
    const done = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
    expect([done.status, done.error]).toEqual(['completed', null])
  }

  beforeAll(async () => {
    db = await makeDb()
    it = await startService(db)
    const other = await addTenant(db, 'other', 'team')
    const person = await addPerson(db, 'oda')
    await addMember(db, other, person, 'owner')
    outsider = it.service.callAs(person)
    await bring(it.call, it.tenant, document('Cat', '1.0.0', 'cats'), 'public')
    await bring(it.call, it.tenant, document('Cat', '1.1.0', 'cats'), 'public')
    await bring(it.call, it.tenant, document('Dog', '1.0.0', 'dogs'), 'private')
    await bring(it.call, it.tenant, document('Eel', '1.0.0', 'eels'))
    await bring(outsider, 'other', document('Fox', '1.0.0', 'foxes'), 'private')
    const made = await it.call(mcpKeysApi.create, { params: { tenant_slug: it.tenant }, body: { label: 'host' } })
    key = made.key ?? ''
    keyId = made.id
  })
  afterAll(() => it.service.stop())

  const specsOf = async (call: Call) => (await call(specsApi.list, {})).items.map(({ spec }) => spec)
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => (error instanceof SvcError ? error.code : error),
    )
  const cats = () => ({ params: { tenant_slug: it.tenant, project_slug: 'cat', version_slug: 'latest' } })

  test('everyone sees what is public, keys and members what is private in their tenant, nobody drafts', async () => {
    expect(await specsOf(it.service.callWith(null))).toEqual(['local/cat/1.1.0', 'local/cat/1.0.0'])
    const own = ['local/dog/1.0.0', 'local/cat/1.1.0', 'local/cat/1.0.0']
    expect(await specsOf(it.service.callWith(key))).toEqual(own)
    expect(await specsOf(it.call)).toEqual(own)
    expect(await specsOf(outsider)).toEqual(['other/fox/1.0.0', 'local/cat/1.1.0', 'local/cat/1.0.0'])
    expect(await codeOf(specsOf(it.service.callWith(`${key}x`)))).toBe('credentials-invalid')
    expect(await codeOf(specsOf(it.service.callWith('two words')))).toBe('credentials-invalid')
  })

  test('lists are read page by page and filtered', async () => {
    const call = it.service.callWith(key)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: { spec: string }[]; total: number; next_cursor: string | null } = await call(specsApi.list, {
        query: { limit: 1, ...(cursor && { cursor }) },
      })
      expect([page.items.length, page.total]).toEqual([1, 3])
      seen.push(...page.items.map(({ spec }) => spec))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen).toEqual(['local/dog/1.0.0', 'local/cat/1.1.0', 'local/cat/1.0.0'])
    const projects = await call(specsApi.projects, { query: { limit: 1 } })
    expect(projects.items).toEqual([
      { project: 'local/cat', name: 'Cat', description: expect.anything(), versions: 2, latest: '1.1.0' },
    ])
    const rest = await call(specsApi.projects, { query: { cursor: projects.next_cursor ?? '' } })
    expect([rest.items.map(({ project }) => project), rest.total, rest.next_cursor]).toEqual([['local/dog'], 2, null])
    expect((await call(specsApi.list, { query: { q: 'DOG', tenant: 'local', project: 'dog' } })).total).toBe(1)
    for (const wrong of ['x', projects.next_cursor ?? ''])
      expect(await codeOf(call(specsApi.list, { query: { cursor: wrong } }))).toBe('cursor-invalid')
  })

  test('a specification is described by what it says of itself', async () => {
    expect(await it.service.callWith(null)(specsApi.describe, cats())).toEqual({
      spec: 'local/cat/1.1.0',
      title: 'Cat',
      format: 'openapi 3.1',
      status: 'published',
      visibility: 'public',
      operations: 2,
      schemas: 1,
      grade: expect.any(String),
      published_at: expect.any(String),
      description: 'About cats.',
      servers: ['https://cats.example.com'],
      security: ['key: apiKey in header X-Key'],
      tags: [
        { name: 'cats', description: 'All of it.', operations: 1 },
        { name: 'other', description: null, operations: 1 },
      ],
      schema_names: ['Cat'],
    })
    const page = await it.service.callWith(null)(specsApi.operations, { ...cats(), query: { limit: 1 } })
    expect([page.items.map(({ ref }) => ref), page.total]).toEqual([['GET /cats/{id}'], 2])
    const next = await it.service.callWith(null)(specsApi.operations, {
      ...cats(),
      query: { cursor: page.next_cursor ?? '' },
    })
    expect([next.items.map(({ operation_id }) => operation_id), next.next_cursor]).toEqual([['removeCat'], null])
    const tagged = await it.service.callWith(null)(specsApi.operations, { ...cats(), query: { tag: 'other' } })
    expect(tagged.items.map(({ ref }) => ref)).toEqual(['DELETE /cats/{id}'])
  })

  test('a part comes with what it refers to', async () => {
    const call = it.service.callWith(null)
    for (const operation of ['GET /cats/{id}', 'get /cats/{id}', 'getCat']) {
      const part = await call(specsApi.part, { ...cats(), query: { operation } })
      expect([part.spec, part.name, part.pointer]).toEqual([
        'local/cat/1.1.0',
        'GET /cats/{id}',
        '/paths/~1cats~1{id}/get',
      ])
      expect(part.value).toMatchObject({ operationId: 'getCat', parameters: [{ name: 'id' }] })
      expect(Object.keys(part.referenced)).toEqual(['#/components/schemas/Cat'])
    }
    expect((await call(specsApi.part, { ...cats(), query: { schema: 'Cat' } })).pointer).toBe('/components/schemas/Cat')
    expect(await codeOf(call(specsApi.part, { ...cats(), query: { operation: 'GET /none' } }))).toBe(
      'operation-not-found',
    )
    expect(await codeOf(call(specsApi.part, { ...cats(), query: { schema: 'None' } }))).toBe('class-not-found')
    expect(await codeOf(call(specsApi.part, cats()))).toBe('request-malformed')
  })

  test('an export is the rendered document, in stretches', async () => {
    const call = it.service.callWith(null)
    let text = ''
    let cursor: string | null = null
    do {
      const part: { content: string; next_cursor: string | null; url: string } = await call(specsApi.export, {
        ...cats(),
        query: { limit_bytes: 300, ...(cursor && { cursor }) },
      })
      text += part.content
      cursor = part.next_cursor
    } while (cursor)
    const whole = await it.get('/v1/schema/local/cat/latest')
    expect(text).toBe(await whole.text())
  })

  test('search finds operations by path, summary and fields, only where the caller may look', async () => {
    const find = async (call: Call, q: string) =>
      (await call(specsApi.search, { query: { q } })).items.map(({ spec, ref }) => `${spec} ${ref}`)
    const stranger = it.service.callWith(null)
    // The greatest version represents its project, unless a version is named.
    expect(await find(stranger, 'read the cats')).toEqual(['local/cat/1.1.0 GET /cats/{id}'])
    const named = { q: 'read cats', spec: 'local/cat/1.0.0' }
    expect((await stranger(specsApi.search, { query: named })).items.map(({ spec }) => spec)).toEqual([
      'local/cat/1.0.0',
    ])
    expect(await find(stranger, 'catsColour')).not.toEqual([])
    for (const word of ['dogs', 'eels', 'foxes']) expect(await find(stranger, word)).toEqual([])
    expect(await find(it.service.callWith(key), 'read dogs')).toEqual(['local/dog/1.0.0 GET /dogs/{id}'])
    expect(await codeOf(stranger(specsApi.search, { query: { q: 'x', mode: 'semantic' } }))).toBe(
      'semantic-search-unavailable',
    )
  })

  test('no tool, cursor or name shows another tenant its private specification', async () => {
    const hidden = ['local/dog/1.0.0', 'local/dog', 'local/eel/1.0.0', 'local/eel', 'other/none/1']
    for (const call of [it.service.callWith(null), outsider]) {
      const use = async (name: string, args: object) =>
        JSON.stringify(await callTool({ tools, name, args, call, seal, onFault: (fault) => it.faults.push(fault) }))
      const { next_cursor } = await it.service.callWith(key)(specsApi.list, { query: { limit: 1 } })
      for (const args of [{}, { q: 'dog' }, { tenant: 'local' }, { project: 'dog' }, { cursor: next_cursor }])
        expect(await use('spec.list', args)).not.toMatch(/dog|eel/i)
      expect(await use('project.list', {})).not.toMatch(/dog|eel/i)
      expect(await use('spec.search', { q: 'dogs eels' })).not.toMatch(/dog|eel/i)
      for (const spec of hidden) {
        for (const args of [{}, { operation: 'getDog' }, { schema: 'Dog' }])
          expect(await use('spec.describe', { spec, ...args })).toContain('spec-not-found')
        expect(await use('spec.export', { spec })).toContain('spec-not-found')
        expect(await use('spec.search', { q: 'dog', spec })).not.toMatch(/dogs/i)
      }
    }
  })

  test('a key calls the tools that its tenant enables, and no other', async () => {
    const params = { tenant_slug: it.tenant }
    const use = (name: string, given?: object) => {
      const call = it.service.callWith(key)
      const usual = name.includes('search')
        ? { q: 'cats' }
        : name === 'ping' || name === 'mcp_server.describe' || name.endsWith('list')
          ? {}
          : name === 'type.describe'
            ? { type: 'core/Money' }
            : { spec: 'local/cat' }
      const args = given ?? usual
      return callTool({ tools, name, args, call, seal, onFault: (fault) => it.faults.push(fault) }).then(
        () => 'answered',
        (error: { code?: number; data?: { code?: string } }) => `${error.code} ${error.data?.code}`,
      )
    }
    const all = async () => Promise.all(mcpTools.map(async (name) => [name, await use(name)] as const))
    expect((await all()).filter(([, outcome]) => outcome !== 'answered')).toEqual([])
    await it.call(mcpKeysApi.setTenantCapabilities, {
      params,
      body: { ceiling: ['ping', 'spec.list'], defaults: ['ping'] },
    })
    const denied = '-32003 capability_disabled'
    expect(await all()).toEqual(mcpTools.map((name) => [name, name === 'ping' ? 'answered' : denied]))
    // Neither whether a specification is there nor which arguments are right is learned from a tool that is not allowed.
    for (const args of [{ spec: 'local/none/1.0.0' }, { spec: 'x' }, { wrong: 1 }])
      expect(await use('spec.describe', args)).toBe(denied)
    await it.call(mcpKeysApi.setCapabilities, {
      params: { ...params, key_id: keyId },
      body: { mode: 'explicit', tools: ['spec.list'] },
    })
    expect(await all()).toEqual(mcpTools.map((name) => [name, name === 'spec.list' ? 'answered' : denied]))
    await it.call(mcpKeysApi.setTenantCapabilities, {
      params,
      body: { ceiling: [...mcpTools], defaults: [...mcpTools] },
    })
    await it.call(mcpKeysApi.setCapabilities, { params: { ...params, key_id: keyId }, body: { mode: 'inherit' } })
    const ping = await it.service.callWith(key)(specsApi.caller, {})
    expect(ping).toEqual({ service: 'svc', version: '0.0.0', database: 'ok', caller: 'mcp-key', tools: [...mcpTools] })
  })

  test('what an organization allows agents binds every kind of credentials of an agent', async () => {
    const params = { tenant_slug: it.tenant }
    const tenantId = await localTenantId()
    const restKey = await addApiKey(db, tenantId)
    const agentKey = await addAgentKey(db, tenantId, {
      tools: ['ping', 'spec.list', 'spec.export'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    })
    const calls = {
      rest: it.service.callWith(restKey),
      agent: it.service.callWith(agentKey),
      person: it.call,
      outsider,
    }
    const args = { params: { tenant_slug: 'local', project_slug: 'dog', version_slug: '1.0.0' } }
    const exported = async (call: Call) => {
      const answer = await outcome(call(specsApi.export, args))
      return (answer as { code?: string; spec?: string }).code ?? (answer as { spec: string }).spec
    }
    const all = async (way: (call: Call) => Call) =>
      Object.fromEntries(
        await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await exported(way(call))])),
      ) as Record<string, string>
    const open = { rest: 'local/dog/1.0.0', agent: 'local/dog/1.0.0', person: 'local/dog/1.0.0' }
    expect(await all(asAgent)).toEqual({ ...open, outsider: 'spec-not-found' })
    await it.call(mcpKeysApi.setTenantCapabilities, { params, body: { ceiling: ['ping', 'spec.list'], defaults: [] } })
    const denied = 'capability_disabled'
    expect(await all(asAgent)).toEqual({ rest: denied, agent: denied, person: denied, outsider: 'spec-not-found' })
    // Over REST a full key and a person are no agents.
    expect(await all((call) => call)).toEqual({ ...open, agent: denied, outsider: 'spec-not-found' })
    const { tools } = await asAgent(calls.rest)(specsApi.caller, {})
    expect(tools).toEqual(['ping', 'spec.list'])
    await it.call(mcpKeysApi.setTenantCapabilities, {
      params,
      body: { ceiling: [...mcpTools], defaults: [...mcpTools] },
    })
  })

  test('what is deleted is found no more', async () => {
    const entries = async () =>
      (await db.read.select({ ref: searchEntries.ref }).from(searchEntries)).map(({ ref }) => ref)
    expect(await entries()).toContain('GET /dogs/{id}')
    await it.call(projectsApi.remove, { params: { tenant_slug: it.tenant, project_ref: 'dog' } })
    expect(await entries()).not.toContain('GET /dogs/{id}')
    expect(
      (await it.service.callWith(key)(specsApi.search, { query: { q: 'read dogs' } })).items.map(({ spec }) => spec),
    ).not.toContain('local/dog/1.0.0')
    expect(await specsOf(it.call)).toEqual(['local/cat/1.1.0', 'local/cat/1.0.0'])
  })

  test('nothing failed that was not expected to', () => {
    expect(it.faults).toEqual([])
  })
})
