/** What gateways send: stored once, counted, without anything that a client wrote; and what became of it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { eq, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as tables from '../../../db/tables.gen.ts'
import { ingestEvents } from '../../../server/gateway/ingest.ts'
import { removeOldRecords } from '../../../server/gateway-policy/retention.ts'
import { KnownAllowances } from '../../../server/gateway/throttle.ts'
import type { Grant } from '../../../server/auth/grant.ts'
import { enforcersApi, selfBase } from '../../../src/api/gateway-enforcers.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { gatewayCoverageApi, gatewayEventsApi } from '../../../src/api/gateway-events.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, type GatewayService } from '../../fixtures/gateway.ts'
import { capturedLog, foundIn } from '../../fixtures/planted.ts'

const document = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: 'https://api.example.com/{v}', variables: { v: { default: v1 , enum: [v1] } } }]
paths:
  /pets/{petId}: # the only one
    get:
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A pet } }
    delete:
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: Gone } }
`
const digest = `hmac-sha256:${'0a'.repeat(16)}`
// Minutes are removed after two days while the test runs, and hits of the last day are counted apart.
const hour = Math.floor((Date.now() - 36 * 3_600_000) / 3_600_000) * 3_600_000
const after = (minutes: number): string => new Date(hour + minutes * 60_000).toISOString()
const minute = after(0).slice(0, 16)
const match = {
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  paranoia: 1,
  severity: 'critical',
  field: 'query:q',
  length: 12,
  digest,
  shape: "a'a",
}
const event = (entry: object = {}) => ({
  kind: 'match',
  id: randomUUID(),
  at: `${minute}:01.000Z`,
  releaseId: null,
  action: 'block',
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  method: 'GET',
  route: '/pets/{petId}',
  pathShape: null,
  status: 403,
  network: '203.0.113.0/24',
  clientDigest: digest,
  score: { inbound: 5, threshold: 5, paranoia: 1, detection: 2 },
  matches: [match],
  exceptionIds: [],
  ...entry,
})
const seen = (entry: object) => ({
  kind: 'seen',
  id: randomUUID(),
  at: `${minute}:00.000Z`,
  method: 'GET',
  route: null,
  pathShape: null,
  count: 1,
  ...entry,
})
const bytesOf = (lines: readonly object[]) => Buffer.from(lines.map((one) => JSON.stringify(one)).join('\n'))

onBothEngines('ingestion', (makeDb) => {
  let it: GatewayService
  let key = ''
  let self: Grant
  const log = capturedLog()
  beforeAll(async () => {
    it = await openGateway(await makeDb(), false, { log })
    const made = await it.as('ann')(enforcersApi.create, {
      params: it.params,
      body: { label: 'edge-1', engine: 'coraza-caddy' },
    })
    key = made.key
    self = { principal: { kind: 'gateway-key', keyId: made.enforcer.id, tenantId: it.tenantId } } as unknown as Grant
    const project = { tenant_slug: it.tenant, project_ref: 'pets' }
    await it.as('ann')(projectsApi.create, { params: project, body: { name: 'Pets', slug: 'pets' } })
    await it.as('ann')(versionsApi.create, { params: project, body: { label: '1.0.0', content: document } })
    const params = { ...project, version_ref: '1.0.0' }
    await it.as('ann')(versionsApi.publish, { params, body: { visibility: 'private' } })
    await it.as('ann')(gatewayPositiveApi.setPositive, { params: it.params, body: { projectId: 'pets' } })
  })
  afterAll(async () => {
    await it.service.stop()
  })
  const send = async (lines: readonly object[] | string, headers: Record<string, string> = {}): Promise<unknown> => {
    const plain = typeof lines === 'string' ? Buffer.from(lines) : bytesOf(lines)
    const response = await it.service.handle(
      new Request(`http://localhost${selfBase}/events`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson', ...headers },
        body: headers['content-encoding'] === 'gzip' ? gzipSync(plain) : plain,
      }),
    )
    const answer = (await response.json()) as { detail?: { code: string; line?: number; reason?: string } }
    return response.status === 200
      ? answer
      : [response.status, answer.detail?.code, answer.detail?.line, answer.detail?.reason]
  }
  const events = async () => (await it.as('eva')(gatewayRecordsApi.events, { params: it.params })).events

  test('requests that are alike share a row, and what is sent again is not counted', async () => {
    const first = [
      event(),
      event({ at: `${minute}:59.000Z`, clientDigest: `hmac-sha256:${'ff'.repeat(16)}` }),
      event({ at: `${minute}:02.000Z`, matches: [match, { ...match, field: 'query:r' }] }),
      event({ at: after(1), network: '2001:db8:1:2::3/128' }),
      seen({ route: '/pets/{petId}', count: 4 }),
      seen({ pathShape: '/toys/{id}', count: 2 }),
    ]
    expect([
      await send(first, { 'content-encoding': 'gzip' }),
      await send(first),
      await send([...first.slice(0, 1), event({ at: `${minute}:00.500Z`, matches: [{ ...match, length: 3 }] })]),
    ]).toEqual([
      { accepted: 6, duplicates: 0, throttled: 0 },
      { accepted: 0, duplicates: 6, throttled: 0 },
      { accepted: 1, duplicates: 1, throttled: 0 },
    ])
    const brief = (await events()).map(({ count, firstAt, lastAt, matches, client, source, ...one }) => [
      count,
      firstAt.slice(17, 21),
      lastAt.slice(17, 21),
      matches.length,
      client.network,
      client.digest === digest,
      source,
      one.method,
      one.route,
    ])
    const place = ['edge-1', 'GET', '/pets/{petId}']
    expect(brief).toEqual([
      [1, '00.0', '00.0', 1, '2001:db8:1::/48', true, ...place],
      [1, '02.0', '02.0', 2, '203.0.113.0/24', true, ...place],
      [3, '00.5', '59.0', 1, '203.0.113.0/24', false, ...place],
    ])
    expect((await events())[0]?.matches).toEqual([match as never])
    const counts = await it.as('eva')(gatewayEventsApi.eventCounts, {
      params: it.params,
      query: { span: 'minute', from: after(0), to: after(60) },
    })
    expect(counts).toEqual({
      span: 'minute',
      from: after(0),
      to: after(60),
      buckets: [
        { at: after(0), counts: { block: 4 } },
        { at: after(1), counts: { block: 1 } },
      ],
      total: 5,
      withoutEvent: 0,
    })
    const range = (query: object) => codeOf(it.as('eva')(gatewayEventsApi.eventCounts, { params: it.params, query }))
    expect([await range({ from: after(0), to: after(-60) }), await range({ from: '2020-05-05T12:00:00Z' })]).toEqual([
      'request-malformed',
      'request-malformed',
    ])
  })

  test('nothing that a client wrote is stored, logged or answered, wherever it stands', async () => {
    const secrets = ['Zebrafish7Secret', 'zebra-fish-9-secret']
    const [one = '', two = ''] = secrets
    const answers = [
      await send([
        event({
          uri: one,
          args: { q: one },
          [one]: two,
          matches: [{ ...match, value: one, data: two, field: `query:${one}`, shape: one }],
        }),
        event({ route: `/pets/${two}`, matches: [{ ...match, field: `json:/items/${two}/note` }] }),
        event({
          route: null,
          pathShape: `/pets/${one}/x/${two}`,
          matches: [{ ...match, field: `cookie:${two}` }],
          releaseId: one,
        }),
        event({ method: 'ZEBRASECRET', score: { inbound: 5, threshold: 5, paranoia: 1, detection: 2, [one]: 1 } }),
        seen({ pathShape: `/a/${one}`, path: one, query: two }),
        seen({ route: `/b/${two}` }),
      ]),
      await send([event({ id: one })]),
      await send([event({ ruleRef: `rule:${one}` })]),
      await send([event({ action: one })]),
      await send([event({ network: one })]),
      await send([event({ clientDigest: one })]),
      await send([event({ matches: [{ ...match, digest: one }] })]),
      await send([event({ exceptionIds: [one] })]),
      await send([event({ at: one })]),
      await send(`{"kind":"${one}"}`),
      await send(one),
    ]
    expect(answers.slice(0, 1)).toEqual([{ accepted: 6, duplicates: 0, throttled: 0 }])
    expect(answers.slice(1).map((answer) => (answer as unknown[]).slice(0, 3))).toEqual(
      Array.from({ length: 10 }, () => [422, 'event-batch-invalid', 1]),
    )
    const stored: unknown[] = []
    for (const table of Object.values(tables))
      if (is(table, PgTable)) stored.push([getTableName(table), await it.service.deps.db.read.select().from(table)])
    const shown = [await events(), await it.as('eva')(gatewayCoverageApi.coverage, { params: it.params })]
    for (const text of [JSON.stringify(stored), JSON.stringify(answers), JSON.stringify(shown), log.lines.join('\n')]) {
      expect(foundIn(text, secrets)).toEqual([])
      expect(text.toLowerCase()).not.toContain('zebra')
    }
    const fields = (await events()).flatMap(({ matches }) => matches.map(({ field, shape }) => [field, shape]))
    expect(fields).toContainEqual([null, 'Aa0Aa'])
    expect(fields).toContainEqual(['json:/items/*/note', "a'a"])
  })

  test('a batch is refused as a whole, with the line that is wrong', async () => {
    const before = (await events()).length
    const far = new Date(Date.now() + 3_600_000).toISOString()
    const long = 'x'.repeat(1_000_001)
    expect([
      await send(`${JSON.stringify(event())}\n\n{`),
      await send([event(), seen({ count: 0 })]),
      await send([event({ at: far })]),
      await send(Array.from({ length: 501 }, () => event())),
      await send(long),
      await send(long, { 'content-encoding': 'gzip' }),
      await send('not compressed', { 'content-encoding': 'gzip', 'x-none': '1' }),
    ]).toEqual([
      [422, 'event-batch-invalid', 3, 'it is not JSON'],
      [422, 'event-batch-invalid', 2, expect.stringContaining('/count') as string],
      [422, 'event-batch-invalid', 1, '"/at" is more than five minutes ahead'],
      [422, 'event-batch-invalid', 501, 'a batch has at most 500 lines'],
      [413, 'body-too-large', undefined, undefined],
      [413, 'body-too-large', undefined, undefined],
      [422, 'event-batch-invalid', 1, 'it is not JSON'],
    ])
    expect((await events()).length).toBe(before)
  })

  test('what was called and is not declared becomes a draft that claims nothing else', async () => {
    const show = () => it.as('eva')(gatewayCoverageApi.coverage, { params: it.params, query: { days: 90 } })
    const at = new Date().toISOString()
    await send([
      seen({ at, route: '/pets/{petId}', count: 4 }),
      seen({ at, method: 'POST', pathShape: '/pets/{id}', count: 3 }),
      seen({ at, pathShape: '/toys/{id}', count: 2 }),
    ])
    const found = await show()
    expect(found.documents).toMatchObject([{ project: 'pets', version: '1.0.0' }])
    expect(found.operations.map(({ method, path, count }) => [method, path, count > 0])).toEqual([
      ['GET', '/pets/{petId}', true],
      ['DELETE', '/pets/{petId}', false],
    ])
    expect(found.neverSeen).toBe(1)
    expect(found.undeclared).toContainEqual({
      method: 'POST',
      path: '/pets/{id}',
      kind: 'method',
      count: 3,
      firstAt: at,
      lastAt: at,
    })
    expect(found.prefixes).toEqual([])
    const draft = (body: object) =>
      it.as('ann')(gatewayCoverageApi.draftCoverage, { params: it.params, body: { operations: [], ...body } })
    const one = (method: string, path: string) => draft({ operations: [{ method, path }] })
    expect([
      await codeOf(one('GET', '/pets/{id}')),
      await codeOf(one('GET', '/nothing')),
      await codeOf(draft({ operations: [{ method: 'POST', path: '/pets/{id}' }], project: 'other' })),
      await codeOf(
        it.as('vic')(gatewayCoverageApi.draftCoverage, {
          params: it.params,
          body: { operations: [{ method: 'GET', path: '/a' }] },
        }),
      ),
    ]).toEqual(['coverage-operation-invalid', 'coverage-operation-invalid', 'coverage-unbound', 'permission-denied'])
    const made = await draft({
      operations: [
        { method: 'POST', path: '/pets/{id}' },
        { method: 'GET', path: '/toys/{id}' },
      ],
    })
    expect([made.from, made.version.label, made.version.status, made.added]).toEqual([
      '1.0.0',
      '1.1.0',
      'draft',
      ['POST /pets/{petId}', 'GET /toys/{toyId}'],
    ])
    const bytes = await it.as('ann')(versionsApi.document, {
      params: { tenant_slug: it.tenant, project_ref: 'pets', version_ref: '1.1.0' },
    })
    const text = new TextDecoder().decode(bytes)
    expect(text).toStartWith(document.slice(0, document.indexOf('    get:')))
    expect(text).toContain('are not described yet')
    const { environments } = await it.as('ann')(environmentsApi.list, {})
    expect(environments.map(({ policy_version: version }) => version)).toEqual([2])
  })

  test('calls below the server of the document are those of its operations, and others are outside', async () => {
    const show = () => it.as('eva')(gatewayCoverageApi.coverage, { params: it.params, query: { days: 90 } })
    const at = new Date().toISOString()
    const before = await show()
    await send([seen({ at, pathShape: '/v1/pets/{id}', count: 6 }), seen({ at, pathShape: '/cats/{id}' })])
    const after = await show()
    expect([after.prefixes, after.operations[0]?.count]).toEqual([['/v1'], (before.operations[0]?.count ?? 0) + 6])
    expect(after.undeclared.find(({ path }) => path === '/cats/{id}')?.kind).toBe('outside')
  })

  test('what applied in the last day is counted by rule, group and exception', async () => {
    const { rule } = await it.as('ann')(gatewayApi.createRule, {
      params: it.params,
      body: { name: 'Admin', action: 'log', expression: 'http.path starts "/admin"' },
    })
    const { exception } = await it.as('ann')(gatewayApi.createException, {
      params: it.params,
      body: {
        scope: { route: '/pets/{petId}', field: 'query:q' },
        target: { groups: ['sqli'] },
        reason: 'Names',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      },
    })
    const at = new Date().toISOString()
    const own = { ...match, ruleRef: `rule:${rule.id}`, groupId: null, paranoia: null, severity: null, field: null }
    await send([
      event({ at, action: 'log', matches: [match, own], exceptionIds: [exception.id] }),
      event({ at, action: 'log', ruleRef: own.ruleRef, groupId: null, matches: [own] }),
    ])
    const policy = await it.as('eva')(gatewayApi.get, { params: it.params })
    expect([
      policy.rules[0]?.hits24h,
      policy.managedGroups.find(({ id }) => id === 'sqli')?.hits24h,
      policy.exceptions[0]?.hits,
    ]).toEqual([2, 1, { active: 1, sinceExpiry: 0 }])
  })

  test('too many rows are counted without an event; old ones leave', async () => {
    const { deps } = it.service
    let now = Math.ceil(Date.now() / 86_400_000 + 1) * 86_400_000
    const timed = { ...deps, clock: { ...deps.clock, now: () => now, iso: () => new Date(now).toISOString() } }
    const at = new Date(now).toISOString()
    // Each network is a row of its own.
    const batch = (from: number) =>
      Array.from({ length: 30 }, (_, index) => {
        const number = from + index
        return event({ at, network: `10.${number >> 8}.${number & 255}.0/24`, action: 'log' })
      })
    const before = (await events()).length
    const lines = { limit: { perSecond: 1, most: 100 }, known: new KnownAllowances() }
    const limits = { rows: { perSecond: 5, most: 50 }, lines }
    const sendAt = (lines: readonly object[]) => ingestEvents(timed, self, bytesOf(lines), undefined, limits)
    const first = await sendAt(batch(0))
    const second = await sendAt(batch(30))
    now += 2000
    const third = await sendAt(batch(60))
    expect([first, second, third]).toEqual([
      { accepted: 30, duplicates: 0, throttled: 0 },
      { accepted: 20, duplicates: 0, throttled: 10 },
      { accepted: 10, duplicates: 0, throttled: 20 },
    ])
    const hour = { span: 'hour' as const, from: at, to: new Date(now + 60_000).toISOString() }
    const counts = await it.as('eva')(gatewayEventsApi.eventCounts, { params: it.params, query: hour })
    expect(counts).toMatchObject({ total: 90, withoutEvent: 30, buckets: [{ counts: { log: 90 } }] })
    expect(await codeOf(sendAt(batch(0)))).toBe('events-throttled')

    const total = async () => (await it.as('eva')(gatewayRecordsApi.events, { params: it.params })).total
    const kept = await total()
    expect(kept).toBe(before + 60)
    const { signal } = new AbortController()
    await removeOldRecords(timed, signal, 15)
    expect(await total()).toBe(15)
    now += 31 * 24 * 3_600_000
    await removeOldRecords(timed, signal)
    expect(await total()).toBe(0)
    expect(await deps.db.read.select().from(tables.gatewayEventIds)).toEqual([])
    expect(
      await deps.db.read.select().from(tables.securityCounts).where(eq(tables.securityCounts.span, 'minute')),
    ).toEqual([])
  })

  // The hooks of the database run before those of the group: there it would be too late to look.
  test('nothing failed beside what was asked', () => {
    expect(it.faults).toEqual([])
  })
})
