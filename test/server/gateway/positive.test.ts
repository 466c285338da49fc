/** Requests that are compared with a document: the binding, several changes tried at once, and what a newer version narrows. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { consumersApi } from '../../../src/api/consumers.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, record, type GatewayService } from '../../fixtures/gateway.ts'

const document = (version: string, maxLength: number) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    paths: {
      '/pets': {
        get: {
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', maxLength } }],
          responses: { 200: { description: 'Pets' } },
        },
      },
    },
  })

onBothEngines('positive security', (makeDb) => {
  let it: GatewayService
  let projectId = ''
  const project = { tenant_slug: 'local', project_ref: 'pets' }
  const publish = async (label: string, content: string) => {
    await it.as('ann')(versionsApi.create, { params: project, body: { label, content } })
    const params = { ...project, version_ref: label }
    await it.as('ann')(versionsApi.publish, { params, body: { visibility: 'private' } })
  }
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
    const { id } = await it.as('ann')(projectsApi.create, {
      params: { tenant_slug: it.tenant },
      body: { name: 'Pets', slug: 'pets' },
    })
    projectId = id
    await publish('1.0.0', document('1.0.0', 20))
    await publish('2.0.0-beta', document('2.0.0-beta', 10))
    await it.as('ann')(versionsApi.create, { params: project, body: { label: '3.0.0' } })
    const consumer = { params: project, body: { name: 'Shop', handle: 'shop' } }
    await it.as('ann')(consumersApi.create, consumer)
    await it.as('ann')(consumersApi.declare, {
      params: { ...project, consumer_ref: 'shop' },
      query: { version: '1.0.0' },
      body: { operations: [{ method: 'GET', path: '/pets', parameters: [{ name: 'q', in: 'query' }] }] },
    })
  })
  afterAll(async () => {
    await it.service.stop()
  })
  const set = (body: object) => it.as('ann')(gatewayPositiveApi.setPositive, { params: it.params, body })
  const show = () => it.as('eva')(gatewayPositiveApi.positive, { params: it.params })
  const preview = (change: object) => it.as('eva')(gatewayPositiveApi.preview, { params: it.params, body: { change } })
  const checks = {
    unknownOperation: 'block',
    method: 'block',
    parameters: 'block',
    undeclaredQuery: 'log',
    contentType: 'block',
    body: 'block',
    security: 'log',
  }
  const logged = Object.fromEntries(Object.keys(checks).map((name) => [name, 'log']))

  test('what cannot be compared is refused by name', async () => {
    expect(await show()).toEqual({
      policyVersion: 1,
      positive: null,
      effective: null,
      projectSlug: null,
      bound: null,
      problem: null,
    })
    const reason = async (body: object) => {
      try {
        await set(body)
        return 'stored'
      } catch (error) {
        const { code, detail } = error as { code: string; detail: { reason?: string } }
        return [code, detail.reason]
      }
    }
    expect([
      await codeOf(set({ mode: 'log' })),
      await codeOf(set({ projectId: 'nothing' })),
      await reason({ projectId: 'pets', version: '3.0.0' }),
      await reason({ projectId: 'pets', version: '1.0.1' }),
    ]).toEqual([
      'positive-unbound',
      'project-not-found',
      ['positive-version-unusable', 'it is a draft'],
      ['positive-version-unusable', 'the project has no such version, but 1.0.0'],
    ])
  })

  test('a binding logs at first, is versioned and audited; a check that is weakened needs another person', async () => {
    const bound = await set({ projectId: 'pets', version: 'production', stripPrefix: '/api/', reason: 'Trial' })
    expect(bound).toMatchObject({
      positive: { projectId, version: 'production', mode: 'log', checks, stripPrefix: '/api' },
      effective: logged,
      projectSlug: 'pets',
      bound: { label: '1.0.0', status: 'published', operations: 1 },
      problem: null,
      narrowing: null,
      policyVersion: 2,
      changed: true,
    })
    expect((await set({ mode: 'block' })).effective).toEqual(checks as typeof bound.effective)
    expect(await codeOf(set({ checks: { body: 'log' } }))).toBe('approval-required')
    expect((await set({ checks: { body: 'log' }, dryRun: true })).changes).toEqual([
      {
        setting: 'positive/body',
        sentence: 'The check body of requests against the document changes from block to log.',
        risk: 'The check body is weakened.',
      },
    ])
    const { rows } = await it.as('eva')(gatewayRecordsApi.audit, { params: it.params })
    expect(rows.slice(0, 3).map(({ action, reason, policyVersion }) => [action, reason, policyVersion])).toEqual([
      ['approval.requested', null, 3],
      ['positive.set', null, 3],
      ['positive.set', 'Trial', 2],
    ])
    expect(rows[1]?.after).toEqual((await show()).positive)
  })

  test('several writes are tried together, with the requests that another version refuses and who sends them', async () => {
    const event = {
      at: new Date().toISOString(),
      action: 'block',
      ruleRef: 'crs:942100',
      groupId: 'sqli',
      method: 'GET',
      route: '/pets',
      score: { inbound: 5, threshold: 5, detection: 2 },
      matches: [{ ruleRef: 'crs:942100', groupId: 'sqli', paranoia: 1, severity: 'critical', field: 'query:q' }],
      policyVersion: 3,
    }
    const violation = { ruleRef: 'positive:parameters', field: 'query:q' }
    await record(it, [
      { ...event, id: 'e1', count: 4 },
      {
        ...event,
        id: 'e2',
        action: 'log',
        ruleRef: 'positive:security',
        groupId: undefined,
        score: { inbound: 0, threshold: 5, detection: 2 },
        matches: [{ ruleRef: 'positive:security' }],
      },
      {
        ...event,
        id: 'e3',
        ruleRef: 'positive:parameters',
        groupId: undefined,
        score: undefined,
        matches: [violation],
      },
    ])
    const { policyVersion, changes, narrowing, approvalRequired, ...found } = await preview({
      managedGroups: [{ id: 'sqli', mode: 'log', reason: 'Trial' }],
      positive: { checks: { security: 'block' } },
    })
    expect({ policyVersion, narrowing, approvalRequired }).toEqual({
      policyVersion: 3,
      narrowing: null,
      approvalRequired: true,
    })
    expect(changes.map(({ setting }) => setting)).toEqual(['groups/sqli', 'positive/security'])
    // "production" is bound to a version, which imported events do not name: that is unknown.
    expect([found.considered, found.newlyAllowed, found.unknown, found.unchanged]).toEqual([6, 0, 6, 0])

    const other = await preview({ positive: { version: '2.0.0-beta' } })
    expect(other.narrowing).toEqual({
      from: '1.0.0',
      to: '2.0.0-beta',
      total: 1,
      changes: [
        {
          id: 'schema-max-length-decreased',
          method: 'GET',
          path: '/pets',
          message: expect.stringContaining('10') as string,
          classification: 'breaking',
          consumers: ['shop'],
        },
      ],
      consumers: ['shop'],
    })
    expect((await show()).policyVersion).toBe(3)

    const exception = {
      scope: { route: '/pets', field: 'query:q' },
      target: { groups: ['sqli'] },
      reason: 'Names',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const all = await preview({
      presets: { threshold: 50 },
      rules: [{ action: 'block', expression: 'http.path starts "/admin"' }],
      exceptions: [exception],
      positive: { mode: 'off' },
    })
    expect(all.changes.map(({ setting }) => setting.split('/')[0])).toEqual([
      'presets',
      'rules',
      'exceptions',
      ...Array.from({ length: 7 }, () => 'positive'),
    ])
    expect([
      await codeOf(preview({ rules: [{ ruleId: 'nothing', remove: true }] })),
      await codeOf(preview({ rules: [{ action: 'block', expression: 'http.path starts "/"' }] })),
      await codeOf(preview({ removeExceptions: ['nothing'] })),
      await codeOf(preview({ managedGroups: [{ id: 'sqli', mode: 'off' }] })),
    ]).toEqual(['rule-not-found', 'rule-matches-all', 'exception-not-found', 'managed-off-without-reason'])
  })

  test('publishing names the clients that the gateways of the project would refuse', async () => {
    await it.as('ann')(versionsApi.create, { params: project, body: { label: '4.0.0', content: document('4.0.0', 5) } })
    await it.as('ann')(versionsApi.create, { params: project, body: { label: '0.9.0', content: document('0.9.0', 5) } })
    const gate = async (label: string) => {
      const { gates } = await it.as('ann')(versionsApi.readiness, { params: { ...project, version_ref: label } })
      const { status, message } = gates.find(({ id }) => id === 'gateway-impact') ?? {}
      return [status, message]
    }
    const text =
      '"Production" refuses requests with 4.0.0 that it accepts with 1.0.0: 1 change narrows them. Consumers that are touched: shop.'
    expect([await gate('4.0.0'), await gate('0.9.0')]).toEqual([
      ['warn', expect.stringContaining(text) as string],
      // A version of an older line is not what production means.
      ['pass', 'Gateways accept every request that they accept now.'],
    ])
  })

  test('a check that is weakened is applied by the service once it is approved', async () => {
    let wanted = { changeDigest: '', approvalId: '' }
    await set({ checks: { method: 'log' } }).catch((error: { detail: typeof wanted }) => (wanted = error.detail))
    const { changeDigest, approvalId } = wanted
    await it.as('ben')(gatewayRecordsApi.approve, { params: it.params, body: { changeDigest } })
    const params = { ...it.params, approval_id: approvalId }
    const { approval } = await it.as('ann')(gatewayRecordsApi.applyApproval, { params, body: { changeDigest } })
    expect([approval.operation, approval.state]).toEqual(['PUT /security/positive', 'used'])
    expect((await show()).effective?.method).toBe('log')
  })

  // The hooks of the database run before those of the group: there it would be too late to look.
  test('nothing failed beside what was asked', () => {
    expect(it.faults).toEqual([])
  })
})
