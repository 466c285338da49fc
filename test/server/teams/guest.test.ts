/** What a guest with a role on one project gets from every operation: nothing of another project of the organization. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq, ne } from 'drizzle-orm'
import {
  apiKeys,
  consumers,
  environments,
  invitations,
  jobs,
  linkedAccounts,
  mcpEndpoints,
  memberships,
  primitives,
  projectGrants,
  projects,
  projectViews,
  repositories,
  styleGuides,
  teamMembers,
  teams,
  trusts,
  versions,
  webhookSubscriptions,
} from '../../../db/tables.gen.ts'
import { beginSession } from '../../../server/auth/session.ts'
import { changeReportsApi } from '../../../src/api/change-reports.ts'
import { consumersApi } from '../../../src/api/consumers.ts'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { projectWayOf } from '../../../src/api/project-access.ts'
import { projectAccessApi } from '../../../src/api/teams.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { bodyOf, idPositions, plantOrganization, withAt } from '../../fixtures/planted-organization.ts'
import { startService, type TestService } from '../../fixtures/service.ts'
import { document, queries, secret } from '../../fixtures/tenancy-inputs.ts'

setDefaultTimeout(60_000)

const placeholdersIn = ({ path }: Endpoint): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const fill = ({ path }: Endpoint, valueOf: (name: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))

/** Operations that answer with what names no project, whatever they are asked for. */
const ofNoProject = new Set(['diff.rule', 'llms.index', 'portal.robots'])

