/**
 * No operation answers across tenants: every operation is asked by strangers for what belongs to another tenant.
 * Longer than 400 lines: it makes a thing of every kind, which all operations are asked for together.
 */
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
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
  tenants,
  users,
  versions,
} from '../../db/tables.gen.ts'
import { startService, type TestService } from '../fixtures/service.ts'
import { endpoints } from '../../src/api/contracts.gen.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { changeReportsApi } from '../../src/api/change-reports.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { environmentsApi } from '../../src/api/environments.ts'
import { importsApi } from '../../src/api/imports.ts'
import { membersApi } from '../../src/api/members.ts'
import { notificationTargetsApi } from '../../src/api/notification-targets.ts'
import { projectViewsApi } from '../../src/api/project-views.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { reviewsApi } from '../../src/api/reviews.ts'
import { threadsApi } from '../../src/api/threads.ts'
import { trustsApi } from '../../src/api/trusts.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { webhooksApi } from '../../src/api/webhooks.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { addLane } from '../fixtures/gateway.ts'
import { bodies, document, queries, secret } from '../fixtures/tenancy-inputs.ts'
import {
  addAgentKey,
  addApiKey,
  addLinkedAccount,
  addMcpKey,
  addMember,
  addRepository,
  addTenant,
  addUser,
} from '../fixtures/accounts.ts'

// Every operation is asked by every kind of stranger.
setDefaultTimeout(60_000)

const bodyOf = ({ id, body }: Endpoint): unknown =>
  body === undefined ? undefined : (bodies[id] ?? Value.Create(body))

const isId =
  /(?:^|_|[a-z])(?:id|ids|ref|slug|project|version|guide|consumer|template|tenant|label|base|head)$|Id$|^as$/i

/** Where a schema takes what may be the id or the name of something. */
function idPositions(schema: TSchema | undefined, path: readonly string[] = []): (readonly string[])[] {
  const parts = (schema?.['anyOf'] ?? schema?.['allOf'] ?? []) as TSchema[]
  const properties = (schema?.['properties'] ?? {}) as Record<string, TSchema>
  return [
    ...parts.flatMap((it) => idPositions(it, path)),
    ...Object.entries(properties).flatMap(([name, it]) => [
      ...(isId.test(name) ? [[...path, name]] : []),
      ...idPositions(it, [...path, name]),
    ]),
  ]
}

