/** The catalogue of MCP servers over the API: imports, observations, drift, approvals. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditEvents,
  dueWork,
  mcpEndpoints,
  mcpObservations,
  notifications,
  outboxEvents,
  secrets,
  apiKeys,
  memberships,
} from '../../../db/tables.gen.ts'
import type { McpEndpoint } from '../../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../../src/api/mcp-servers.ts'
import { observeKind } from '../../../server/mcp-servers/due.ts'
import { addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { forecastTool, startMcpServer, type ScriptedMcpServer } from '../../fixtures/mcp-server.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/mcp/local/endpoints'
const planted = 'Bearer planted-0123456789'

onBothEngines('the catalogue of MCP servers', (makeDb) => {
  let it: PetsProject
  let server: ScriptedMcpServer
  let offered: readonly Record<string, unknown>[] = [forecastTool]
  let demands: string | null = null
  let id = ''

  const send = (method: string, path: string, body?: unknown) => it.send(method, `${base}${path}`, body)
  const brief = async (method: string, path: string, body?: unknown) => {
    const { status, value } = await send(method, path, body)
    return [status, value.detail?.code].filter((part) => part !== undefined).join(' ')
  }
  const observe = () =>
    observeKind.run({
      subjectId: id,
      tenantId: it.tenantId,
      deps: it.service.deps,
      signal: AbortSignal.timeout(60_000),
    })
  const shown = (): Promise<McpEndpoint> =>
    it.call(mcpServersApi.get, { params: { tenant_slug: 'local', endpoint_id: id } })
  /** What an import or a preview decided. */
  const decided = ({ value }: { value: Record<string, unknown> }) => {
    const { endpoint_created: created, match, surface_conflict: conflict, superseded_manifests: superseded } = value
    return { created, match, conflict, superseded }
  }
  const importing = (manifest: unknown, more: object = {}) =>
    send('POST', '/manifest-import', {
      manifest: typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
      ...more,
    })
  const print = async (): Promise<string> => (await shown()).observed?.fingerprint ?? ''
  const approve = (fingerprint: string) =>
    it.call(mcpServersApi.approve, {
      params: { tenant_slug: 'local', endpoint_id: id },
      body: { fingerprint, note: 'Looked at it.' },
    })
  const serverJson = () =>
    JSON.stringify({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'com.example/weather',
      title: 'Weather',
      description: 'Forecasts of cities.',
      version: '1.2.0',
      remotes: [{ type: 'streamable-http', url: server.url }],
    })
  // Whatever the schedule does by itself in the meantime, tests observe when they say so.
  const settleSchedule = () =>
    it.service.deps.db.inTransaction((tx) => tx.delete(dueWork).where(eq(dueWork.kind, 'mcp.observe')))

  beforeAll(async () => {
    server = startMcpServer(({ rpc, headers }) =>
      demands !== null && headers.get('authorization') !== demands
        ? new Response('', { status: 401 })
        : rpc === 'tools/list'
          ? { tools: offered }
          : undefined,
    )
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8' })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await server.stop()
  })

  test('an import registers a server once, however often it is repeated', async () => {
    const preview = await send('POST', '/manifest-import/preview', { manifest: serverJson() })
    const [planned] = preview.value['servers'] as Record<string, unknown>[]
    expect(decided({ value: planned ?? {} })).toEqual({ created: true, match: 'none', conflict: false, superseded: 0 })
    expect((await send('GET', '')).value).toEqual({ endpoints: [], count: 0, total: 0, limit: 50, offset: 0 })

    const label = 'https://192.0.2.1/is-never-fetched'
    const made = await importing(serverJson(), { source_label: label })
    expect(made.status).toBe(200)
    expect(decided(made)).toEqual({ created: true, match: 'none', conflict: false, superseded: 0 })
    const { endpoint, manifest } = made.value as unknown as {
      endpoint: McpEndpoint
      manifest: { source_label: string }
    }
    id = endpoint.id
    expect([endpoint.added_via, endpoint.state, endpoint.surface_match]).toEqual([
      'import',
      'never-observed',
      'declared_only',
    ])
    expect(manifest.source_label).toBe(label)
    const due = await it.service.deps.db.read.select().from(dueWork).where(eq(dueWork.subjectId, id))
    expect(due.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([['mcp.observe', endpoint.next_observation_at ?? '']])
    await settleSchedule()

    const shouted = serverJson().replace('http://127.0.0.1', 'HTTP://127.0.0.1').replace('/mcp"', '/mcp/#top"')
    const again = await importing(shouted)
    expect(decided(again)).toEqual({ created: false, match: 'address', conflict: false, superseded: 1 })
    expect((again.value['endpoint'] as McpEndpoint).id).toBe(id)
    await settleSchedule()
    const listed = async (query: string) =>
      ((await send('GET', `/${id}/manifests${query}`)).value['manifests'] as { status: string }[]).map(
        (one) => one.status,
      )
    expect(await listed('')).toEqual(['declared'])
    expect(await listed('?include_retired=true')).toEqual(['declared', 'superseded'])
  })

  test('a manifest is refused with the place of what is wrong, or for want of an address', async () => {
    expect(await brief('POST', '/manifest-import', { manifest: '{"name": ' })).toBe('422 manifest-invalid')
    const somewhere = { endpoint_url: 'https://nothing.example.com', transport: 'sse' }
    for (const manifest of ['[]', '{}', '"x"', '0', 'null'])
      expect(await brief('POST', '/manifest-import', { manifest, ...somewhere })).toBe('422 manifest-invalid')
    const tools = JSON.stringify({ tools: [forecastTool] })
    expect(await brief('POST', '/manifest-import', { manifest: tools })).toBe('400 manifest-no-transport')
    const bad = { manifest: tools, endpoint_url: 'https://u:p@mcp.example.com', transport: 'sse' }
    expect(await brief('POST', '/manifest-import', bad)).toBe('422 endpoint-address-invalid')
    const pigeon = { manifest: tools, endpoint_url: 'https://mcp.example.com', transport: 'pigeon' }
    expect(await brief('POST', '/manifest-import', pigeon)).toBe('422 transport-unknown')
    expect((await send('GET', '')).value['total']).toBe(1)
  })

  test('what a server offers is observed, and belongs beside its declaration', async () => {
    const next = await observe()
    expect(next).toBeGreaterThan(Date.now() + 19 * 3_600_000)
    const seen = await shown()
    expect([seen.state, seen.surface_match, seen.counts.tools, seen.observed?.by]).toEqual([
      'ok',
      'observed_only',
      1,
      'service',
    ])
    const { value } = await send('GET', `/${id}/surface-provenance`)
    const facts = value['facts'] as { kind: string; key: string; origin: string }[]
    expect(facts[0]?.kind).toBe('identity')
    expect(facts.filter((one) => one.kind === 'tool').map(({ key, origin }) => [key, origin])).toEqual([
      ['get_forecast', 'observed'],
    ])
    const { value: surface } = await send('GET', `/${id}/surface`)
    expect(surface['tools']).toEqual([forecastTool])
  })

  test('the same surface declared elsewhere is a conflict and no second server', async () => {
    const tools = { tools: [forecastTool] }
    const declared = await importing(tools, { endpoint_url: server.url, transport: 'streamable_http' })
    expect(decided(declared)).toEqual({ created: false, match: 'address', conflict: false, superseded: 1 })
    expect((declared.value['endpoint'] as McpEndpoint).surface_match).toBe('identical')
    const elsewhere = await importing(tools, { endpoint_url: 'https://192.0.2.1/mcp', transport: 'streamable_http' })
    expect(decided(elsewhere)).toEqual({ created: false, match: 'surface', conflict: true, superseded: 1 })
    expect((await send('GET', '')).value['total']).toBe(1)
    await settleSchedule()
  })

  test('approving needs a person with the right role, and the fingerprint that was looked at', async () => {
    expect(await brief('POST', `/${id}/approve`, { fingerprint: await print() })).toBe('403 person-required')
    expect(approve(`sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'approve-stale' })
    // The owner imported it by a key of their own, and another administrator could approve it.
    const { db } = it.service.deps
    const other = await addUser(db, 'other-admin')
    await addMember(db, it.tenantId, other, 'admin')
    await db.inTransaction((tx) => tx.update(apiKeys).set({ createdBy: it.ownerId }))
    expect(await outcome(approve(await print()))).toEqual({ code: 'approval-self' })
    await db.inTransaction((tx) => tx.delete(memberships).where(eq(memberships.userId, other)))
    const approved = await approve(await print())
    expect([approved.state, approved.approved?.fingerprint, approved.approved?.note]).toEqual([
      'ok',
      await print(),
      'Looked at it.',
    ])
  })

  test('drift reopens an approval the moment it is observed: state, event, notification, and an hour until the next look', async () => {
    const before = await print()
    offered = [{ ...forecastTool, inputSchema: { ...forecastTool.inputSchema, required: ['city', 'days'] } }]
    expect(await observe()).toBeLessThan(Date.now() + 2 * 3_600_000)
    const seen = await shown()
    expect([seen.state, seen.surface_match]).toEqual(['drifted', 'divergent'])
    const { value } = await send('GET', `/${id}/surface-diff`)
    expect([value['from'], value['to'], value['severity']]).toEqual([before, await print(), 'breaking'])
    const [item] = value['items'] as { key: string; changes: { id: string; witness: { value: unknown } }[] }[]
    expect(item?.changes.map((change) => [change.id, change.witness.value])).toEqual([
      ['schema-required-added', { city: 'a' }],
    ])
    const { read } = it.service.deps.db
    const events = await read.select().from(outboxEvents).where(eq(outboxEvents.type, 'mcp.surface_changed'))
    expect(events.map(({ payload }) => payload)).toEqual([
      {
        endpoint_id: id,
        name: 'com.example/weather',
        address: server.url,
        observed_by: 'service',
        from_fingerprint: before,
        to_fingerprint: await print(),
        approved_fingerprint: before,
        max_severity: 'breaking',
        state: 'drifted',
        by: null,
      },
    ])
    const noticed = async () => read.select().from(notifications).where(eq(notifications.type, 'mcp_server'))
    for (let n = 0; n < 500 && (await noticed()).length === 0; n++) await Bun.sleep(20)
    expect((await noticed()).map(({ userId, payload }) => [userId, payload])).toEqual([
      [
        it.ownerId,
        {
          title: 'The MCP server com.example/weather is no longer what was approved',
          url: `http://svc.test/app/t/local/-/mcp-servers/${id}`,
          endpoint_id: id,
          event: 'mcp.surface_changed',
        },
      ],
    ])
    await observe()
    expect((await read.select().from(outboxEvents).where(eq(outboxEvents.type, 'mcp.surface_changed'))).length).toBe(1)
    expect((await approve(await print())).state).toBe('conflicting')
  })

  test('a server that asks for credentials gets the header of the vault, and no one else sees it', async () => {
    demands = planted
    const before = await print()
    await observe()
    expect([(await shown()).state, (await shown()).failure?.class]).toEqual(['auth-required', 'auth-required'])
    expect(await print()).toBe(before)
    expect(await brief('PATCH', `/${id}`, { header: { name: 'Host', value: 'x' } })).toBe('422 observe-header-invalid')
    const changed = await send('PATCH', `/${id}`, { header: { name: 'Authorization', value: planted } })
    expect(changed.value['header']).toEqual({ name: 'Authorization' })
    await settleSchedule()
    await observe()
    expect([(await shown()).state, (await shown()).failure]).toEqual(['conflicting', null])
    const { read } = it.service.deps.db
    const rows = JSON.stringify([
      await read.select().from(mcpEndpoints),
      await read.select().from(mcpObservations),
      await read.select().from(auditEvents),
    ])
    expect(rows).not.toContain('planted')
    expect((await read.select().from(secrets).where(eq(secrets.purpose, 'mcp-observation'))).length).toBe(1)
    await send('PATCH', `/${id}`, { header: null, labels: ['b', 'a', 'b'] })
    expect([(await shown()).header, (await shown()).labels]).toEqual([null, ['b', 'a']])
    expect((await read.select().from(secrets).where(eq(secrets.purpose, 'mcp-observation'))).length).toBe(0)
    demands = null
  })

  test('a server that is not reachable keeps what was seen of it, and is asked less and less often', async () => {
    demands = 'nothing has it'
    const states: (string | number)[] = []
    for (let n = 0; n < 3; n++) {
      await observe()
      states.push((await shown()).state)
    }
    expect(states).toEqual(['auth-required', 'auth-required', 'auth-required'])
    demands = null
    const { value } = await send('GET', `/${id}/observations?limit=4`)
    const found = value['observations'] as { changed: boolean; error: { class: string } | null }[]
    expect(found.map(({ error }) => error?.class ?? 'seen')).toEqual([
      'auth-required',
      'auth-required',
      'auth-required',
      'seen',
    ])
    await observe()
    expect((await shown()).failure).toBeNull()
  })

  test('"observe now" queues one observation', async () => {
    const { status, value } = await send('POST', `/${id}/observe`)
    expect([status, value['endpoint_id']]).toEqual([202, id])
    const since = String(value['queued_at'])
    for (let n = 0; n < 500 && String((await shown()).observed?.observed_at) < since; n++) await Bun.sleep(20)
    expect(String((await shown()).observed?.observed_at) >= since).toBe(true)
    await settleSchedule()
  })

  test('what is linted is what was observed', async () => {
    const [approved] = offered
    offered = [{ ...approved, description: 'Returns\u200b the forecast of a city for the next days.' }]
    await observe()
    const { value } = await it.send('GET', `/v1/lint/local/mcp/${id}`)
    const findings = value['findings'] as { code: string; severity: string }[]
    expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['mcp-hidden-text'])
    const drifted = findings.filter(({ code }) => code.startsWith('mcp-drift-')).map(({ code }) => code)
    expect(drifted).toEqual(['mcp-drift-description'])
    expect(value['fingerprint']).toBe(await print())
    const bytes = new TextEncoder().encode(JSON.stringify(offered)).byteLength
    expect(value['tools']).toEqual({ count: offered.length, tokens: Math.ceil(bytes / 4), saved_by_defs: 0 } as never)
    const gate = await it.send('GET', `/v1/lint/local/mcp/${id}/gate`)
    expect(gate.value['tools']).toEqual(value['tools'])
    expect((gate.value['gate'] as { passed: boolean }).passed).toBe(false)
  })

  test('a server that a command starts is observed elsewhere and uploaded', async () => {
    const template = {
      name: 'com.example/tenant',
      description: 'd',
      version: '1.0.0',
      remotes: [{ type: 'sse', url: 'https://{tenant}.example.com/sse' }],
    }
    const { endpoint } = (await importing(template)).value as unknown as { endpoint: McpEndpoint }
    expect([endpoint.variables, endpoint.next_observation_at]).toEqual([['tenant'], null])
    expect(await brief('POST', `/${endpoint.id}/observe`)).toBe('422 observe-address-unusable')
    const manifest = {
      mcpServers: {
        files: { command: 'npx', args: ['-y', '@example/files@1.2.3'], env: { API_KEY: 'planted-secret-1' } },
      },
    }
    const made = await importing(manifest)
    expect(made.text).not.toContain('planted-secret-1')
    const files = (made.value['endpoint'] as McpEndpoint).id
    expect(await brief('POST', `/${files}/observe`)).toBe('422 observe-stdio-refused')
    const upload = (tools: unknown[]) =>
      send('POST', `/${files}/observations`, { by: 'ci', surface: JSON.stringify({ tools }) })
    expect((await upload([forecastTool])).status).toBe(201)
    const second = (await upload([forecastTool, { ...forecastTool, name: 'other' }])).value as unknown as {
      observation: { by: string; changed: boolean; change: { severity: string } }
      endpoint: McpEndpoint
    }
    expect([second.observation.by, second.observation.changed, second.observation.change.severity]).toEqual([
      'ci',
      true,
      'non-breaking',
    ])
    expect([second.endpoint.state, second.endpoint.next_observation_at]).toEqual(['ok', null])
    expect(await brief('POST', `/${files}/observations`, { surface: '{"tools": {}}' })).toBe('422 manifest-invalid')
    const huge = JSON.stringify({ tools: [{ ...forecastTool, description: 'x'.repeat(8 * 1024 * 1024) }] })
    expect(await brief('POST', `/${files}/observations`, { surface: huge })).toBe('413 observation-too-large')
  })

  test('a server is removed with all that belongs to it', async () => {
    const remove = () => it.call(mcpServersApi.remove, { params: { tenant_slug: 'local', endpoint_id: id } })
    expect(await brief('DELETE', `/${id}`)).toBe('403 person-required')
    await remove()
    expect(await brief('GET', `/${id}`)).toBe('404 mcp-endpoint-not-found')
    const { read } = it.service.deps.db
    expect(await read.$count(mcpObservations, eq(mcpObservations.endpointId, id))).toBe(0)
    expect(await observe()).toBeNull()
    const actions = (await read.select().from(auditEvents)).map(({ action }) => action)
    expect([...new Set(actions.filter((action) => action.startsWith('mcp-server.')))].toSorted()).toEqual([
      'mcp-server.approved',
      'mcp-server.deleted',
      'mcp-server.imported',
      'mcp-server.updated',
    ])
    expect(it.faults).toEqual([])
  })
})
