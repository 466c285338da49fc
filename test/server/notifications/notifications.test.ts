/** Inboxes over HTTP: what they list, count and mark, for people and for keys. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { notifications, projects } from '../../../db/tables.gen.ts'
import { sendNotifications, type Audience } from '../../../server/notifications/send.ts'
import { sweepNotifications } from '../../../server/notifications/sweep.ts'
import { notificationsApi, type NotificationType } from '../../../src/api/notifications.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { isoOf } from '../../../db/clock.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { readersDone } from '../../fixtures/outbox.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const params = { tenant_slug: 'local' }
const at = { tenant_slug: 'local', project_ref: 'pets' }
const zero = {
  mention: 0,
  review_requested: 0,
  review_decision: 0,
  thread_resolved: 0,
  version_published: 0,
  repository: 0,
  mcp_server: 0,
  gateway: 0,
  account: 0,
}
const day = 24 * 3_600_000

onBothEngines('notifications', (makeDb) => {
  let db: Database
  let it: PetsProject
  let ann: string
  let ben: string
  let as: (user: string) => Call
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    as = (user) => it.service.callAs(user)
    ann = await addUser(db, 'ann')
    ben = await addUser(db, 'ben')
    await addMember(db, it.tenantId, ann, 'editor')
    await addMember(db, it.tenantId, ben, 'viewer')
  })
  afterAll(() => it.service.stop())

  const rowOf = async (
    userId: string,
    facts: { type?: NotificationType; createdAt?: string; readAt?: string } = {},
  ) => {
    const id = newId()
    await db.inTransaction((tx) =>
      tx.insert(notifications).values({
        id,
        tenantId: it.tenantId,
        userId,
        eventId: newId(),
        type: 'mention',
        payload: { title: `About ${facts.type ?? 'mention'}`, url: '/app' },
        actorId: null,
        actorName: null,
        projectId: null,
        versionId: null,
        createdAt: isoOf(Date.now()),
        readAt: null,
        ...facts,
      }),
    )
    return id
  }
  const clear = () => db.inTransaction((tx) => tx.delete(notifications).where(eq(notifications.tenantId, it.tenantId)))

  test('a publication is reported to those who made and edited the version, not to who published it', async () => {
    await as(ann)(versionsApi.create, { params: at, body: { label: '1.0.0' } })
    const { etag } = { etag: (await it.send('GET', '/1.0.0/document')).headers.get('etag') ?? '' }
    const replaced = await it.send('PUT', '/1.0.0/document', petsYaml('1.0.0'), {
      'if-match': etag,
      'content-type': 'application/yaml',
    })
    expect(replaced.status).toBe(200)
    await it.call(versionsApi.publish, { params: { ...at, version_ref: '1.0.0' }, body: {} })
    await readersDone(db)
    const [project] = await db.read.select().from(projects)
    const inbox = await as(ann)(notificationsApi.list, { params })
    expect(inbox).toEqual({
      notifications: [
        {
          id: expect.any(String),
          type: 'version_published',
          payload: { title: 'Pets 1.0.0 was published', url: 'http://svc.test/app/t/local/pets/1.0.0' },
          actor: { id: it.ownerId, name: expect.any(String) },
          project_id: project?.id ?? '',
          version_id: expect.any(String),
          created_at: expect.any(String),
          read_at: null,
        },
      ],
      count: 1,
      limit: 20,
      offset: 0,
      total: 1,
    })
    for (const other of [it.ownerId, ben])
      expect((await as(other)(notificationsApi.list, { params })).notifications).toEqual([])
    expect(await as(ann)(notificationsApi.unreadCount, { params })).toEqual({
      total: 1,
      by_type: { ...zero, version_published: 1 },
    })
    await clear()
  })

  test('each person gets one of an event, of the strongest type, if they may view it', async () => {
    const [pending, suspended, stranger] = await Promise.all(['p', 's', 'x'].map((name) => addUser(db, `${name}-none`)))
    await addMember(db, it.tenantId, pending ?? '', 'viewer', 'pending')
    await addMember(db, it.tenantId, suspended ?? '', 'owner', 'suspended')
    const [project] = await db.read.select().from(projects)
    const { items } = await it.call(versionsApi.list, { params: at })
    const event = { id: newId(), tenantId: it.tenantId, createdAt: isoOf(Date.now()) }
    const about = { actor: `user:${it.ownerId}`, projectId: project?.id ?? '', versionId: items[0]?.id ?? '' }
    const audience = (type: NotificationType, people: (string | undefined)[]): Audience => ({
      type,
      people: people.filter((one) => one !== undefined),
      payload: { title: type, url: '/app' },
    })
    const audiences = [
      audience('thread_resolved', [ann, ben, it.ownerId]),
      audience('review_requested', [ann, pending, suspended, stranger]),
      audience('mention', [ann]),
    ]
    for (let twice = 0; twice < 2; twice++)
      await db.inTransaction((tx) => sendNotifications(tx, event, about, audiences))
    const rows = await db.read.select().from(notifications).where(eq(notifications.tenantId, it.tenantId))
    expect(Object.fromEntries(rows.map(({ userId, type }) => [userId, type]))).toEqual({
      [ann]: 'mention',
      [ben]: 'thread_resolved',
    })
    expect(rows.length).toBe(2)
    await clear()
  })

  test('lists are paged and filtered by type and by what is unread', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++)
      ids.unshift(
        await rowOf(ben, {
          type: n % 2 === 0 ? 'mention' : 'thread_resolved',
          createdAt: isoOf(Date.now() - (10 - n) * 1000),
          ...(n < 2 ? { readAt: isoOf(Date.now()) } : {}),
        }),
      )
    const list = async (query: { limit?: number; offset?: number; unread?: boolean; type?: NotificationType }) => {
      const { notifications: rows, ...rest } = await as(ben)(notificationsApi.list, { params, query })
      return { ids: rows.map(({ id }) => ids.indexOf(id)), ...rest }
    }
    expect(await list({})).toEqual({ ids: [0, 1, 2, 3, 4], count: 5, limit: 20, offset: 0, total: 5 })
    const cursor = expect.stringMatching(/^[\w-]+$/) as string
    expect(await list({ limit: 2, offset: 1 })).toEqual({
      ids: [1, 2],
      count: 2,
      limit: 2,
      offset: 1,
      total: 5,
      next_cursor: cursor,
    })
    expect(await list({ unread: true })).toEqual({ ids: [0, 1, 2], count: 3, limit: 20, offset: 0, total: 3 })
    expect(await list({ unread: false, type: 'mention' })).toEqual({
      ids: [0, 2, 4],
      count: 3,
      limit: 20,
      offset: 0,
      total: 3,
    })
    expect(await list({ unread: true, type: 'thread_resolved' })).toMatchObject({ ids: [1], total: 1 })
    expect(await list({ offset: 9 })).toEqual({ ids: [], count: 0, limit: 20, offset: 9, total: 5 })
    for (const wrong of ['limit=0', 'limit=101', 'offset=-1', 'unread=maybe', 'type=gossip', 'type=Mention', 'type='])
      expect((await it.ask(`/v1/tenants/local/notifications?${wrong}`, {})).status).toBe(422)
    await clear()
  })

  test('marking as read counts each once, and only the own inbox', async () => {
    const mine = [await rowOf(ben), await rowOf(ben, { type: 'review_requested' }), await rowOf(ben)]
    const other = await rowOf(ann)
    const mark = (body?: { ids?: string[] | null; all?: boolean }) =>
      as(ben)(notificationsApi.markRead, { params, ...(body === undefined ? {} : { body }) })
    const left = { ...zero, mention: 1, review_requested: 1 }
    expect(await mark()).toEqual({
      updated: 0,
      unread: { total: 3, by_type: { ...zero, mention: 2, review_requested: 1 } },
    })
    expect(await mark({ ids: [mine[0] ?? '', other, 'nothing'] })).toEqual({
      updated: 1,
      unread: { total: 2, by_type: left },
    })
    expect(await mark({ ids: [mine[0] ?? ''] })).toEqual({ updated: 0, unread: { total: 2, by_type: left } })
    expect(await mark({ ids: null, all: false })).toEqual({ updated: 0, unread: { total: 2, by_type: left } })
    expect(await mark({ all: true })).toEqual({ updated: 2, unread: { total: 0, by_type: zero } })
    expect(await as(ann)(notificationsApi.unreadCount, { params })).toEqual({
      total: 1,
      by_type: { ...zero, mention: 1 },
    })
    await clear()
  })

  test('the count of unread ones has an ETag, and is 304 while it is the same', async () => {
    const path = '/v1/tenants/local/notifications/unread-count'
    const count = (headers: Record<string, string> = {}) => it.ask(path, { headers })
    const first = await count()
    const etag = first.headers.get('etag') ?? ''
    expect([first.status, etag, first.headers.get('cache-control')]).toEqual([
      200,
      '"0-0-0-0-0-0-0-0-0"',
      'private, no-cache',
    ])
    const again = await count({ 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    await rowOf(it.ownerId)
    const changed = await count({ 'if-none-match': etag })
    expect([changed.status, await changed.json()]).toEqual([200, { total: 1, by_type: { ...zero, mention: 1 } }])
    await clear()
  })

  test('an unknown type is answered 422 with the types that exist', async () => {
    for (const type of ['zzz', 'Mention', '']) {
      const answer = await it.send('GET', `/v1/tenants/local/notifications?type=${type}`)
      const words = 'mention, review_requested, review_decision, thread_resolved, version_published'
      expect([answer.status, answer.value.detail]).toMatchObject([
        422,
        [{ loc: ['query', 'type'], msg: expect.stringContaining(words) as string, type: 'enum' }],
      ])
    }
  })

  test('a key has an empty inbox', async () => {
    await rowOf(it.ownerId)
    const base = '/v1/tenants/local/notifications'
    const answers = [
      await it.send('GET', base),
      await it.send('GET', `${base}/unread-count`),
      await it.send('POST', `${base}/read`, { all: true }),
      await it.send('POST', `${base}/read`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers[0]?.value).toEqual({ notifications: [], count: 0, limit: 20, offset: 0, total: 0 })
    expect(answers[1]?.value).toEqual({ total: 0, by_type: zero })
    expect(answers[3]?.value).toEqual({ updated: 0, unread: { total: 0, by_type: zero } })
    expect((await it.call(notificationsApi.unreadCount, { params })).total).toBe(1)
    await clear()
  })

  test('an inbox belongs to one organization', async () => {
    const other = await addTenant(db, 'other')
    await addMember(db, other, ann, 'viewer')
    await rowOf(ann)
    const elsewhere = await as(ann)(notificationsApi.list, { params: { tenant_slug: 'other' } })
    expect(elsewhere.total).toBe(0)
    const marked = await as(ann)(notificationsApi.markRead, { params: { tenant_slug: 'other' }, body: { all: true } })
    expect(marked.updated).toBe(0)
    expect((await as(ann)(notificationsApi.unreadCount, { params })).total).toBe(1)
    await clear()
  })

  test('what was read is kept 180 days, everything else a year', async () => {
    const now = Date.now()
    const read = isoOf(now)
    const kept = [
      await rowOf(ann, { createdAt: isoOf(now - 179 * day), readAt: read }),
      await rowOf(ann, { createdAt: isoOf(now - 364 * day) }),
    ]
    await rowOf(ann, { createdAt: isoOf(now - 181 * day), readAt: read })
    await rowOf(ann, { createdAt: isoOf(now - 366 * day) })
    await sweepNotifications(db, now)
    const rows = await db.read.select().from(notifications).where(eq(notifications.userId, ann))
    expect(rows.map(({ id }) => id).sort()).toEqual(kept.sort())
    await clear()
  })
})
