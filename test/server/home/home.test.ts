/** The first page of an organization: what needs attention, counted for who may view it, without reading a document. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { recordAudit } from '../../../server/auth/door.ts'
import type { Database } from '../../../db/database.ts'
import { gatewayEnforcers } from '../../../db/tables.gen.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { type AttentionKind, homeApi } from '../../../src/api/home.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { addApiKey, addGatewayKey, addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const dayMs = 86_400_000
const pets = (version: string, sort: boolean) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version },
  paths: {
    '/pets': {
      get: {
        parameters: sort ? [{ name: 'sort', in: 'query', schema: { type: 'string' } }] : [],
        responses: { '200': { description: 'Pets' } },
      },
    },
  },
})
const place = { tenant_slug: 'local' }
const version = (label: string) => ({ params: { ...place, project_ref: 'pets', version_ref: label } })

onBothEngines('home', (makeDb) => {
  let db: Database
  let it: PetsProject
  let ann: string
  let vic: string
  const home = (only?: AttentionKind, call: Call = it.call) =>
    call(homeApi.show, { params: place, query: only === undefined ? {} : { only } })
  /** Home when no draft waits for its evaluation. */
  const settled = async (only?: AttentionKind, call: Call = it.call) => {
    for (;;) {
      const found = await home(only, call)
      if (found.pending === 0) return found
      await Bun.sleep(20)
    }
  }
  const send = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await it.send(method, path, body)
    expect([status < 300, text.slice(0, 200)]).toEqual([true, text.slice(0, 200)])
  }
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    ann = await addUser(db, 'ann')
    vic = await addUser(db, 'vic')
    await addMember(db, it.tenantId, ann, 'editor')
    await addMember(db, it.tenantId, vic, 'viewer')
  })
  afterAll(() => it.service.stop())

  test('an organization without anything: no card has an item, no step is done', async () => {
    const none = { count: 0, items: [] }
    const empty = await home()
    expect(empty).toEqual({
      attention: {
        blocked: none,
        breaking: none,
        grades: none,
        gateways: none,
        sunsets: none,
        keys: none,
      },
      pending: 0,
      counted: { at: empty.counted.at, projects: 1, unchecked: 0 },
      activity: [],
      drafts: [],
      projects: [{ project_slug: 'pets', project_name: 'Pets' }],
      // The fixture has a key.
      steps: { imported: false, guided: false, published: false, consumed: false, keyed: true, gated: false },
      has_projects: true,
      has_sample: false,
    })
  })

  test('a draft that breaks a consumer is blocked by the policy, once it was evaluated', async () => {
    await send('POST', '', { content: JSON.stringify(pets('1.0.0', true)) })
    await send('POST', '/1.0.0/publish')
    await send('POST', '/v1/tenants/local/projects/pets/consumers', { name: 'Shop' })
    const selection = { operations: [{ method: 'GET', path: '/pets', parameters: ['sort'] }] }
    await send('PUT', '/v1/tenants/local/projects/pets/consumers/shop/contract', selection)
    await it.call(versionsApi.create, {
      params: { ...place, project_ref: 'pets' },
      body: { label: '2.0.0', content: JSON.stringify(pets('2.0.0', false)) },
    })
    const named = { project_slug: 'pets', project_name: 'Pets', version_slug: '2.0.0', label: '2.0.0' }
    const first = await settled()
    expect(first.attention.breaking).toEqual({
      count: 1,
      items: [{ ...named, base_label: '1.0.0', breaking: 1, affected: ['shop'] }],
    })
    // Nothing fails under the policy of a new organization.
    expect(first.attention.blocked).toEqual({ count: 0, items: [] })
    expect(first.drafts.map((one) => one.label)).toEqual(['2.0.0'])
    const guide = await it.call(styleGuidesApi.create, { params: place, body: { name: 'Ours' } })
    const of = { params: { ...place, guide_id: guide.id } }
    await it.call(styleGuidesApi.makeDefault, of)
    await it.call(styleGuidesApi.putPolicy, { ...of, body: { policyGates: { 'consumer-impact': 'block' } } })
    const { attention } = await settled('blocked')
    expect(attention.blocked).toEqual({
      count: 1,
      items: [
        {
          ...named,
          failed: [
            {
              id: 'consumer-impact',
              message: '1 consumer of 1.0.0 would break: shop. The policy does not allow that.',
            },
          ],
        },
      ],
    })
    expect(attention.breaking).toBeNull()
  })

  test('sunsets, keys and silent gateways are counted', async () => {
    const soon = new Date(Date.now() + 10 * dayMs).toISOString()
    await it.call(versionsApi.deprecate, { ...version('1.0.0'), body: { sunset_at: soon } })
    await addApiKey(db, it.tenantId, { expiresAt: soon })
    await addApiKey(db, it.tenantId, { expiresAt: new Date(Date.now() + 60 * dayMs).toISOString() })
    // Of three gateways one was heard of now, one an hour ago, one never.
    const heard = new Date(Date.now() - 3_600_000).toISOString()
    for (const [label, lastSeenAt] of [
      ['now', new Date().toISOString()],
      ['silent', heard],
      ['new', null],
    ] as const) {
      await addGatewayKey(db, it.tenantId, label)
      await db.inTransaction((tx) =>
        tx.update(gatewayEnforcers).set({ lastSeenAt }).where(eq(gatewayEnforcers.label, label)),
      )
    }
    const { attention } = await settled()
    expect(attention.sunsets?.items.map((one) => [one.label, one.sunset_at])).toEqual([['1.0.0', soon]])
    expect(attention.keys?.items.map((one) => [one.kind, one.expires_at])).toEqual([['api-key', soon]])
    expect(attention.gateways?.items.map((one) => [one.environment_slug, one.label, one.last_seen_at])).toEqual([
      ['lane', 'silent', heard],
    ])
  })

  test('a viewer sees no keys, and has no drafts', async () => {
    const seen = await settled(undefined, it.service.callAs(vic))
    expect(seen.attention.keys).toBeNull()
    expect(seen.attention.breaking?.count).toBe(1)
    expect([seen.drafts, seen.projects]).toEqual([[], []])
  })

  test('activity is listed newest first, with who did it and by which means', async () => {
    const { activity } = await settled()
    expect(activity.map((one) => [one.action, one.label, one.means, one.initial])).toEqual([
      ['version.created', '2.0.0', 'local', false],
      ['version.published', '1.0.0', 'key', true],
    ])
  })

  test('what was done to more than are read for the page is counted whole', async () => {
    const { id: targetId } = await it.call(versionsApi.get, version('2.0.0'))
    const principal = { kind: 'user', userId: ann, via: 'session' } as const
    const at = Date.now()
    await db.inTransaction(async (tx) => {
      for (let n = 0; n < 350; n++)
        await recordAudit(tx, {
          tenantId: it.tenantId,
          actor: principal,
          action: 'version.document-replaced',
          targetId,
          detail: {},
          at: new Date(at + n).toISOString(),
        })
    })
    const [first] = (await home()).activity
    expect([first?.action, first?.others]).toEqual(['version.document-replaced', 349])
  })

  test('a draft that was published needs no attention any more', async () => {
    await it.call(versionsApi.publish, { ...version('2.0.0'), body: { force: true, force_reason: 'agreed' } })
    const { attention, drafts } = await settled()
    expect([attention.blocked?.count, attention.breaking?.count, drafts]).toEqual([0, 0, []])
  })
})
