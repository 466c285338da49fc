/** Watching and muting: who gets which news of a project, as a table and with real events. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { memberships, notifications, projects } from '../../../db/tables.gen.ts'
import { sendNotifications } from '../../../server/notifications/send.ts'
import { notificationsApi, type NotificationType } from '../../../src/api/notifications.ts'
import { projectWatchesApi, type WatchLevel, watchLevels } from '../../../src/api/project-watches.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { readersDone } from '../../fixtures/outbox.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const params = { tenant_slug: 'local' }
const at = { ...params, project_ref: 'pets' }

onBothEngines('watching', (makeDb) => {
  let db: Database
  let pets: PetsProject
  let projectId: string
  let as: (user: string) => Call
  const people = new Map<string, string>()
  const idOf = (name: string): string => people.get(name) ?? ''
  beforeAll(async () => {
    db = await makeDb()
    pets = await openPetsProject(db)
    as = (name) => pets.service.callAs(idOf(name))
    const [project] = await db.read.select({ id: projects.id }).from(projects).where(eq(projects.slug, 'pets'))
    projectId = project?.id ?? ''
    for (const name of ['ann', 'ben', 'cat', 'dan']) {
      people.set(name, await addUser(db, name))
      await addMember(db, pets.tenantId, idOf(name), 'viewer')
    }
  })
  afterAll(() => pets.service.stop())

  const clear = () =>
    db.inTransaction((tx) => tx.delete(notifications).where(eq(notifications.tenantId, pets.tenantId)))
  const choose = (name: string, level: WatchLevel) => as(name)(projectWatchesApi.set, { params: at, body: { level } })
  const inboxOf = async (name: string): Promise<string[]> => {
    const inbox = await as(name)(notificationsApi.list, { params })
    return inbox.notifications.map(({ type, payload }) => `${type}: ${payload.title}`)
  }

  const types: readonly NotificationType[] = [
    'mention',
    'review_requested',
    'review_decision',
    'thread_resolved',
    'version_published',
  ]
  for (const level of watchLevels)
    test(`${level}: what it lets through of each type, for who is concerned and who is not`, async () => {
      await choose('ann', level)
      await choose('ben', level)
      const told: Record<string, string[]> = {}
      for (const type of types) {
        await clear()
        const general = { type, payload: { title: 'in general', url: '/app' } }
        await db.inTransaction((tx) =>
          sendNotifications(
            tx,
            { id: newId(), tenantId: pets.tenantId, createdAt: '2026-05-05T00:00:00.000Z' },
            { actor: `user:${idOf('dan')}`, projectId, versionId: null, general },
            [{ type, people: [idOf('ann'), idOf('dan')], payload: { title: 'to you', url: '/app' } }],
          ),
        )
        told[type] = [...(await inboxOf('ann')), '|', ...(await inboxOf('ben'))]
      }
      const concerned = (type: string) => [`${type}: to you`, '|']
      const addressed = ['mention', 'review_requested']
      const expected: Record<WatchLevel, (type: string) => string[]> = {
        everything: (type) => [...concerned(type), `${type}: in general`],
        concerns_me: concerned,
        muted: (type) => (addressed.includes(type) ? concerned(type) : ['|']),
      }
      expect(told).toEqual(Object.fromEntries(types.map((type) => [type, expected[level](type)])))
    })

  test('a watcher gets news of publications by others, not of their own, and none after leaving', async () => {
    await clear()
    for (const name of ['ann', 'ben', 'cat']) await choose(name, 'everything')
    await choose('dan', 'concerns_me')
    await db.inTransaction((tx) =>
      tx
        .update(memberships)
        .set({ status: 'suspended' })
        .where(eq(memberships.userId, idOf('ben'))),
    )
    await db.inTransaction((tx) =>
      tx
        .update(memberships)
        .set({ role: 'editor' })
        .where(eq(memberships.userId, idOf('cat'))),
    )
    await as('cat')(versionsApi.create, { params: at, body: { label: '1.0.0' } })
    await pets.edit('1.0.0', petsYaml('1.0.0'))
    await as('cat')(versionsApi.publish, { params: { ...at, version_ref: '1.0.0' }, body: {} })
    await readersDone(db)
    expect(await inboxOf('ann')).toEqual(['version_published: Pets 1.0.0 was published'])
    expect([await inboxOf('cat'), await inboxOf('dan')]).toEqual([[], []])
    const ofBen = await db.read
      .select()
      .from(notifications)
      .where(eq(notifications.userId, idOf('ben')))
    expect(ofBen).toEqual([])
  })

  test('the list has what a person chose, last first, and ends with the choice; keys have none', async () => {
    const listOf = async (name: string, level?: 'everything' | 'muted') =>
      (await as(name)(projectWatchesApi.list, { params, query: level ? { level } : {} })).items.map(
        ({ project, level: chosen }) => `${project.slug} ${chosen}`,
      )
    await choose('ann', 'muted')
    expect([await listOf('ann'), await listOf('ann', 'muted'), await listOf('ann', 'everything')]).toEqual([
      ['pets muted'],
      ['pets muted'],
      [],
    ])
    await choose('ann', 'everything')
    expect(await listOf('ann')).toEqual(['pets everything'])
    expect(await as('ann')(projectWatchesApi.get, { params: at })).toEqual({ level: 'everything' })
    await choose('ann', 'concerns_me')
    expect(await listOf('ann')).toEqual([])
    expect(await as('ann')(projectWatchesApi.get, { params: at })).toEqual({ level: 'concerns_me' })
    expect(await outcome(as('ann')(projectWatchesApi.get, { params: { ...params, project_ref: 'none' } }))).toEqual({
      code: 'project-not-found',
      project: 'none',
    })
    expect(await pets.brief('GET', '/v1/tenants/local/project-watches')).toBe('403 person-required')
  })
})
