/** Events without values, the audit trail that cannot be rewritten, and its export. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, securityEvents } from '../../../db/tables.gen.ts'
import { checkAuditChains } from '../../../server/gateway-policy/audit.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, record, type GatewayService } from '../../fixtures/gateway.ts'

const secret = "zebrafish' or 1=1--"

onBothEngines('records', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), false)
  })
  afterAll(async () => {
    expect(it.faults).toEqual([])
    await it.service.stop()
  })
  const list = (query: object = {}) => it.as('eva')(gatewayRecordsApi.events, { params: it.params, query })
  const match = {
    ruleRef: 'crs:942100',
    groupId: 'sqli',
    paranoia: 1,
    severity: 'critical',
    field: 'query:q',
    value: secret,
  }
  const event = {
    id: 'e1',
    at: '2026-05-05T12:00:00+02:00',
    action: 'block',
    ruleRef: 'crs:942100',
    groupId: 'sqli',
    method: 'get',
    route: '/search',
    status: 403,
    source: 'edge-1',
    region: 'eu',
    releaseId: 'r1',
    client: { ip: '203.0.113.77', country: 'de' },
    score: { inbound: 5, threshold: 5, detection: 2 },
    matches: [match],
    policyVersion: 1,
    count: 3,
  }

  test('events are stored without any value, once', async () => {
    const other = {
      ...event,
      id: 'e2',
      at: '2026-05-05T11:00:00Z',
      matches: [match, { ...match, ruleRef: 'crs:942200', field: 'json:/items/3/note' }],
    }
    expect(await record(it, [event, other])).toEqual({ stored: 2, known: 0 })
    expect(
      await record(it, [
        event,
        { ...event, id: 'e3', client: { ip: '2001:db8:1:2::3' }, action: 'log', source: 'edge-2' },
      ]),
    ).toEqual({
      stored: 1,
      known: 1,
    })
    const shown = await it.as('eva')(gatewayRecordsApi.event, { params: { ...it.params, event_id: 'e1' } })
    expect(shown).toMatchObject({
      at: '2026-05-05T10:00:00.000Z',
      method: 'GET',
      count: 3,
      client: { network: '203.0.113.0/24', country: 'DE' },
      evidence: [{ field: 'query:q', length: secret.length }],
    })
    const hash = shown.evidence[0]?.hash ?? ''
    expect(hash).toMatch(/^hmac-sha256:[0-9a-f]{32}$/)
    const e2 = await it.as('eva')(gatewayRecordsApi.event, { params: { ...it.params, event_id: 'e2' } })
    expect(e2.evidence.map((one) => one.hash)).toEqual([hash, hash])
    const rows = await it.service.deps.db.read.select().from(securityEvents)
    expect(JSON.stringify(rows)).not.toContain('zebrafish')
    expect(JSON.stringify(rows)).not.toContain('203.0.113.77')
    expect(rows.find(({ id }) => id === 'e3')?.network).toBe('2001:db8:1::/48')
    expect(await codeOf(it.as('eva')(gatewayRecordsApi.event, { params: { ...it.params, event_id: 'nothing' } }))).toBe(
      'security-event-not-found',
    )
  })

  test('each filter of the contract, most recent first', async () => {
    const ids = async (query: object) => (await list(query)).events.map(({ id }) => id)
    expect([
      await ids({}),
      await ids({ limit: 1 }),
      await ids({ limit: 1, offset: 1 }),
      await ids({ ruleRef: 'crs:942200' }),
      await ids({ ruleRef: 'crs:94220' }),
      await ids({ action: 'log' }),
      await ids({ route: '/search' }),
      await ids({ route: '/other' }),
      await ids({ releaseId: 'r2' }),
      await ids({ region: 'eu', source: 'edge-2' }),
    ]).toEqual([['e2', 'e3', 'e1'], ['e2'], ['e3'], ['e2'], [], ['e3'], ['e2', 'e3', 'e1'], [], [], ['e3']])
    expect(await list({ limit: 1 })).toMatchObject({ count: 1, total: 3, limit: 1, offset: 0 })
  })

  test('a batch with a line that is wrong stores nothing and says which, without its values', async () => {
    const refused = async (line: object | string) => {
      const text = typeof line === 'string' ? line : JSON.stringify(line)
      try {
        await it.as('ann')(gatewayRecordsApi.importEvents, {
          params: it.params,
          body: new TextEncoder().encode(`${JSON.stringify({ ...event, id: 'new' })}\n\n${text}`),
        })
      } catch (error) {
        const { code, detail, message } = error as {
          code: string
          detail: { line: number; reason: string }
          message: string
        }
        expect(message).not.toContain('zebrafish')
        return [code, detail.line, detail.reason]
      }
      return 'stored'
    }
    const reason = (text: string) => ['event-batch-invalid', 3, expect.stringContaining(text) as string]
    expect([
      await refused('{'),
      await refused({ ...event, at: 'yesterday' }),
      await refused({ ...event, at: '2026-99-99T00:00:00Z' }),
      await refused({ ...event, action: secret }),
      await refused({ ...event, secret }),
      await refused({ ...event, client: { ip: secret } }),
      await refused({ ...event, matches: [{ ...match, field: secret }] }),
      await refused({ ...event, route: '/search?q=1' }),
    ]).toEqual([
      reason('not JSON'),
      reason('/at'),
      reason('not an instant'),
      reason('/action'),
      reason('/secret'),
      reason('/client/ip'),
      reason('/matches/0/field'),
      reason('/route'),
    ])
    expect((await list()).total).toBe(3)
  })

  test('the narrowest exception is drafted from an event, and stored as it is', async () => {
    const draft = (event_id: string) =>
      it.as('eva')(gatewayRecordsApi.draftException, { params: { ...it.params, event_id } })
    const narrow = await draft('e1')
    expect(narrow).toMatchObject({
      scope: { route: '/search', path: null, method: 'GET', field: 'query:q' },
      target: { groups: [], ruleRefs: ['crs:942100'] },
      reason: 'False positive of crs:942100',
    })
    expect((await draft('e2')).scope.field).toBe(null)
    await record(it, [
      { ...event, id: 'json', matches: [{ ...match, field: 'json:/items/3/note' }] },
      { ...event, id: 'unknown', route: null },
      { ...event, id: 'custom', ruleRef: 'rule:abc', matches: [] },
      { ...event, id: 'rate', ruleRef: 'rate:ip', matches: [], action: 'rate-limit' },
    ])
    expect((await draft('json')).scope.field).toBe('json:/items/*/note')
    expect([await codeOf(draft('unknown')), await codeOf(draft('custom')), await codeOf(draft('rate'))]).toEqual(
      Array.from({ length: 3 }, () => 'exception-draft-impossible'),
    )
    const made = await it.as('ann')(gatewayApi.createException, { params: it.params, body: narrow })
    expect(made).toMatchObject({ changed: true, exception: { state: 'active', target: narrow.target } })
  })

  test('every write is a row of the trail, with what was before and after', async () => {
    const { rows, total } = await it.as('eva')(gatewayRecordsApi.audit, { params: it.params })
    expect(rows.map(({ action }) => action)).toEqual([
      'exception.created',
      'events.imported',
      'events.imported',
      'events.imported',
      'environment.created',
    ])
    expect([total, rows[0]]).toMatchObject([
      5,
      {
        actorName: 'ann',
        before: null,
        reason: 'False positive of crs:942100',
        policyVersion: 2,
        prevHash: rows[1]?.hash ?? '',
      },
    ])
    await it.as('ann')(gatewayApi.setManagedGroup, {
      params: { ...it.params, group_id: 'php' },
      body: { mode: 'off', reason: '=HYPERLINK("https://evil.example")' },
    })
    const [newest] = (await it.as('eva')(gatewayRecordsApi.audit, { params: it.params, query: { limit: 1 } })).rows
    expect(newest).toMatchObject({
      action: 'managed-group.set',
      target: 'group:php',
      before: null,
      after: { mode: 'off' },
    })
  })

  test('the export is a row of the trail first, reasons are texts, and a cut is said in words', async () => {
    const get = async (query: string, headers: Record<string, string> = { 'x-api-key': it.key }) => {
      const path = `http://localhost/v1/slate/environments/production/security/audit/export${query}`
      const response = await it.service.handle(new Request(path, { headers }))
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
    }
    const whole = await get('')
    expect([whole.status, whole.type]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = whole.text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + 7)
    expect(lines[1]).toContain('audit.exported')
    expect(lines[2]).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    const cut = await get('?limit=2')
    expect(cut.text.trimEnd().split('\r\n').at(-1)).toBe(
      'Only the newest 2 of 8 rows are in this file; the older ones were left out.',
    )
    expect(await codeOf(it.as('eva')(gatewayRecordsApi.exportAudit, { params: it.params }))).toBe('permission-denied')
  })

  test('the database refuses to change or remove rows, and the check follows every chain', async () => {
    const { db } = it.service.deps
    const own = eq(auditEvents.environmentId, it.environment.id)
    const attempt = (work: () => Promise<unknown>) =>
      work().then(
        () => 'done',
        () => 'refused',
      )
    expect([
      await attempt(() => db.inTransaction((tx) => tx.update(auditEvents).set({ actorId: 'eve' }).where(own))),
      await attempt(() => db.inTransaction((tx) => tx.delete(auditEvents).where(own))),
    ]).toEqual(['refused', 'refused'])
    const second = await it.as('ann')(environmentsApi.create, {
      body: { name: 'Gone', approvals: { required: false } },
    })
    await it.as('ann')(environmentsApi.remove, { params: { environment_id: second.id } })
    const bySlug = async () =>
      (await checkAuditChains(db.read))
        .map(({ slug, rows, problem }) => [slug, rows, problem])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
    expect(await bySlug()).toEqual([
      [null, 2, null],
      ['production', 8, null],
    ])
    // Someone with the database adds a row between: its number is taken, or the chain does not continue.
    const [row] = await db.read.select().from(auditEvents).where(own).limit(1)
    if (row === undefined) throw new Error('no row')
    await db.inTransaction((tx) => tx.insert(auditEvents).values({ ...row, seq: 9, id: 'forged' }))
    expect((await bySlug())[1]).toEqual(['production', 9, expect.stringContaining('row 9') as string])
  })
})
