import { expect, test } from 'bun:test'
import { apiKeys, auditEvents } from '../../../db/tables.gen.ts'
import { asLocalOwner } from '../../../server/auth/local-owner.ts'
import { authenticate } from '../../../server/sign-in/authenticate.ts'
import { toolsOfKey } from '../../../server/mcp-keys/capabilities.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { mcpTools } from '../../../src/api/mcp-keys.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant, requestWith, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, startIdentityService } from '../../fixtures/identity-service.ts'

const keys = '/_app/tenants/acme/api-keys'
const dayMs = 24 * 3_600_000

onBothEngines('keys', (makeDb) => {
  const setUp = async (settings: Parameters<typeof startIdentityService>[1] = {}, plan: string | null = 'team') => {
    const service = startIdentityService(await makeDb(), settings)
    const { db } = service
    const tenantId = await addTenant(db, 'acme', plan)
    const olga = await addPerson(db, 'olga')
    await addMember(db, tenantId, olga, 'owner')
    const headers = await service.browser(olga)
    const as = (line: string, body?: unknown) => service.ask(line, { headers, ...(body === undefined ? {} : { body }) })
    const works = async (key: string) => {
      const answer = await service.ask('GET /v1/auth/me', { headers: { 'x-api-key': key } })
      return answer.status === 200 ? 'works' : answer.body.detail.reason
    }
    const trail = async () => (await db.read.select().from(auditEvents).orderBy(auditEvents.id)).map((it) => it.action)
    return { ...service, tenantId, olga, headers, as, works, trail }
  }

  test('a key is shown once; only prefix and hash are kept', async () => {
    const { as, db, works, olga } = await setUp()
    const made = await as(`POST ${keys}`, { name: 'CI' })
    expect(made.status).toBe(201)
    const { key, ...record } = made.body
    expect(record).toEqual({
      id: expect.any(String),
      name: 'CI',
      description: '',
      prefix: key.slice(0, 12),
      scopes: ['*'],
      status: 'active',
      enabled: true,
      expires_soon: false,
      replaces_id: null,
      created_by: olga,
      created_at: '2026-05-05T12:00:00.000Z',
      expires_at: null,
      last_used_at: null,
    })
    expect(await works(key)).toBe('works')
    const list = await as(`GET ${keys}`)
    expect(list.body.items).toEqual([{ ...record, last_used_at: '2026-05-05T12:00:00.000Z' }])
    expect(
      JSON.stringify([list.body, await db.read.select().from(apiKeys), await db.read.select().from(auditEvents)]),
    ).not.toContain(key)
  })

  test('keys are made in a browser session alone, with its CSRF token', async () => {
    const { ask, identity, bearer, headers, olga, as } = await setUp()
    const body = { name: 'CI' }
    expect(brief(await ask(`POST ${keys}`, { body }))).toEqual([401, 'credentials-missing'])
    expect(brief(await ask(`POST ${keys}`, { body, headers: await bearer(olga) }))).toEqual([
      403,
      'browser-session-required',
    ])
    expect(brief(await ask(`GET ${keys}`, { headers: await bearer(olga) }))).toEqual([403, 'browser-session-required'])
    const { cookie = '' } = headers
    expect(brief(await ask(`POST ${keys}`, { body, headers: { cookie } }))).toEqual([403, 'csrf-token-invalid'])
    const { key } = (await as(`POST ${keys}`, body)).body
    expect(brief(await ask(`POST ${keys}`, { body, headers: { 'x-api-key': key } }))).toEqual([403, 'person-required'])
    const local = asLocalOwner(requestWith({}), olga)
    expect(await authenticate(identity, local)).toMatchObject({ via: 'local' })
    expect(brief(await ask(`GET /v1/tenants/acme/api-keys`, { headers }))).toEqual([404, 'route-not-found'])
  })

  test('scopes: the four presets and nothing else', async () => {
    const { as } = await setUp()
    const make = async (scopes: string[]) => {
      const answer = await as(`POST ${keys}`, { name: 'k', scopes })
      return answer.body.scopes ?? brief(answer)
    }
    expect(await make(['*'])).toEqual(['*'])
    expect(await make(['diff:read'])).toEqual(['diff:read'])
    expect(await make(['lint:read', 'lint:read'])).toEqual(['lint:read'])
    expect(await make(['lint:read', 'diff:read'])).toEqual(['diff:read', 'lint:read'])
    for (const scopes of [['*', 'lint:read'], ['admin'], ['lint:read', 'admin'], [''], ['diff:write']])
      expect(await make(scopes)).toEqual([400, 'scopes-invalid'])
    expect((await as(`POST ${keys}`, { name: 'k', scopes: [] })).status).toBe(422)
    const { id } = (await as(`POST ${keys}`, { name: 'k' })).body
    expect((await as(`PATCH ${keys}/${id}`, { scopes: ['*'] })).status).toBe(422)
  })

  test('every transition of the status, and what callers get', async () => {
    const { as, works, clock, trail } = await setUp()
    const { id, key } = (await as(`POST ${keys}`, { name: 'CI', expires_in_days: 1 })).body
    const enable = async (enabled: boolean) => {
      const { status, body } = await as(`PATCH ${keys}/${id}`, { enabled })
      return body.status ?? [status, body.detail.code]
    }
    const prefix = key.slice(0, 12)
    expect(await enable(true)).toBe('active')
    expect(await enable(false)).toBe('disabled')
    expect(await works(key)).toBe(`the key ${prefix}… is disabled`)
    expect(await enable(false)).toBe('disabled')
    expect(await enable(true)).toBe('active')
    expect(await works(key)).toBe('works')
    clock.value = start + dayMs
    expect(await works(key)).toBe(`the key ${prefix}… has expired`)
    expect(await enable(true)).toEqual([409, 'api-key-expired'])
    expect(await enable(false)).toBe('expired')
    expect(await enable(true)).toEqual([409, 'api-key-expired'])
    expect((await as(`DELETE ${keys}/${id}`)).status).toBe(204)
    expect(await works(key)).toBe('unknown key')
    expect(brief(await as(`DELETE ${keys}/${id}`))).toEqual([404, 'api-key-not-found'])
    expect(await trail()).toEqual([
      'api-key.created',
      'api-key.updated',
      'api-key.disabled',
      'api-key.updated',
      'api-key.enabled',
      'api-key.disabled',
      'api-key.deleted',
    ])
  })

  test('expiry in whole days, with a warning from 14 days before it', async () => {
    const { as, clock, ask, browser, olga } = await setUp()
    for (const days of [0, -1, 1.5, 3651])
      expect((await as(`POST ${keys}`, { name: 'k', expires_in_days: days })).status).toBe(422)
    await as(`POST ${keys}`, { name: 'k', expires_in_days: 20 })
    await as(`POST ${keys}`, { name: 'never', expires_in_days: null })
    const soon = async (day: number) => {
      clock.value = start + day * dayMs
      const list = await ask(`GET ${keys}`, { headers: await browser(olga) })
      return list.body.items.filter((it: { expires_soon: boolean }) => it.expires_soon).length
    }
    expect([await soon(0), await soon(5), await soon(6), await soon(19), await soon(20)]).toEqual([0, 0, 1, 1, 0])
  })

  test('rotation: same scopes, and the old key lives on as long as it was given', async () => {
    const { as, works, clock } = await setUp()
    const outcomes: unknown[] = []
    for (const [grace, ms] of [
      ['0s', 0],
      ['24h', dayMs],
      ['7d', 7 * dayMs],
    ] as const) {
      clock.value = start
      const old = (await as(`POST ${keys}`, { name: 'CI', description: 'd', scopes: ['lint:read'] })).body
      const next = await as(`POST ${keys}/${old.id}/rotate`, { grace })
      expect(next.body).toMatchObject({ name: 'CI', description: 'd', scopes: ['lint:read'], replaces_id: old.id })
      expect(next.body.key).not.toBe(old.key)
      if (ms > 0) clock.value = start + ms - 1
      const before = await as(`GET ${keys}?q=${old.prefix}`)
      clock.value = start + ms
      const after = await as(`GET ${keys}?q=${old.prefix}`)
      outcomes.push([grace, before.body.items[0].status, after.body.items[0].status, await works(old.key)])
    }
    expect(outcomes).toEqual([
      ['0s', 'expired', 'expired', expect.stringContaining('has expired')],
      ['24h', 'active', 'expired', expect.stringContaining('has expired')],
      ['7d', 'active', 'expired', expect.stringContaining('has expired')],
    ])
    clock.value = start
    const short = (await as(`POST ${keys}`, { name: 'short', expires_in_days: 1 })).body
    await as(`POST ${keys}/${short.id}/rotate`, { grace: '7d' })
    const kept = await as(`GET ${keys}?q=${short.prefix}`)
    expect(kept.body.items[0].expires_at).toBe(short.expires_at)
    const long = (await as(`POST ${keys}`, { name: 'long', expires_in_days: 100 })).body
    await as(`POST ${keys}/${long.id}/rotate`, { grace: '7d' })
    const ending = (await as(`GET ${keys}?q=${long.prefix}`)).body.items[0].expires_at
    expect(Date.parse(ending)).toBe(start + 7 * dayMs)
    clock.value = start + dayMs
    expect(brief(await as(`POST ${keys}/${short.id}/rotate`, { grace: '0s' }))).toEqual([409, 'api-key-expired'])
  })

  test('the quota of the plan holds against many at once', async () => {
    const { as } = await setUp({ plans: plansWith({ api_keys: 2 }) }, null)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => as(`POST ${keys}`, { name: `k${n}` })))
    expect(answers.map((it) => it.status).sort((a, b) => a - b)).toEqual([201, 201, 403, 403])
    expect(answers.find((it) => it.status === 403)?.body.detail).toMatchObject({
      code: 'quota-exceeded',
      quota: 'api_keys',
      used: 2,
      max: 2,
    })
  })

  test('the quota holds for MCP keys too', async () => {
    const { as } = await setUp({ plans: plansWith({ mcp_keys: 1 }) }, null)
    const make = () => as('POST /v1/tenants/acme/mcp-keys', { label: 'host' })
    expect((await make()).status).toBe(201)
    expect((await make()).body.detail).toMatchObject({ code: 'quota-exceeded', quota: 'mcp_keys', used: 1, max: 1 })
    const change = await as('PUT /v1/tenants/acme/mcp-keys/nothing/capabilities', { mode: 'inherit' })
    expect(brief(change)).toEqual([404, 'api-key-not-found'])
  })

  test('keys of another tenant are not there, and editors have no business with keys', async () => {
    const { as, db, ask, browser } = await setUp()
    const other = await addTenant(db, 'other')
    const eve = await addPerson(db, 'eve')
    await addMember(db, other, eve, 'owner')
    const headers = await browser(eve)
    const { id } = (await as(`POST ${keys}`, { name: 'k' })).body
    const foreign = '/_app/tenants/other/api-keys'
    expect(brief(await ask(`DELETE ${foreign}/${id}`, { headers }))).toEqual([404, 'api-key-not-found'])
    expect(brief(await ask(`PATCH ${foreign}/${id}`, { headers, body: { enabled: false } }))).toEqual([
      404,
      'api-key-not-found',
    ])
    expect(brief(await ask(`GET ${keys}`, { headers }))).toEqual([403, 'tenant-access-denied'])
    const eda = await addPerson(db, 'eda')
    await addMember(db, other, eda, 'editor')
    expect(brief(await ask(`GET ${foreign}`, { headers: await browser(eda) }))).toEqual([403, 'permission-denied'])
  })

  test('agent keys: a part of the toolset, an expiry, a revocation that keeps the row', async () => {
    const { as, works, trail, ask, bearer, olga, clock } = await setUp()
    const base = '/v1/tenants/acme/agent-keys'
    const made = await as(`POST ${base}`, { label: 'bot', toolset: 'diff', tools: ['spec.list', 'ping'] })
    expect(made.status).toBe(201)
    const { key, ...record } = made.body
    expect(record).toEqual({
      id: expect.any(String),
      label: 'bot',
      prefix: key.slice(0, 12),
      toolset: 'diff',
      tools: ['ping', 'spec.list'],
      status: 'active',
      created_by: olga,
      created_at: '2026-05-05T12:00:00.000Z',
      expires_at: '2026-06-04T12:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    })
    expect(await works(key)).toBe('works')
    expect(brief(await as(`POST ${base}`, { label: 'b', toolset: 'diff', tools: ['import.create'] }))).toEqual([
      400,
      'tools-invalid',
    ])
    for (const body of [
      { label: 'b', toolset: 'all' },
      { label: 'b', toolset: 'diff', expires_in_days: 366 },
      { label: 'b', toolset: 'diff', expires_in_days: 0 },
      { toolset: 'diff' },
    ])
      expect((await as(`POST ${base}`, body)).status).toBe(422)
    const read = async () => (await ask(`GET ${base}/${record.id}`, { headers: await bearer(olga) })).body.status
    clock.value = start + 30 * dayMs
    expect(await read()).toBe('expired')
    expect(await works(key)).toBe(`the key ${record.prefix}… has expired`)
    clock.value = start
    for (let round = 0; round < 2; round++) expect((await as(`DELETE ${base}/${record.id}`)).status).toBe(204)
    expect(await read()).toBe('revoked')
    expect(await works(key)).toBe(`the key ${record.prefix}… is revoked`)
    expect((await as(`GET ${base}`)).body).toMatchObject({ total: 1, items: [{ id: record.id, status: 'revoked' }] })
    for (const [q, total] of [
      ['BO', 1],
      [record.prefix, 1],
      ['other', 0],
    ] as const)
      expect([q, (await as(`GET ${base}?q=${q}`)).body.total]).toEqual([q, total])
    expect(brief(await as(`DELETE ${base}/nothing`))).toEqual([404, 'api-key-not-found'])
    expect(await trail()).toEqual(['agent-key.created', 'agent-key.revoked'])
    const whole = await as(`POST ${base}`, { label: 'whole', toolset: 'diff' })
    expect(whole.body.tools).toEqual([
      'ping',
      'project.list',
      'spec.list',
      'spec.describe',
      'diff.compare',
      'schema.contains',
      'explain',
      'diff.classified',
    ])
  })

  test('MCP keys: ceiling, defaults, tools of their own', async () => {
    const { as, db, tenantId, works, trail } = await setUp()
    const base = '/v1/tenants/acme'
    const everything = [...mcpTools]
    expect((await as(`GET ${base}/mcp-capabilities`)).body).toEqual({ ceiling: everything, defaults: everything })
    const { id, key } = (await as(`POST ${base}/mcp-keys`, { label: 'host' })).body
    const tools = async () => [...(await toolsOfKey(db.read, tenantId, id))].sort()
    expect(await tools()).toEqual(everything.toSorted())
    const govern = (ceiling: string[], defaults: string[]) => as(`PUT ${base}/mcp-capabilities`, { ceiling, defaults })
    const own = (body: object) => as(`PUT ${base}/mcp-keys/${id}/capabilities`, body)
    const listed = async (q: string) => (await as(`GET ${base}/mcp-keys?q=${q}`)).body.total
    expect([await listed('hos'), await listed('other')]).toEqual([1, 0])
    expect((await govern(['ping', 'spec.list', 'spec.export'], ['ping'])).status).toBe(200)
    expect(await tools()).toEqual(['ping'])
    expect((await own({ mode: 'explicit', tools: ['spec.export', 'spec.list'] })).body).toMatchObject({
      mode: 'explicit',
      tools: ['spec.list', 'spec.export'],
      effective_tools: ['spec.list', 'spec.export'],
    })
    expect(await tools()).toEqual(['spec.export', 'spec.list'])
    expect((await govern(['ping', 'spec.list'], ['ping'])).status).toBe(200)
    expect(await tools()).toEqual(['spec.list'])
    expect(brief(await own({ mode: 'explicit', tools: ['spec.export'] }))).toEqual([400, 'tools-invalid'])
    expect(brief(await own({ mode: 'explicit' }))).toEqual([400, 'tools-invalid'])
    expect(brief(await govern(['ping'], ['spec.list']))).toEqual([400, 'tools-invalid'])
    expect(brief(await govern(['launch.missiles'], []))).toEqual([400, 'tools-invalid'])
    expect((await own({ mode: 'inherit' })).body.effective_tools).toEqual(['ping'])
    expect(await works(key)).toBe('works')
    expect((await as(`DELETE ${base}/mcp-keys/${id}`)).status).toBe(204)
    expect(await works(key)).toBe('unknown key')
    expect(await tools()).toEqual([])
    expect(await trail()).toEqual([
      'mcp-key.created',
      'mcp-capabilities.set',
      'mcp-key.capabilities-set',
      'mcp-capabilities.set',
      'mcp-key.capabilities-set',
      'mcp-key.deleted',
    ])
  })
})