onBothEngines('guests', (makeDb) => {
  let it: TestService
  let values: Record<string, readonly string[]>
  let own: Record<string, string>
  let headers: Record<string, string>
  let inBrowser: Record<string, string>
  /** What only those see who see the other project. */
  let hidden: readonly string[]

  /** What the guest must not change. */
  const snapshot = async (): Promise<string> => {
    const { read } = it.service.deps.db
    const rows = await Promise.all([
      read
        .select()
        .from(projects)
        .where(ne(projects.id, own['project_id'] ?? '')),
      read
        .select()
        .from(versions)
        .where(ne(versions.projectId, own['project_id'] ?? '')),
      read
        .select()
        .from(consumers)
        .where(ne(consumers.projectId, own['project_id'] ?? '')),
      read
        .select()
        .from(projectGrants)
        .where(ne(projectGrants.projectId, own['project_id'] ?? '')),
      read.select().from(memberships),
      read.select().from(teams),
      read.select().from(teamMembers),
      read.select().from(styleGuides),
      read.select().from(primitives),
      read.select().from(environments),
    ])
    const counted = [apiKeys, invitations, linkedAccounts, mcpEndpoints, projectViews, repositories, trusts] as const
    const counts = await Promise.all(counted.map((table) => read.$count(table)))
    const more = [await read.$count(webhookSubscriptions), await read.$count(jobs, eq(jobs.kind, 'import'))]
    return JSON.stringify([rows, counts, more])
  }

  const ask = async (endpoint: Endpoint, target: string, body: unknown) => {
    const credentials = endpoint.path.startsWith('/_app') ? inBrowser : headers
    const request = new Request(`http://localhost${target}`, {
      method: endpoint.method,
      headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const response = await it.service.handle(request)
    const text = await response.text()
    // What the guest said themselves may come back.
    const said = `${decodeURIComponent(target)} ${JSON.stringify(body ?? '')}`
    const shown = hidden.filter((word) => text.includes(word) && !said.includes(word))
    return { status: response.status, text, shown }
  }

  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db)
    const planted = await plantOrganization(it)
    values = planted.values
    hidden = [
      secret,
      'tripes',
      'triped',
      ...['project_id', 'version_id', 'consumer_ref'].flatMap((name) => values[name]?.[1] ?? []),
    ]
    const params = { tenant_slug: it.tenant }
    // The texts that the organization puts in change reports are in those of every project.
    await it.call(changeReportsApi.dropDefault, { params })
    const source = {
      kind: 'inline' as const,
      name: 'own.yaml',
      content: document.replaceAll(secret, 'own').replaceAll('Striped', 'Own'),
    }
    const begun = await it.call(importsApi.create, {
      params,
      body: { source, project_slug: 'own', publish: 'private' },
    })
    const { result } = await it.call(importsApi.get, { params: { job_id: begun.job_id }, query: { wait: 30 } })
    const project = { ...params, project_ref: 'own' }
    const consumer = await it.call(consumersApi.create, { params: project, body: { name: 'Own App' } })
    await it.call(versionsApi.create, { params: project, body: { label: '1.1.0', content: source.content } })
    const greta = await addUser(db, 'greta')
    await addMember(db, planted.tenantId, greta, 'guest')
    await it.call(projectAccessApi.grant, { params: project, body: { user_id: greta, role: 'owner' } })
    const { token } = await it.service.identity.tokens.issue(greta)
    headers = { authorization: `Bearer ${token}` }
    const session = await db.inTransaction((tx) =>
      beginSession(tx, { userId: greta, userAgent: '', now: Date.now(), secure: false }),
    )
    inBrowser = { cookie: session.cookie.split(';')[0] ?? '', 'x-csrf-token': session.csrf }
    own = {
      tenant_slug: it.tenant,
      project_ref: 'own',
      project_slug: 'own',
      project_id: result?.project_id ?? '',
      version_ref: '1.0.0',
      version_id: result?.version_id ?? '',
      version_record_id: result?.version_id ?? '',
      version_slug: '1.0.0',
      consumer_ref: consumer.handle,
      class_name: 'Own',
      part_name: 'index',
      badge_kind: 'version.svg',
      rule_id: 'operation-tags',
      group_id: 'sqli',
    }
  })
  afterAll(() => it.service.stop())

  test('sees the own project: what the next tests look for can be found', async () => {
    let seen = 0
    for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
      if (placeholdersIn(endpoint).some((name) => own[name] === undefined)) continue
      const { status, text } = await ask(
        endpoint,
        fill(endpoint, (name) => own[name] ?? '') + (queries[endpoint.id] ?? ''),
        undefined,
      )
      if (status === 200 && /\bown\b/i.test(text)) seen++
    }
    expect(seen).toBeGreaterThanOrEqual(25)
  })

  test('of another project of the organization everything is not found, and nothing is changed', async () => {
    const before = await snapshot()
    const wrong: string[] = []
    for (const endpoint of endpoints) {
      const names = placeholdersIn(endpoint).filter((name) => name !== 'tenant_slug')
      const most = Math.max(1, ...names.map((name) => values[name]?.length ?? 0))
      for (let turn = 0; turn < most; turn++) {
        const target = fill(endpoint, (name) =>
          name === 'tenant_slug' ? it.tenant : (values[name]?.[turn % (values[name]?.length ?? 1)] ?? ''),
        )
        const { status, text, shown } = await ask(endpoint, target + (queries[endpoint.id] ?? ''), bodyOf(endpoint))
        const line = `${endpoint.method} ${target} ${status}`
        if (status >= 500) wrong.push(`${line} ${text}`)
        if (shown.length > 0) wrong.push(`${line} shows ${shown.join(' ')}: ${text.slice(0, 300)}`)
        const isNamed = names.length > 0 && !ofNoProject.has(endpoint.id)
        if (isNamed && ![401, 403, 404].includes(status)) wrong.push(line)
        // A project that is there answers as one that is not.
        if (projectWayOf(endpoint) !== 'project') continue
        const nowhere = fill(endpoint, (name) => (name === 'tenant_slug' ? it.tenant : 'nowhere'))
        const there = fill(endpoint, (name) => {
          if (name === 'tenant_slug') return it.tenant
          return name.startsWith('project_') ? 'stripes' : 'nowhere'
        })
        const [none, other] = [
          await ask(endpoint, nowhere, bodyOf(endpoint)),
          await ask(endpoint, there, bodyOf(endpoint)),
        ]
        if (none.status !== other.status || none.text !== other.text.replaceAll('stripes', 'nowhere'))
          wrong.push(`${line} tells: ${none.text} ${other.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(it.faults).toEqual([])
    expect(await snapshot()).toBe(before)
  }, 180_000)

  test('an id of another project beside the own one reaches nothing', async () => {
    const foreign = [...new Set(Object.values(values).flat())].filter((one) =>
      /^[0-9a-f]{8}-|^[0-9a-z]{20,}$/i.test(one),
    )
    const before = await snapshot()
    const wrong: string[] = []
    let asked = 0
    for (const endpoint of endpoints) {
      const names = placeholdersIn(endpoint)
      if (names.some((name) => own[name] === undefined && values[name] === undefined)) continue
      // One placeholder at a time is foreign, the others are the guest's.
      const targets = names
        .filter((name) => name !== 'tenant_slug' && !name.startsWith('project_'))
        .flatMap((name) =>
          (values[name] ?? []).map((value) =>
            fill(endpoint, (it) => (it === name ? value : (own[it] ?? values[it]?.[0] ?? ''))),
          ),
        )
      for (const target of endpoint.path.includes('{project_') ? targets : []) {
        const { status, text, shown } = await ask(endpoint, target, bodyOf(endpoint))
        asked++
        if (status >= 500) wrong.push(`${endpoint.method} ${target} ${status} ${text}`)
        if (shown.length > 0) wrong.push(`${endpoint.method} ${target} ${status} shows ${shown.join(' ')}`)
      }
      if (names.some((name) => own[name] === undefined)) continue
      const target = fill(endpoint, (name) => own[name] ?? '')
      const body = bodyOf(endpoint)
      for (const id of [...foreign, 'stripes']) {
        // Who owns a project gives roles on it to members by their ids, and sees the names of those.
        if (endpoint.id === 'project-access.grant' && values['user_id']?.includes(id)) continue
        const queried = idPositions(endpoint.query).map(([name]) => ({ query: `?${name}=${id}`, body }))
        const sent = idPositions(endpoint.body).map((path) => ({ query: '', body: withAt(body, path, id) }))
        for (const one of [...queried, ...sent]) {
          const { status, text, shown } = await ask(endpoint, target + one.query, one.body)
          asked++
          const line = `${endpoint.id} ${one.query} ${JSON.stringify(one.body ?? '').slice(0, 100)} ${status}`
          if (status >= 500) wrong.push(`${line} ${text}`)
          if (shown.length > 0) wrong.push(`${line} shows ${shown.join(' ')}: ${text.slice(0, 200)}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(it.faults).toEqual([])
    expect(asked).toBeGreaterThan(300)
    expect(await snapshot()).toBe(before)
  }, 180_000)
})
