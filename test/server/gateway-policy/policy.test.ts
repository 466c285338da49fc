/** Environments and policies over the contract: versions, presets, groups, rules, exceptions. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { groupIds } from '../../../src/gateway-policy/catalogue.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, record, type GatewayService } from '../../fixtures/gateway.ts'

const soon = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

onBothEngines('policies', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), false)
  })
  afterAll(async () => {
    expect(it.faults).toEqual([])
    await it.service.stop()
  })
  const presets = (body: object) => it.as('ann')(gatewayApi.setPresets, { params: it.params, body })
  const group = (group_id: string, body: object) =>
    it.as('ann')(gatewayApi.setManagedGroup, { params: { ...it.params, group_id }, body: body as { mode: null } })
  const rule = (body: object) =>
    it.as('ann')(gatewayApi.createRule, { params: it.params, body: { name: 'Rule', action: 'block', ...body } })
  const exception = (body: object) =>
    it.as('ann')(gatewayApi.createException, {
      params: it.params,
      body: {
        scope: { route: '/search', field: 'query:q' },
        target: { groups: ['sqli'] },
        reason: 'Names with apostrophes',
        expiresAt: soon(12),
        ...body,
      },
    })

  test('environments: created, listed, changed, found by slug, deleted', async () => {
    const ann = it.as('ann')
    await ann(projectsApi.create, { params: { tenant_slug: it.tenant }, body: { name: 'Pets', slug: 'pets' } })
    const made = await ann(environmentsApi.create, {
      body: {
        name: 'Staging lane',
        project_ids: ['pets'],
        hostnames: ['API.example.com', 'api.example.com'],
        base_paths: ['/v1'],
      },
    })
    expect(made).toMatchObject({
      slug: 'staging-lane',
      kind: 'other',
      hostnames: ['api.example.com'],
      base_paths: ['/v1'],
      tier: 'standard',
      policy_version: 1,
      approvals: { required: true, approvers_min: 1 },
      enforcers: { total: 0, current: 0, behind: 0, silent: 0 },
    })
    expect(made.project_ids).toHaveLength(1)
    const again = await ann(environmentsApi.create, { body: { name: 'Staging lane', approvals: { required: false } } })
    expect(again.slug).toBe('staging-lane-2')
    expect([
      await codeOf(ann(environmentsApi.create, { body: { name: 'X', slug: 'staging-lane' } })),
      await codeOf(ann(environmentsApi.create, { body: { name: 'X', project_ids: ['nothing'] } })),
      await codeOf(
        ann(environmentsApi.create, { body: { name: 'X', approvals: { required: true, approvers_min: 3 } } }),
      ),
      await codeOf(ann(environmentsApi.get, { params: { environment_id: 'nothing' } })),
    ]).toEqual(['environment-slug-taken', 'project-not-found', 'approvals-need-people', 'environment-not-found'])
    const lane = { environment_id: 'staging-lane-2' }
    const changed = await ann(environmentsApi.update, { params: lane, body: { name: 'Trial', kind: 'development' } })
    expect(changed).toMatchObject({ name: 'Trial', kind: 'development', slug: 'staging-lane-2' })
    const listed = await it.as('eva')(environmentsApi.list, {})
    expect(listed.environments.map(({ name }) => name)).toEqual(['Production', 'Staging lane', 'Trial'])
    await ann(environmentsApi.remove, { params: lane })
    expect(await codeOf(ann(environmentsApi.get, { params: lane }))).toBe('environment-not-found')
    expect((await it.as('eva')(environmentsApi.list, {})).total).toBe(2)
  })

  test('who may do what, and which organization is meant', async () => {
    const { params } = it
    const send = async (path: string, init: RequestInit = {}) => {
      const headers = { 'x-api-key': it.key, 'content-type': 'application/json' }
      const response = await it.service.handle(
        new Request(`http://localhost/v1/slate/environments${path}`, { headers, ...init }),
      )
      return [response.status, ((await response.json()) as { detail?: { code?: string } }).detail?.code]
    }
    const lane = `/${params.environment_id}/security`
    expect([
      await codeOf(it.as('vic')(gatewayApi.get, { params })),
      await codeOf(it.as('eva')(gatewayApi.setPresets, { params, body: { bot: 'off' } })),
      await send(`${lane}?tenantSlug=somewhere-else`),
      await send(`${lane}/approvals`, { method: 'POST', body: '{"changeDigest":"x"}' }),
      await send(`${lane}/presets`, { method: 'PUT', body: '{"bot":"log","dryRun":true}' }),
    ]).toEqual(['permission-denied', 'permission-denied', [200, undefined], [403, 'person-required'], [200, undefined]])
    const { db } = it.service.deps
    const second = await addTenant(db, 'second')
    const both = await addUser(db, 'both')
    await addMember(db, it.tenantId, both, 'admin')
    await addMember(db, second, both, 'admin')
    const call = it.service.callAs(both)
    const total = async (tenantSlug?: string) =>
      codeOf(
        call(environmentsApi.list, { query: tenantSlug === undefined ? {} : { tenantSlug } }).then((one) => one.total),
      )
    expect([await total(), await total(it.tenant), await total('second'), await total('nowhere')]).toEqual([
      'tenant-unnamed',
      2,
      0,
      'tenant-access-denied',
    ])
  })

  test('presets: each write is a version, the same again is not one', async () => {
    const first = await policyOf(it)
    expect(first).toMatchObject({ policyVersion: 1, presets: { tier: 'standard', bot: 'log', rate: null } })
    expect(first.managedGroups.map(({ id }) => id)).toEqual([...groupIds])
    expect(first.enforces.filter(({ state }) => state !== 'unknown')).toEqual([])
    const set = await presets({ tier: 'strict', rate: { limit: 100, windowSeconds: 60 }, reason: 'Attack' })
    expect(set).toMatchObject({
      policyVersion: 2,
      changed: true,
      dryRun: false,
      approvalRequired: false,
      preview: null,
      changes: [
        { setting: 'presets/tier', sentence: 'The tier changes from standard to strict.', risk: null },
        { setting: 'presets/rate' },
      ],
      presets: {
        tier: 'strict',
        rate: { limit: 100, windowSeconds: 60, key: 'ip' },
        reasons: { tier: 'Attack', rate: 'Attack' },
        levels: { blocking: 2, detection: 3, threshold: 5 },
      },
    })
    expect(set.digest).not.toBe(first.digest)
    expect(await presets({ tier: 'strict', reason: 'Attack' })).toMatchObject({
      policyVersion: 2,
      changed: false,
      digest: set.digest,
    })
    const tried = await presets({ tier: 'basic', dryRun: true })
    expect(tried).toMatchObject({ policyVersion: 2, changed: true, dryRun: true, preview: { events: 0 } })
    expect((await policyOf(it)).policyVersion).toBe(2)
    expect([
      await codeOf(presets({ tier: 'off' })),
      await codeOf(presets({ tier: 'off', reason: ' ' })),
      await codeOf(presets({ tier: 'basic', expectedPolicyVersion: 1 })),
    ]).toEqual(['managed-off-without-reason', 'managed-off-without-reason', 'policy-version-conflict'])
    expect((await presets({ rate: null, expectedPolicyVersion: 2 })).policyVersion).toBe(3)
  })

  test('managed groups: effective mode beside the default, reasons for what does not block', async () => {
    expect([
      await codeOf(group('sqli', { mode: 'off' })),
      await codeOf(group('sqli', { mode: 'log', reason: '' })),
      await codeOf(group('sql', { mode: null })),
    ]).toEqual(['managed-off-without-reason', 'managed-off-without-reason', 'group-unknown'])
    const { group: php } = await group('php', { mode: 'off', reason: 'No PHP here' })
    expect(php).toMatchObject({
      id: 'php',
      mode: 'off',
      effective: 'off',
      catalogDefault: 'block',
      reason: 'No PHP here',
      because: 'It was set to off: No PHP here.',
      rules: 0,
    })
    const { groups } = await it.as('eva')(gatewayApi.managedGroups, { params: it.params })
    expect(groups.find(({ id }) => id === 'sqli')).toMatchObject({ mode: null, effective: 'block', rules: 51 })
    expect((await group('php', { mode: null })).group).toMatchObject({ mode: null, effective: 'block', reason: null })
  })

  test('rules: text and tree agree, unsafe ones are refused by name, removal is undone', async () => {
    const text = 'http.path starts "/admin" and not ip.src cidr ["10.0.0.0/8"]'
    const made = await rule({ name: 'Admin', expression: text, reason: 'Not public' })
    expect(made.rule).toMatchObject({
      expressionText: text,
      expression: {
        and: [
          { field: 'http.path', op: 'starts', value: '/admin' },
          { not: { field: 'ip.src', op: 'cidr', value: ['10.0.0.0/8'] } },
        ],
      },
      order: 10,
      version: 1,
      removedAt: null,
    })
    expect((await rule({ expression: made.rule.expression, dryRun: true })).rule.expressionText).toBe(text)
    const refusals: Record<string, object> = {
      'rule-matches-all': { expression: 'http.path starts "/"' },
      'rule-allow-unscoped': { action: 'allow', expression: 'http.method eq "GET"' },
      'rule-skip-all-managed': { action: 'skip', expression: 'http.path eq "/a"' },
      'rule-cidr-any': { expression: 'ip.src cidr ["0.0.0.0/1", "128.0.0.0/1"] and http.path eq "/a"' },
      'rule-untrusted-forwarded-ip': { expression: 'http.header.x-forwarded-for contains "10."' },
      'rule-regex-unsafe': { expression: 'http.path matches "(a+)+$"' },
      'rule-reads-credential': { expression: 'http.header.authorization contains "a"' },
      'rule-blocks-health': { expression: 'http.path eq "/healthz"' },
      'rule-challenge-on-api': { action: 'challenge', expression: 'http.path eq "/a"' },
      'rule-expression-too-long': { expression: `http.path eq "${'a'.repeat(4096)}"` },
      'rule-too-complex': { expression: Array.from({ length: 65 }, (_, n) => `http.path eq "/${n}"`).join(' or ') },
      'rule-expression-invalid': { expression: 'http.path is "/a"' },
      'rule-invalid': { action: 'rate-limit', expression: 'http.path eq "/a"' },
    }
    for (const [code, body] of Object.entries(refusals)) expect([code, await codeOf(rule(body))]).toEqual([code, code])
    const path = { ...it.params, rule_id: made.rule.id }
    const ann = it.as('ann')
    expect(
      await codeOf(ann(gatewayApi.updateRule, { params: path, body: { expression: 'http.path starts "/"' } })),
    ).toBe('rule-matches-all')
    const changed = await ann(gatewayApi.updateRule, { params: path, body: { enabled: false } })
    expect(changed.rule).toMatchObject({ enabled: false, version: 2, name: 'Admin', expressionText: text })
    const removed = await ann(gatewayApi.removeRule, { params: path })
    expect(removed.rule.removedAt).not.toBe(null)
    const without = await policyOf(it)
    expect([without.rules.length, without.removedRules.map(({ name }) => name)]).toEqual([0, ['Admin']])
    expect(await codeOf(ann(gatewayApi.removeRule, { params: path }))).toBe('rule-not-found')
    const back = await ann(gatewayApi.restoreRule, { params: path })
    expect(back.rule).toEqual({ ...changed.rule, removedAt: null })
    expect(await codeOf(ann(gatewayApi.restoreRule, { params: path }))).toBe('rule-not-found')
    expect((await policyOf(it)).removedRules).toEqual([])
    const invalid = await it.ask(`/v1/slate/environments/production/security/rules`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', action: 'block', expression: 'http.path eq "/a"\n and nothing' }),
    })
    expect([invalid.status, await invalid.json()]).toMatchObject([
      422,
      { detail: { code: 'rule-expression-invalid', line: '2', column: '6' } },
    ])
  })

  test('a rule is tried on recorded events before it is stored', async () => {
    const at = new Date().toISOString()
    const { policyVersion } = await policyOf(it)
    const place = { route: '/search', method: 'GET', policyVersion }
    const event = { at, action: 'log', ruleRef: 'crs:942100', groupId: 'sqli', ...place }
    await record(it, [
      { ...event, id: 'a', client: { ip: '203.0.113.9' }, count: 3 },
      { ...event, id: 'b', client: { ip: '198.51.100.7' } },
      { ...event, id: 'c' },
    ])
    const tried = await it.as('eva')(gatewayApi.previewRule, {
      params: it.params,
      body: { action: 'block', expression: 'ip.src cidr "203.0.113.0/24"' },
    })
    expect(tried).toMatchObject({
      expressionText: 'ip.src cidr ["203.0.113.0/24"]',
      refusals: [],
      warnings: [],
      approvalRequired: false,
      matching: { yes: 3, no: 1, unknown: 1 },
      preview: { events: 3, considered: 5, reached: 4, newlyBlocked: 3, newlyAllowed: 0, unchanged: 1, unknown: 1 },
    })
    const unsafe = await it.as('eva')(gatewayApi.previewRule, {
      params: it.params,
      body: { action: 'block', expression: 'http.method eq "GET" and http.method eq "POST"' },
    })
    expect([unsafe.refusals, unsafe.warnings]).toEqual([[], ['No request can meet the expression.']])
  })

  test('exceptions: bounded, scoped, listed with what they let through after their end', async () => {
    const made = await exception({})
    expect(made.exception).toMatchObject({
      scope: { route: '/search', path: null, method: null, field: 'query:q' },
      target: { groups: ['sqli'], ruleRefs: [] },
      state: 'active',
      policyVersion: made.policyVersion,
      hits: { active: 0, sinceExpiry: 0 },
    })
    expect([
      await codeOf(exception({ expiresAt: null })),
      await codeOf(exception({ expiresAt: soon(721) })),
      await codeOf(exception({ scope: { method: 'GET' } })),
      await codeOf(exception({ target: { groups: [...groupIds] } })),
      await codeOf(exception({ scope: { path: 'search' } })),
      await codeOf(exception({ target: { ruleRefs: ['rule:nothing'] } })),
    ]).toEqual([
      'exception-unbounded',
      'exception-too-long',
      'exception-unscoped',
      'exception-unscoped',
      'exception-invalid',
      'rule-not-found',
    ])
    const { id } = made.exception
    const at = new Date().toISOString()
    await record(it, [
      { at, id: 'through', action: 'exempt', ruleRef: 'crs:942100', route: '/search', exceptionIds: [id], count: 4 },
    ])
    const remove = (expectedPolicyVersion: number, dryRun = false) =>
      it.as('ann')(gatewayApi.removeException, {
        params: { ...it.params, exception_id: id },
        query: { expectedPolicyVersion, dryRun },
      })
    expect(await codeOf(remove(1))).toBe('policy-version-conflict')
    expect(await remove(made.policyVersion, true)).toMatchObject({ dryRun: true, exception: { state: 'removed' } })
    const removed = await remove(made.policyVersion)
    expect(removed).toMatchObject({ policyVersion: made.policyVersion + 1, exception: { state: 'removed' } })
    expect(await codeOf(remove(removed.policyVersion))).toBe('exception-not-found')
    const match = { ruleRef: 'crs:942100', groupId: 'sqli', field: 'query:q', value: "O'Brien" }
    const later = new Date(Date.now() + 1000).toISOString()
    await record(it, [
      { at: later, id: 'after', action: 'block', ruleRef: 'crs:942100', route: '/search', matches: [match], count: 2 },
    ])
    const listed = await it.as('eva')(gatewayApi.exceptions, { params: it.params, query: { include_expired: true } })
    expect(listed.exceptions.map(({ state, hits }) => [state, hits])).toEqual([
      ['removed', { active: 4, sinceExpiry: 2 }],
    ])
    expect((await it.as('eva')(gatewayApi.exceptions, { params: it.params })).exceptions).toEqual([])
  })

  test('versions: kept, compared, restored as a new one', async () => {
    const now = await policyOf(it)
    const list = (query: object = {}) => it.as('eva')(gatewayApi.policyVersions, { params: it.params, query })
    const { versions, total, comparison } = await list({ from: 1, to: 2 })
    expect([total, versions.map(({ version }) => version)]).toEqual([
      now.policyVersion,
      Array.from({ length: now.policyVersion }, (_, index) => now.policyVersion - index),
    ])
    expect(versions.at(-1)).toMatchObject({ changes: ['The environment was created.'], createdByName: 'ann' })
    expect(comparison?.changes.map(({ setting }) => setting)).toEqual(['presets/tier', 'presets/rate'])
    expect(await codeOf(list({ from: 1, to: 999 }))).toBe('security-version-not-found')
    const restore = (version: number, body: object = {}) =>
      it.as('ann')(gatewayApi.restorePolicyVersion, { params: { ...it.params, version }, body })
    expect(await codeOf(restore(999))).toBe('security-version-not-found')
    const tried = await restore(1, { dryRun: true })
    expect(tried.changes.map(({ setting }) => setting.split('/')[0])).toEqual(['presets', 'rules'])
    const done = await restore(1)
    expect(done).toMatchObject({
      restoredFrom: 1,
      policyVersion: now.policyVersion + 1,
      digest: versions.at(-1)?.digest,
    })
    const after = await policyOf(it)
    expect([after.presets.tier, after.rules.length, after.removedRules.length]).toEqual(['standard', 0, 1])
    expect((await list({ limit: 1 })).versions[0]).toMatchObject({ restoredFrom: 1, version: now.policyVersion + 1 })
    const again = await restore(now.policyVersion)
    expect([again.digest, (await policyOf(it)).rules.map(({ name }) => name)]).toEqual([now.digest, ['Admin']])
  })
})