/** A value with another one at a place in it. */
function withAt(value: unknown, [name, ...rest]: readonly string[], leaf: string): unknown {
  if (name === undefined) return leaf
  const whole = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return { ...whole, [name]: withAt(whole[name], rest, leaf) }
}

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
    const params = { tenant_slug: it.tenant }
    const source = { kind: 'inline' as const, name: secret, content: document }
    const named = { project_slug: 'stripes', project_name: secret }
    const overlay = {
      overlay: '1.0.0',
      info: { title: secret, version: '1' },
      actions: [{ target: '$.info', update: { description: secret } }],
    }
    const overlays = [{ name: 'overlay.json', content: JSON.stringify(overlay) }]
    let job = await it.call(importsApi.create, { params, body: { source, ...named, overlays, publish: 'private' } })
    job = await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    expect(job.status).toStartWith('completed')
    const [tenant] = await db.read.select().from(tenants)
    const tenantId = tenant?.id ?? ''
    const member = await addUser(db, secret)
    await addMember(db, tenantId, member, 'editor')
    await addApiKey(db, tenantId)
    await addAgentKey(db, tenantId)
    await addMcpKey(db, tenantId)
    const invited = { email: `${secret}@invited.example`, role: 'viewer' as const }
    const { id: invitation } = await it.call(membersApi.invite, { params, body: invited })
    const idOf = async (table: typeof apiKeys | typeof agentKeys | typeof mcpKeys) =>
      (await db.read.select({ id: table.id }).from(table))[0]?.id ?? ''
    const { id: guide } = await it.call(styleGuidesApi.create, { params, body: { name: secret } })
    const { id: pack } = await it.call(styleGuidesApi.createPolicyVersion, { params: { ...params, guide_id: guide } })
    const project = { ...params, project_ref: 'stripes' }
    const consumer = await it.call(consumersApi.create, {
      params: project,
      body: { name: 'Stripes App', owner: secret },
    })
    const use = { operations: [{ method: 'GET', path: `/${secret}` }] }
    await it.call(consumersApi.declare, { params: { ...project, consumer_ref: consumer.handle }, body: use })
    const primitive = await it.call(primitivesApi.create, {
      params,
      body: { namespace: 'stripes', name: 'Striped', schema: { description: secret } },
    })
    const typesImport = await it.call(primitivesApi.import, {
      params,
      body: { document: { $defs: { Imported: { title: secret } } }, namespace: 'stripes' },
    })
    // Of a network for documentation: nothing is sent anywhere.
    const hook = { url: `https://203.0.113.9/${secret}`, signingSecret: secret.repeat(3) }
    const { id: subscription } = await it.call(webhooksApi.create, { params, body: hook })
    const { id: delivery } = await it.call(webhooksApi.test, { params: { ...params, subscription_id: subscription } })
    const account = await addLinkedAccount(db, tenantId, { login: secret })
    const repository = await addRepository(db, tenantId, secret)
    const manifest = JSON.stringify({ tools: [{ name: secret, inputSchema: { type: 'object' } }] })
    const { endpoint: mcpServer } = await it.call(mcpServersApi.import, {
      params,
      body: { manifest, endpoint_url: `https://203.0.113.9/${secret}`, transport: 'sse' },
    })
    const draft = { ...project, version_ref: '1.1.0' }
    await it.call(versionsApi.create, { params: project, body: { label: '1.1.0', content: document } })
    const review = await it.call(reviewsApi.request, { params: draft, body: { reviewer_ids: [member], note: secret } })
    const thread = await it.call(threadsApi.open, { params: draft, body: { anchor: { pointer: '' }, body: secret } })
    const savedView = { name: 'Stripes', visibility: 'shared' as const, filter: { q: secret } }
    const view = await it.call(projectViewsApi.create, { params, body: savedView })
    const chat = await it.call(notificationTargetsApi.create, {
      params,
      body: { name: secret, service: 'slack', url: 'https://203.0.113.9/hook' },
    })
    const texts = { header: secret, body: secret, footnote: '' }
    const template = await it.call(changeReportsApi.addTemplate, { params, body: texts })
    const trust = await it.call(trustsApi.create, {
      params,
      body: {
        name: 'stripes-ci',
        issuer: 'https://203.0.113.9',
        audience: secret,
        conditions: { repository: `${secret}/specs` },
        scopes: ['catalog:read'],
      },
    })
    const lane = await addLane(it, secret)
    const { project_id: projectId = '', version_id: versionId = '' } = job.result ?? {}
    const imported = { ...params, project_slug: 'stripes', project_ref: 'stripes', version_ref: '1.0.0' }
    const { provenance } = await it.call(versionsApi.get, { params: imported })
    found = [tenantId]
    values = {
      project_ref: ['stripes', projectId],
      project_slug: ['stripes', projectId],
      version_ref: ['1.0.0', versionId, 'latest'],
      digest: [provenance.lineage?.overlays[0]?.digest ?? ''],
      version_id: ['1.0.0', versionId, 'latest'],
      version_record_id: ['1.0.0', versionId, 'latest'],
      template_version_id: [template.id],
      version_slug: ['1.0.0', versionId, 'latest'],
      class_name: ['Striped'],
      part_name: ['index'],
      operation_name: ['get-pets.md'],
      badge_kind: ['version.svg'],
      user_id: [member],
      key_id: [await idOf(apiKeys), await idOf(mcpKeys)],
      key: [await idOf(agentKeys)],
      invitation_id: [invitation],
      job_id: [job.job_id],
      project_id: ['stripes', projectId],
      guide_id: [guide],
      rule_id: ['operation-tags', lane.rule],
      environment_id: [lane.environment, 'lane'],
      group_id: ['sqli'],
      ...lane.values,
      version: ['1'],
      policy_version_id: [pack],
      subscription_id: [subscription],
      event_id: [delivery, lane.event],
      linked_account_id: [account],
      sign_in_id: [account],
      passkey_id: [account],
      resource_id: [account],
      token_id: [account],
      binding_id: [account],
      entry_id: [account],
      endpoint_id: [mcpServer.id],
      server_name: [`svc.local/${secret}`],
      server_version: ['latest'],
      provider: ['github'],
      token: [account],
      candidate_id: [account],
      repository_id: [repository],
      file_id: [Buffer.from(`main\n${secret}.yaml`).toString('base64url')],
      consumer_ref: ['stripes-app', consumer.id],
      primitive_id: [primitive.id],
      type_path: ['stripes/Striped'],
      import_id: [typesImport.import_id],
      revision: ['1'],
      trust: [trust.id, trust.name],
      view_ref: [view.id, savedView.name],
      target_id: [chat.id],
      type: ['version_published'],
      review_id: [review.id],
      thread_id: [thread.id],
      comment_id: [thread.comments[0]?.id ?? ''],
    }
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
