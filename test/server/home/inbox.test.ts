/** The inbox: everything that waits for a person, in one order, counted whole, and only what they can act on. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import {
  draftBindings,
  environments,
  mcpEndpoints,
  mcpObservations,
  notifications,
  securityApprovals,
  syncCandidates,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../../db/tables.gen.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { inboxApi, type InboxKind } from '../../../src/api/inbox.ts'
import { notificationsApi, type NotificationType } from '../../../src/api/notifications.ts'
import { reviewsApi } from '../../../src/api/reviews.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { addGatewayKey, addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const params = { tenant_slug: 'local' }
const hourMs = 3_600_000
const ago = (hours: number): string => new Date(Date.now() - hours * hourMs).toISOString()
const none = {
  review: 0,
  gateway_change: 0,
  gateway_release: 0,
  mcp_surface: 0,
  candidate: 0,
  webhook: 0,
  mention: 0,
  news: 0,
}
const counts = { tools: 0, resources: 0, templates: 0, prompts: 0 }

onBothEngines('inbox', (makeDb) => {
  let db: Database
  let it: PetsProject
  /** An admin, another admin, an editor and a viewer. */
  let ada: string
  let bob: string
  let eve: string
  let vic: string
  const as = (user: string): Call => it.service.callAs(user)
  const inbox = (user: string, query: { kind?: InboxKind; limit?: number; offset?: number } = {}) =>
    as(user)(inboxApi.list, { params, query })
  const brief = async (user: string) =>
    (await inbox(user)).items.map((one) => `${one.urgency} ${one.kind} ${one.subject}: ${one.action}`)

  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    ada = await addUser(db, 'ada')
    bob = await addUser(db, 'bob')
    eve = await addUser(db, 'eve')
    vic = await addUser(db, 'vic')
    await addMember(db, it.tenantId, ada, 'admin')
    await addMember(db, it.tenantId, bob, 'admin')
    await addMember(db, it.tenantId, eve, 'editor')
    await addMember(db, it.tenantId, vic, 'viewer')
  })
  afterAll(() => it.service.stop())

  const addServer = async (name: string, facts: Partial<typeof mcpEndpoints.$inferInsert>): Promise<void> => {
    await db.inTransaction((tx) =>
      tx.insert(mcpEndpoints).values({
        id: name,
        tenantId: it.tenantId,
        name,
        keys: [],
        variables: [],
        labels: [],
        toolNames: [],
        transport: 'streamable_http',
        addedVia: 'manual',
        declaredCounts: counts,
        observedCounts: counts,
        conflicts: 0,
        surfaceMatch: 'none',
        failures: 0,
        state: 'ok',
        createdAt: ago(40),
        updatedAt: ago(40),
        ...facts,
      }),
    )
  }
  const notify = async (userId: string, type: NotificationType, title: string, more: { event?: string } = {}) => {
    const id = newId()
    await db.inTransaction((tx) =>
      tx.insert(notifications).values({
        id,
        tenantId: it.tenantId,
        userId,
        eventId: newId(),
        type,
        payload: { title, url: 'http://svc.test/app/t/local/pets', ...more },
        actorId: bob,
        actorName: 'bob',
        createdAt: ago(1),
      }),
    )
    return id
  }

  test('nothing waits for someone new, and a key has no inbox', async () => {
    const empty = { items: [], counts: { total: 0, decide: 0, by_kind: none }, total: 0, limit: 50, offset: 0 }
    expect(await inbox(ada)).toEqual(empty)
    expect((await it.send('GET', '/v1/tenants/local/inbox')).value).toEqual(empty as never)
  })

  test('a review waits for who was asked, with who asked and where one answers', async () => {
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    await as(bob)(reviewsApi.request, {
      params: { ...params, project_ref: 'pets', version_ref: '1.0.0' },
      body: { reviewer_ids: [eve], note: 'Look at\n`GET /pets`' },
    })
    const { items } = await inbox(eve)
    expect(items).toEqual([
      {
        id: items[0]?.id ?? '',
        kind: 'review',
        urgency: 'normal',
        subject: 'Pets 1.0.0',
        what: 'Your review is requested',
        detail: 'Look at `GET /pets`',
        who: 'bob',
        since: items[0]?.since ?? '',
        ends_at: null,
        action: 'Review',
        url: 'http://svc.test/app/t/local/pets/1.0.0/review',
        notification_id: null,
      },
    ])
    expect([await brief(ada), await brief(vic)]).toEqual([[], []])
  })

  test('a change of a gateway policy waits for an approval by another, then for who asked', async () => {
    await addGatewayKey(db, it.tenantId, 'edge')
    const [environment] = await db.read.select().from(environments)
    const change = {
      environmentId: environment?.id ?? '',
      tenantId: it.tenantId,
      operation: 'set-group',
      target: 'sqli',
      body: {},
      summary: ['The group sqli changes from block to log.'],
      risks: [],
      preview: null,
      policyVersion: environment?.policyVersion ?? 0,
      requestedBy: `user:${ada}`,
      requesters: [ada],
      requestedAt: ago(2),
      expiresAt: ago(-22),
      approversMin: 1,
      consents: [],
      usedAt: null,
      withdrawnAt: null,
    }
    await db.inTransaction((tx) =>
      tx.insert(securityApprovals).values([
        { ...change, id: 'open', changeDigest: 'a' },
        { ...change, id: 'given', changeDigest: 'b', consents: [{ by: bob, at: ago(1), note: '' }] },
        { ...change, id: 'old', changeDigest: 'c', expiresAt: ago(1) },
        { ...change, id: 'stale', changeDigest: 'd', policyVersion: change.policyVersion + 1 },
        { ...change, id: 'used', changeDigest: 'e', usedAt: ago(1) },
        { ...change, id: 'back', changeDigest: 'f', withdrawnAt: ago(1) },
      ]),
    )
    const of = async (user: string) =>
      (await inbox(user)).items.map((one) => [one.id, one.action, one.urgency, one.who])
    expect(await of(bob)).toEqual([['gateway_change:open', 'Approve', 'high', 'ada']])
    expect(await of(ada)).toEqual([['gateway_change:given', 'Apply', 'high', 'ada']])
    expect((await inbox(eve, { kind: 'gateway_change' })).items).toEqual([])
  })

  test('an MCP server waits for who may approve it, and not for who brought it where there is another', async () => {
    const seen = { observedFingerprint: 'new', observedAt: ago(3) }
    await addServer('drifted', { ...seen, approvedFingerprint: 'old', state: 'drifted', createdBy: `user:${bob}` })
    await addServer('bobs', { ...seen, createdBy: `user:${bob}` })
    await addServer('approved', { ...seen, approvedFingerprint: 'new' })
    await addServer('unseen', {})
    await db.inTransaction((tx) =>
      tx.insert(mcpObservations).values({
        id: newId(),
        tenantId: it.tenantId,
        endpointId: 'drifted',
        by: 'cli',
        at: ago(30),
        wire: 'new',
        counts,
        bytes: 1,
        pages: 1,
        changed: true,
        actor: null,
      }),
    )
    const of = async (user: string) =>
      (await inbox(user, { kind: 'mcp_surface' })).items.map((one) => [one.subject, one.urgency, one.url])
    const drifted = ['drifted', 'high', 'http://svc.test/app/t/local/-/mcp-servers/drifted/changes']
    expect(await of(bob)).toEqual([drifted])
    expect(await of(ada)).toEqual([drifted, ['bobs', 'normal', 'http://svc.test/app/t/local/-/mcp-servers/bobs']])
    expect(await of(eve)).toEqual([])
    const [item] = (await inbox(ada, { kind: 'mcp_surface' })).items
    expect(Math.round((Date.now() - Date.parse(item?.since ?? '')) / hourMs)).toBe(30)
  })

  test('a change of a repository waits for who may edit, a failing webhook for who may change it', async () => {
    const [draft] = (await it.call(versionsApi.list, { params: { ...params, project_ref: 'pets' } })).items
    const at = ago(5)
    await db.inTransaction(async (tx) => {
      await tx.insert(draftBindings).values({
        id: 'b1',
        tenantId: it.tenantId,
        projectId: draft?.project_id ?? '',
        versionId: draft?.id ?? '',
        provider: 'github',
        repoFullName: 'acme/pets',
        repoUrl: 'https://github.com/acme/pets',
        ref: 'main',
        path: 'openapi.yaml',
        commitSha: 'a',
        sourceDigest: 'd',
        document: null,
        synchronizedAt: at,
        isActive: true,
        createdAt: at,
        updatedAt: at,
      })
      await tx.insert(syncCandidates).values({
        id: 'c1',
        tenantId: it.tenantId,
        bindingId: 'b1',
        status: 'pending',
        fromCommit: 'a',
        toCommit: 'b',
        sourceDigest: 'e',
        selectionChanged: true,
        changedPaths: ['openapi.yaml'],
        detectedBy: 'poll',
        detectedAt: at,
        document: null,
        summary: null,
        mergeState: 'clean',
      })
      const subscription = {
        tenantId: it.tenantId,
        active: true,
        secretId: 's',
        secretRef: 'raw:1',
        failures: 0,
        createdAt: at,
        updatedAt: at,
      }
      await tx.insert(webhookSubscriptions).values([
        { ...subscription, id: 'w1', url: 'https://one.test/', urlKey: '1' },
        {
          ...subscription,
          id: 'w2',
          url: 'https://two.test/',
          urlKey: '2',
          active: false,
          disabledReason: 'gone',
          disabledAt: ago(4),
        },
        { ...subscription, id: 'w3', url: 'https://off.test/', urlKey: '3', active: false, disabledAt: ago(4) },
      ])
      const delivery = {
        tenantId: it.tenantId,
        subscriptionId: 'w1',
        eventType: 'version.published',
        status: 'dead_letter' as const,
        body: '{}',
        attemptCount: 9,
        scheduledFrom: 0,
        createdAt: at,
      }
      await tx.insert(webhookDeliveries).values([
        { ...delivery, id: 'd1', eventId: '1', lastError: 'timeout', updatedAt: ago(3) },
        { ...delivery, id: 'd2', eventId: '2', lastError: 'http-502', updatedAt: ago(2) },
        { ...delivery, id: 'd3', eventId: '3', lastError: null, updatedAt: ago(1), status: 'delivered' },
      ])
    })
    expect((await inbox(eve)).items.map((one) => [one.kind, one.what])).toEqual([
      ['candidate', 'acme/pets moved on main: changes to take or dismiss'],
      ['review', 'Your review is requested'],
    ])
    const failing = (await inbox(ada, { kind: 'webhook' })).items
    expect(failing.map((one) => [one.subject, one.what, one.detail, one.action])).toEqual([
      ['https://one.test/', '2 deliveries were given up', 'The last one failed with http-502.', 'Send again'],
      ['https://two.test/', 'The service switched the webhook off', null, 'Switch on'],
    ])
  })

  test('unread notifications are news, but what is listed as a decision is not said twice', async () => {
    const mention = await notify(ada, 'mention', 'You were mentioned')
    await notify(ada, 'version_published', 'Pets 1.0.0 was published')
    await notify(ada, 'review_requested', 'Your review was requested')
    await notify(ada, 'gateway', 'A change needs approval', { event: 'gateway.approval_requested' })
    await notify(ada, 'gateway', 'The gateway is silent', { event: 'gateway.silent' })
    await notify(ada, 'mcp_server', 'drifted is not what was approved', { event: 'mcp.surface_changed' })
    await notify(vic, 'mcp_server', 'drifted is not what was approved', { event: 'mcp.surface_changed' })
    await notify(ada, 'repository', 'acme/pets moved', { event: 'sync.candidate' })
    const { counts: all } = await inbox(ada, { limit: 0 })
    expect(all).toEqual({
      total: 9,
      decide: 4,
      by_kind: { ...none, gateway_change: 1, mcp_surface: 2, candidate: 1, webhook: 2, mention: 1, news: 2 },
    })
    expect((await inbox(vic)).counts.by_kind).toEqual({ ...none, news: 1 })
    expect(await brief(ada)).toEqual([
      'high mcp_surface drifted: Approve',
      'high gateway_change Lane: Apply',
      'normal mcp_surface bobs: Approve',
      'normal candidate Pets 1.0.0: Decide',
      'low news The gateway is silent: Open',
      'low news Pets 1.0.0 was published: Open',
      'low mention You were mentioned: Open',
      'low webhook https://one.test/: Send again',
      'low webhook https://two.test/: Switch on',
    ])
    const pages = [await inbox(ada, { limit: 5 }), await inbox(ada, { limit: 5, offset: 5 })]
    expect(pages.flatMap((page) => page.items)).toEqual((await inbox(ada)).items)
    const read = (ids: readonly string[]) => as(ada)(notificationsApi.markRead, { params, body: { ids: [...ids] } })
    await read([mention])
    expect((await inbox(ada, { kind: 'mention' })).total).toBe(0)
    const undone = await as(ada)(notificationsApi.markUnread, { params, body: { ids: [mention] } })
    expect([undone.updated, undone.unread.by_type.mention]).toEqual([1, 1])
    // Once is enough, and nobody marks those of others.
    expect((await as(ada)(notificationsApi.markUnread, { params, body: { ids: [mention] } })).updated).toBe(0)
    expect((await as(vic)(notificationsApi.markUnread, { params, body: { ids: [mention] } })).updated).toBe(0)
    expect((await inbox(ada, { kind: 'mention' })).items.map((one) => one.notification_id)).toEqual([mention])
  })

  test('nothing of another organization is in it', async () => {
    const other = await addTenant(db, 'other')
    await addMember(db, other, ada, 'admin')
    const found = await as(ada)(inboxApi.list, { params: { tenant_slug: 'other' }, query: {} })
    expect([found.items, found.counts.total]).toEqual([[], 0])
  })
})
