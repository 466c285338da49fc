/**
 * No operation answers across tenants: every operation is asked by strangers for what belongs to another tenant.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { and, eq, isNotNull } from 'drizzle-orm'
import {
  agentKeys,
  apiKeys,
  changeReports,
  changeReportTemplates,
  compatEvidence,
  consumers,
  contents,
  contractRevisions,
  environments,
  invitations,
  jobs,
  linkedAccounts,
  mcpEndpoints,
  mcpManifests,
  repositories,
  mcpKeys,
  memberships,
  operations,
  policyPacks,
  primitiveEdges,
  primitiveImports,
  primitiveRevisions,
  primitives,
  projects,
  projectViews,
  auditEvents,
  securityPolicies,
  styleGuides,
  users,
  versions,
} from '../../db/tables.gen.ts'
import { startService, type TestService } from '../fixtures/service.ts'
import { endpoints } from '../../src/api/contracts.gen.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { environmentsApi } from '../../src/api/environments.ts'
import { importsApi } from '../../src/api/imports.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { bodyOf, idPositions, plantOrganization, withAt } from '../fixtures/planted-organization.ts'
import { document, queries, secret } from '../fixtures/tenancy-inputs.ts'
import { addAgentKey, addApiKey, addMcpKey, addMember, addTenant, addUser } from '../fixtures/accounts.ts'

// Every operation is asked by every kind of stranger.
setDefaultTimeout(60_000)

onBothEngines('tenancy', (makeDb) => {
  let it: TestService
  let values: Record<string, readonly string[]>
  let strangers: Record<string, Record<string, string>>
  let found: readonly string[]

  const snapshot = async (): Promise<string> => {
    const { read } = it.service.deps.db
    const own = async (table: typeof projects | typeof versions | typeof memberships | typeof styleGuides) =>
      read
        .select()
        .from(table)
        .where(eq(table.tenantId, found[0] ?? ''))
    const rest = [
      changeReports,
      changeReportTemplates,
      compatEvidence,
      consumers,
      contractRevisions,
      contents,
      operations,
      agentKeys,
      apiKeys,
      mcpKeys,
      invitations,
      jobs,
      linkedAccounts,
      mcpEndpoints,
      mcpManifests,
      repositories,
      policyPacks,
      primitives,
      primitiveEdges,
      primitiveImports,
      primitiveRevisions,
      environments,
      securityPolicies,
      projectViews,
    ] as const
    const rows = await Promise.all([own(projects), own(versions), own(memberships), own(styleGuides)])
    const counted = await Promise.all(rest.map((table) => read.$count(table, eq(table.tenantId, found[0] ?? ''))))
    const ofChains = and(eq(auditEvents.tenantId, found[0] ?? ''), isNotNull(auditEvents.environmentId))
    return JSON.stringify([rows, counted, await read.$count(auditEvents, ofChains)])
  }

  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db)
    const planted = await plantOrganization(it)
    found = [planted.tenantId]
    values = planted.values
    const other = await addTenant(db, 'other')
    const eve = await addUser(db, 'eve')
    await addMember(db, other, eve, 'owner')
    const { token } = await it.service.identity.tokens.issue(eve)
    strangers = {
      nobody: {},
      'a foreign Owner': { authorization: `Bearer ${token}` },
      'a foreign key': { 'x-api-key': await addApiKey(db, other) },
      'a foreign agent key': { 'x-api-key': await addAgentKey(db, other) },
      'a foreign MCP key': { 'x-api-key': await addMcpKey(db, other) },
    }
  })
  afterAll(() => it.service.stop())

  /** Every path of an operation with what belongs to the tenant put in, under its slug and under the stranger's. */
  function* targetsOf({ id, path }: Endpoint): Generator<string> {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'tenant_slug')
    for (const name of names)
      if (values[name] === undefined)
        throw new Error(`${id}: add a value of the other tenant for {${name}} to this test`)
    const most = Math.max(1, ...names.map((name) => values[name]?.length ?? 0))
    for (const slug of path.includes('{tenant_slug}') ? [it.tenant, 'other'] : ['']) {
      for (let turn = 0; turn < most; turn++) {
        const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(
            name === 'tenant_slug' ? slug : (values[name]?.[turn % (values[name]?.length ?? 1)] ?? ''),
          ),
        )
        yield target + (queries[id] ?? '')
      }
    }
  }

  test('its own key sees it: what the next test looks for can be found', async () => {
    const key = await addApiKey(it.service.deps.db, found[0] ?? '')
    let seen = 0
    for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
      const [target = ''] = targetsOf(endpoint)
      const request = new Request(`http://localhost${target}`, { headers: { 'x-api-key': key } })
      if ((await (await it.service.handle(request)).text()).includes(secret)) seen++
    }
    expect(seen).toBeGreaterThanOrEqual(10)
  })

  test('strangers see nothing, change nothing, and get not found', async () => {
    const before = await snapshot()
    const wrong: string[] = []
    let asked = 0
    for (const endpoint of endpoints) {
      const body = bodyOf(endpoint)
      const names = endpoint.path.match(/\{(?!tenant_slug|provider\})/g)?.length ?? 0
      for (const target of targetsOf(endpoint)) {
        for (const [name, headers] of Object.entries(strangers)) {
          const request = new Request(`http://localhost${target}`, {
            method: endpoint.method,
            headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
            body: body === undefined ? null : JSON.stringify(body),
          })
          const response = await it.service.handle(request)
          const text = await response.text()
          asked++
          const line = `${name}: ${endpoint.method} ${target} ${response.status}`
          if (text.includes(secret) && !JSON.stringify(body ?? '').includes(secret)) wrong.push(`${line} shows it`)
          // With something of the tenant in the path no answer may be a success, nor a complaint about the input.
          if (names > 0 && ![401, 403, 404].includes(response.status)) wrong.push(line)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(it.faults).toEqual([])
    expect(asked).toBeGreaterThan(endpoints.length * 5)
    expect(await snapshot()).toBe(before)
    expect(await it.service.deps.db.read.$count(users)).toBe(3)
  }, 180_000)

  /** What the stranger owns, by the names of placeholders, so that only one position at a time is foreign. */
  async function ownThings(tom: string): Promise<Record<string, string>> {
    const call = it.service.callAs(tom)
    const params = { tenant_slug: 'third' }
    const source = { kind: 'inline' as const, name: 'own.yaml', content: document.replaceAll(secret, 'own') }
    const body = { source, project_slug: 'own', publish: 'private' as const }
    const begun = await call(importsApi.create, { params, body })
    const { result } = await call(importsApi.get, { params: { job_id: begun.job_id }, query: { wait: 30 } })
    const { id: guide } = await call(styleGuidesApi.create, { params, body: { name: 'own' } })
    const { id: pack } = await call(styleGuidesApi.createPolicyVersion, { params: { ...params, guide_id: guide } })
    const project = { ...params, project_ref: 'own' }
    const consumer = await call(consumersApi.create, { params: project, body: { name: 'Own App' } })
    const { id: environment } = await call(environmentsApi.create, { body: { name: 'own' } })
    const version = result?.version_id ?? ''
    return {
      tenant_slug: 'third',
      project_ref: 'own',
      project_slug: 'own',
      project_id: 'own',
      version_ref: version,
      version_id: version,
      version_record_id: version,
      version_slug: version,
      consumer_ref: consumer.handle,
      guide_id: guide,
      policy_version_id: pack,
      class_name: 'Striped',
      part_name: 'index',
      operation_name: 'get-pets.md',
      badge_kind: 'version.svg',
      rule_id: 'operation-tags',
      environment_id: environment,
      group_id: 'sqli',
    }
  }

  test('an id of another tenant in the query or the body of an own request reaches nothing', async () => {
    const { db } = it.service.deps
    const third = await addTenant(db, 'third')
    const tom = await addUser(db, 'tom')
    await addMember(db, third, tom, 'owner')
    const own = await ownThings(tom)
    const { token } = await it.service.identity.tokens.issue(tom)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const foreign = [...new Set(Object.values(values).flat())].filter((it) => /^[0-9a-f]{8}-|^[0-9a-z]{20,}$/i.test(it))
    expect(foreign.length).toBeGreaterThanOrEqual(8)
    const before = await snapshot()
    const wrong: string[] = []
    let asked = 0
    for (const endpoint of endpoints) {
      const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      // Those of which the stranger has nothing were asked for in the path above.
      if (names.some((name) => own[name] === undefined)) continue
      const target = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(own[name] ?? ''))
      const body = bodyOf(endpoint)
      for (const id of foreign) {
        const queried = idPositions(endpoint.query).map(([name]) => ({
          at: `?${name}`,
          query: { [name ?? '']: id },
          body,
        }))
        const sent = idPositions(endpoint.body).map((path) => ({
          at: path.join('.'),
          query: {},
          body: withAt(body, path, id),
        }))
        for (const one of [...queried, ...sent]) {
          const query = new URLSearchParams(one.query).toString()
          const request = new Request(`http://localhost${target}${query === '' ? '' : `?${query}`}`, {
            method: endpoint.method,
            headers,
            body: one.body === undefined ? null : JSON.stringify(one.body),
          })
          const response = await it.service.handle(request)
          const text = await response.text()
          asked++
          const line = `${endpoint.id} ${one.at} ${response.status}`
          if (response.status >= 500) wrong.push(`${line} ${text}`)
          if (text.includes(secret) && !JSON.stringify(one.body ?? '').includes(secret)) wrong.push(`${line} shows it`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(it.faults).toEqual([])
    expect(asked).toBeGreaterThan(300)
    expect(await snapshot()).toBe(before)
  }, 180_000)
})
