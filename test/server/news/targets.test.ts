/**
 * Where news go: rules of people and of the organization, and what arrives at mail servers and chats on loopback.
 * Longer than 400 lines: all of it needs the same service, mail server and chat.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { clockOf, isoOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import {
  dueWork,
  memberships,
  notifications,
  notificationSends,
  notificationTargets,
  projects,
  users,
} from '../../../db/tables.gen.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { deliver, pauses } from '../../../server/news/deliver.ts'
import { sendNotifications } from '../../../server/notifications/send.ts'
import type { Deps } from '../../../server/kit/door.ts'
import { notificationsApi, type NotificationType } from '../../../src/api/notifications.ts'
import { notificationTargetsApi, type ChatService } from '../../../src/api/notification-targets.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { projectWatchesApi } from '../../../src/api/project-watches.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { type MailAnswers, startMailServer, type MailServer } from '../../fixtures/mail-server.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'
import { startSink, type Sink, trustSinks } from '../../fixtures/sink.ts'
import { parseNetworks } from '../../../server/egress/address.ts'

const params = { tenant_slug: 'local' }
const start = Date.parse('2026-05-05T10:00:00.000Z')
const never = new AbortController().signal

onBothEngines('targets', (makeDb) => {
  let db: Database
  let pets: PetsProject
  let as: (name: string) => Call
  let projectId: string
  let shopId: string
  let mail: MailServer
  let chat: Sink
  let trusted: ReturnType<typeof trustSinks>
  let now: number
  let deps: Deps
  let answers: MailAnswers
  let chatAnswer: () => Response
  const people = new Map<string, string>()
  const idOf = (name: string): string => people.get(name) ?? ''

  beforeAll(async () => {
    trusted = trustSinks()
    mail = await startMailServer({
      onRecipient: (address) => answers.onRecipient?.(address) ?? null,
      onMessage: (count) => answers.onMessage?.(count) ?? null,
    })
    chat = startSink(() => chatAnswer())
    db = await makeDb()
    const settings = { url: `smtp://127.0.0.1:${mail.port}`, from: 'svc <svc@svc.test>' }
    pets = await openPetsProject(db, { mail: settings, egressAllow: '127.0.0.0/8,::1/128' })
    as = (name) => pets.service.callAs(name === 'owner' ? pets.ownerId : idOf(name))
    await pets.call(projectsApi.create, { params, body: { name: 'Shop', slug: 'shop', tags: ['public'] } })
    const rows = await db.read.select({ id: projects.id, slug: projects.slug }).from(projects)
    projectId = rows.find(({ slug }) => slug === 'pets')?.id ?? ''
    shopId = rows.find(({ slug }) => slug === 'shop')?.id ?? ''
    for (const name of ['ann', 'ben', 'cat']) {
      people.set(name, await addUser(db, name))
      await addMember(db, pets.tenantId, idOf(name), 'viewer')
    }
    await db.inTransaction((tx) =>
      tx
        .update(users)
        .set({ emailVerifiedAt: null })
        .where(eq(users.id, idOf('ben'))),
    )
    deps = {
      ...pets.service.deps,
      clock: clockOf(() => now),
      mail: createMailer(settings),
      egressAllow: parseNetworks('127.0.0.0/8,::1/128'),
    }
  })
  afterAll(async () => {
    await pets.service.stop()
    await mail.stop()
    await chat.stop()
    trusted.end()
  })
  beforeEach(() => {
    now = start
    answers = {}
    chatAnswer = () => new Response('ok')
  })
  afterEach(async () => {
    await db.inTransaction(async (tx) => {
      await tx.delete(notificationTargets).where(eq(notificationTargets.tenantId, pets.tenantId))
      await tx.delete(notifications).where(eq(notifications.tenantId, pets.tenantId))
      await tx.delete(dueWork).where(eq(dueWork.kind, 'news.send'))
    })
    mail.received.length = 0
    chat.received.length = 0
  })

  /** Something happens that concerns these people; what is due then is far away for the worker of the service. */
  const happen = async (
    type: NotificationType,
    names: readonly string[],
    given: { project?: string | null; title?: string; at?: number; general?: string } = {},
  ): Promise<void> => {
    const { project = projectId, title = type, at = now, general } = given
    await db.inTransaction((tx) =>
      sendNotifications(
        tx,
        { id: newId(), tenantId: pets.tenantId, createdAt: isoOf(at) },
        {
          actor: `user:${pets.ownerId}`,
          projectId: project,
          versionId: null,
          ...(general === undefined
            ? {}
            : { general: { type, payload: { title: general, url: 'https://svc.test/app/x' } } }),
        },
        [
          {
            type,
            people: names.map(idOf),
            payload: { title, url: 'https://svc.test/app/x', excerpt: 'Why <b>it</b> matters' },
          },
        ],
      ),
    )
    // The worker of the service must not be faster than the test.
    await db.inTransaction((tx) => tx.delete(dueWork).where(eq(dueWork.kind, 'news.send')))
  }
  const rule = (name: string, target: string, type: NotificationType, body = {}) =>
    as(name)(notificationTargetsApi.setRule, { params: { ...params, target_id: target, type }, body })
  const rowOf = async (name: string, kind: 'bell' | 'email' | 'chat') => {
    const rows = await db.read.select().from(notificationTargets).where(eq(notificationTargets.kind, kind))
    const row = rows.find(({ userId }) => userId === (name === '' ? null : idOf(name)))
    if (row === undefined) throw new Error(`${name} has no ${kind}`)
    return row
  }
  const run = async (name: string, kind: 'email' | 'chat') => deliver(deps, (await rowOf(name, kind)).id, never)
  const bellOf = async (name: string) =>
    (await as(name)(notificationsApi.list, { params })).notifications.map(({ payload }) => payload.title)
  const waiting = async () => (await db.read.select().from(notificationSends)).length
  const addChat = (name: string, service: ChatService, owner: 'me' | 'organization' = 'me') =>
    as(name)(notificationTargetsApi.create, {
      params,
      body: { name: `#${service}`, service, url: `${chat.url}/hooks/T0/secret-part`, owner },
    })

  test('without any rule news reach the bell and nothing else', async () => {
    await happen('mention', ['ann', 'ben'])
    expect([await bellOf('ann'), await bellOf('ben'), await waiting()]).toEqual([['mention'], ['mention'], 0])
    const { items, mail: offered } = await as('ann')(notificationTargetsApi.list, { params })
    expect(items.map(({ id, rules }) => [id, rules.length])).toEqual([
      ['bell', 9],
      ['email', 0],
    ])
    expect(offered).toEqual({ available: true, from: 'svc <svc@svc.test>' })
  })

  test('rules of projects and tags decide for each target, and the bell is no exception', async () => {
    await rule('ann', 'bell', 'version_published', { projects: ['shop'] })
    await rule('ann', 'email', 'version_published', { tags: ['public'] })
    await as('ann')(notificationTargetsApi.removeRule, { params: { ...params, target_id: 'bell', type: 'mention' } })
    await happen('version_published', ['ann'], { title: 'pets' })
    await happen('version_published', ['ann'], { title: 'shop', project: shopId })
    await happen('mention', ['ann'])
    await happen('account', ['ann'], { project: null })
    expect(await bellOf('ann')).toEqual(['account', 'shop'])
    const sends = await db.read.select().from(notificationSends)
    expect(sends.map(({ payload }) => payload.title)).toEqual(['shop'])
    const { items } = await as('ann')(notificationTargetsApi.list, { params })
    expect(items[0]?.rules.find(({ type }) => type === 'version_published')).toEqual({
      type: 'version_published',
      projects: [{ id: shopId, slug: 'shop', name: 'Shop' }],
      tags: null,
    })
  })

  test('e-mail: one message of what waits, grouped by project, with the links and headers to stop it; then nothing waits', async () => {
    for (const type of ['version_published', 'mention', 'gateway'] as const) await rule('ann', 'email', type)
    await happen('version_published', ['ann'], { title: 'Pets 1.0.0 was published' })
    await happen('mention', ['ann'], { title: 'You were mentioned', project: shopId, at: now + 1 })
    await happen('gateway', ['ann'], { title: 'A gateway is silent', project: null, at: now + 2 })
    expect(await run('ann', 'email')).toBeNull()
    const [message, ...others] = mail.received
    expect(others).toEqual([])
    const { headers, text = '' } = message ?? {}
    expect(message?.to).toEqual(['ann@example.com'])
    expect(headers?.['subject']).toStartWith('3 news of ')
    expect(headers?.['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(headers?.['list-unsubscribe']).toMatch(/^<http:\/\/svc\.test\/v1\/e-mail\/stop\.[^<>]+>$/)
    expect(headers?.['auto-submitted']).toBe('auto-generated')
    for (const part of ['Pets\n\n- Pets 1.0.0 was published', 'Shop\n\n- You were mentioned', '- A gateway is silent'])
      expect(text).toContain(part)
    expect(text).toContain('Why &lt;b&gt;it&lt;/b&gt; matters')
    expect(text).toContain('http://svc.test/app/t/local/-/notifications/settings')
    expect([await waiting(), await run('ann', 'email'), mail.received.length]).toEqual([0, null, 1])
    const row = await rowOf('ann', 'email')
    expect([row.lastError, row.lastAt]).toEqual([null, isoOf(start)])
  })

  test('a single one has its title as subject', async () => {
    await rule('ann', 'email', 'version_published')
    await happen('version_published', ['ann'], { title: 'Pets 1.0.0\r\nBcc: x@example.com was published' })
    await run('ann', 'email')
    expect(mail.received[0]?.headers['subject']).toBe('Pets 1.0.0 Bcc: x@example.com was published')
    expect(mail.received[0]?.headers['bcc']).toBeUndefined()
  })

  test('what was read in the bell, muted, or is not theirs any more is not sent', async () => {
    for (const type of ['version_published', 'mention'] as const) await rule('ann', 'email', type)
    await happen('version_published', ['ann'], { title: 'read before' })
    await as('ann')(notificationsApi.markRead, { params, body: { all: true } })
    await happen('version_published', ['ann'], { title: 'muted since' })
    await happen('mention', ['ann'], { title: 'addressed' })
    await happen('version_published', ['ann'], { title: 'kept', project: shopId })
    const at = { ...params, project_ref: 'pets' }
    await as('ann')(projectWatchesApi.set, { params: at, body: { level: 'muted' } })
    await run('ann', 'email')
    const { text = '' } = mail.received[0] ?? {}
    expect(['read before', 'muted since', 'addressed', 'kept'].map((title) => text.includes(`- ${title}`))).toEqual([
      false,
      false,
      true,
      true,
    ])
    await as('ann')(projectWatchesApi.set, { params: at, body: { level: 'concerns_me' } })
    await happen('version_published', ['ann'])
    const status = (word: 'active' | 'suspended') =>
      db.inTransaction((tx) =>
        tx
          .update(memberships)
          .set({ status: word })
          .where(eq(memberships.userId, idOf('ann'))),
      )
    await status('suspended')
    expect([await run('ann', 'email'), mail.received.length, await waiting()]).toEqual([null, 1, 0])
    await status('active')
  })

  test('a digest waits for its time; another schedule moves what waits', async () => {
    await rule('ann', 'email', 'version_published')
    const update = (body: object) =>
      as('ann')(notificationTargetsApi.update, { params: { ...params, target_id: 'email' }, body })
    await update({ frequency: 'daily', at: '08:00', time_zone: 'Asia/Tokyo' })
    const event = { id: newId(), tenantId: pets.tenantId, createdAt: isoOf(Date.parse('2126-05-05T10:00:00.000Z')) }
    await db.inTransaction((tx) =>
      sendNotifications(tx, event, { actor: null, projectId, versionId: null }, [
        { type: 'version_published', people: [idOf('ann')], payload: { title: 'one', url: '/app/x' } },
      ]),
    )
    const due = async () =>
      (await db.read.select({ at: dueWork.dueAt }).from(dueWork).where(eq(dueWork.kind, 'news.send')))[0]?.at
    expect(await due()).toBe('2126-05-05T23:00:00.000Z')
    const { schedule } = await update({ frequency: 'hourly' })
    expect(schedule).toEqual({ frequency: 'hourly', at: '08:00', weekday: 'monday', time_zone: 'Asia/Tokyo' })
    expect(Date.parse((await due()) ?? '')).toBeLessThan(Date.now() + 3_600_001)
    expect(await outcome(update({ time_zone: 'Mars/Olympus' }))).toEqual({
      code: 'time-zone-unknown',
      time_zone: 'Mars/Olympus',
    })
  })

  test('4xx is tried again later as the same message, with everything that came before it; what comes after is the next', async () => {
    await rule('ann', 'email', 'version_published')
    await happen('version_published', ['ann'], { title: 'first' })
    answers = { onMessage: () => ({ code: 451, text: '4.3.0 Try again' }) }
    const due = await run('ann', 'email')
    expect(due).toBe(now + (pauses[0] ?? 0))
    const failed = await rowOf('ann', 'email')
    expect([failed.failures, failed.lastError]).toEqual([1, 'the mail server answered: 451 4.3.0 Try again'])
    const batch = (await db.read.select().from(notificationSends))[0]?.batchId
    await happen('version_published', ['ann'], { title: 'second' })
    answers = {}
    now = due ?? 0
    expect(await run('ann', 'email')).toBeGreaterThan(now)
    expect(mail.received.map(({ headers }) => [headers['subject'], headers['message-id']])).toEqual([
      ['first', `<${batch}@svc.test>`],
    ])
    expect(await run('ann', 'email')).toBeNull()
    expect(mail.received.map(({ headers }) => headers['subject'])).toEqual(['first', 'second'])
    expect((await rowOf('ann', 'email')).failures).toBe(0)
  })

  test('after the last attempt the message is given up, and the next one is tried', async () => {
    await rule('ann', 'email', 'version_published')
    await happen('version_published', ['ann'])
    answers = { onMessage: () => ({ code: 451, text: 'Try again' }) }
    for (const pause of pauses) expect(await run('ann', 'email')).toBe(now + pause)
    expect([await run('ann', 'email'), await waiting()]).toEqual([null, 0])
    const row = await rowOf('ann', 'email')
    expect([row.active, row.failures, row.lastError]).toEqual([true, 0, 'the mail server answered: 451 Try again'])
  })

  test('5xx to the address stops e-mail until its owner switches it on; 5xx to a message drops that alone', async () => {
    await rule('ann', 'email', 'version_published')
    answers = { onMessage: () => ({ code: 554, text: '5.7.1 Spam' }) }
    await happen('version_published', ['ann'])
    expect([await run('ann', 'email'), await waiting(), (await rowOf('ann', 'email')).active]).toEqual([null, 0, true])
    answers = { onRecipient: () => ({ code: 550, text: '5.1.1 No such user' }) }
    await happen('version_published', ['ann'])
    expect(await run('ann', 'email')).toBeNull()
    const stopped = (await as('ann')(notificationTargetsApi.list, { params })).items[1]
    expect([stopped?.active, stopped?.stopped]).toEqual([
      false,
      'the mail server refuses the address: 550 5.1.1 No such user',
    ])
    answers = {}
    await happen('version_published', ['ann'])
    expect([await waiting(), mail.received.length]).toEqual([0, 0])
    const on = await as('ann')(notificationTargetsApi.update, {
      params: { ...params, target_id: 'email' },
      body: { active: true },
    })
    expect([on.active, on.stopped]).toEqual([true, null])
    await happen('version_published', ['ann'])
    await run('ann', 'email')
    expect(mail.received).toHaveLength(1)
  })

  test('an address that nobody confirmed gets one link, and news once it was followed', async () => {
    await rule('ben', 'email', 'version_published')
    await happen('version_published', ['ben'], { title: 'before' })
    expect([await run('ben', 'email'), mail.received.length, await waiting()]).toEqual([null, 0, 0])
    const ask = () => as('ben')(notificationTargetsApi.test, { params: { ...params, target_id: 'email' } })
    expect(await ask()).toEqual({ sent: true, message: 'A link to confirm the address was sent to ben@example.com.' })
    expect((await ask()).sent).toBe(false)
    const link = /http:\/\/svc\.test(\/v1\/e-mail\/confirm\.\S+)/.exec(mail.received[0]?.text ?? '')?.[1] ?? ''
    const page = await pets.get(link)
    expect([page.status, (await page.text()).includes('Confirm your address')]).toEqual([200, true])
    expect((await as('ben')(notificationTargetsApi.list, { params })).items[1]?.confirmed).toBe(false)
    const follow = (path: string) => pets.service.handle(new Request(`http://localhost${path}`, { method: 'POST' }))
    expect((await follow(`${link}x`)).status).toBe(404)
    expect((await follow(link)).status).toBe(200)
    expect((await as('ben')(notificationTargetsApi.list, { params })).items[1]?.confirmed).toBe(true)
    await happen('version_published', ['ben'], { title: 'after' })
    await run('ben', 'email')
    expect(mail.received.map(({ headers }) => headers['subject']).at(-1)).toBe('after')
    // The link is of one address.
    const address = (email: string) =>
      db.inTransaction((tx) =>
        tx
          .update(users)
          .set({ email })
          .where(eq(users.id, idOf('ben'))),
      )
    await address('other@example.com')
    expect((await follow(link)).status).toBe(404)
    await happen('version_published', ['ben'], { title: 'to another' })
    expect([await run('ben', 'email'), mail.received.length]).toEqual([null, 2])
    await address('ben@example.com')
  })

  test('unsubscribing is one POST with the form of RFC 8058; reading the link changes nothing', async () => {
    await rule('ann', 'email', 'version_published')
    await happen('version_published', ['ann'])
    await run('ann', 'email')
    const link =
      /<http:\/\/svc\.test(\/v1\/e-mail\/stop\.[^>]+)>/.exec(
        mail.received[0]?.headers['list-unsubscribe'] ?? '',
      )?.[1] ?? ''
    const page = await pets.get(link)
    expect([page.status, (await page.text()).includes('Stop this e-mail?')]).toEqual([200, true])
    expect((await rowOf('ann', 'email')).active).toBe(true)
    await happen('version_published', ['ann'])
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    // A mail program sends either; the second time nothing is left to do.
    for (const body of [form, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })]) {
      const answer = await pets.service.handle(new Request(`http://localhost${link}`, { method: 'POST', body }))
      expect([answer.status, (await answer.text()).includes('No more e-mail')]).toEqual([200, true])
    }
    expect([(await rowOf('ann', 'email')).active, await waiting()]).toEqual([false, 0])
    await happen('version_published', ['ann'])
    expect([await run('ann', 'email'), mail.received.length, await waiting()]).toEqual([null, 1, 0])
    expect((await pets.get('/v1/e-mail/stop.none.x')).status).toBe(404)
  })

  test('chats: of a person what reaches them, of the organization what happened, never a mention', async () => {
    const mine = await addChat('ann', 'slack')
    const shared = await addChat('owner', 'mattermost', 'organization')
    for (const type of ['mention', 'review_requested'] as const) await rule('ann', mine.id, type)
    await rule('owner', shared.id, 'review_requested', { projects: ['pets'] })
    expect(await outcome(rule('owner', shared.id, 'mention'))).toMatchObject({ code: 'notification-target-unfit' })
    await happen('review_requested', ['ann'], { title: 'Your review was requested', general: 'A review was requested' })
    await happen('mention', ['ann'], { title: 'You were mentioned', at: now + 1 })
    await happen('review_requested', [], { title: 'x', general: 'A review of the shop', project: shopId })
    expect([await run('ann', 'chat'), await run('', 'chat')]).toEqual([null, null])
    const bodies = chat.received.map(({ body }) => (JSON.parse(body) as { text: string }).text)
    expect(bodies).toEqual([
      expect.stringMatching(/Your review was requested[\s\S]*You were mentioned/),
      expect.stringContaining('A review was requested'),
    ])
    expect(chat.received[0]?.path).toBe('/hooks/T0/secret-part')
    const listed = JSON.stringify(await as('owner')(notificationTargetsApi.list, { params }))
    expect([listed.includes('secret-part'), listed.includes(`localhost:${chat.port}`)]).toEqual([false, true])
  })

  test('a chat that answers later is asked later, one whose webhook is gone never again', async () => {
    const mine = await addChat('ann', 'discord')
    await rule('ann', mine.id, 'mention')
    await happen('mention', ['ann'])
    chatAnswer = () => new Response('{}', { status: 429, headers: { 'retry-after': '600' } })
    expect(await run('ann', 'chat')).toBe(now + 600_000)
    chatAnswer = () => new Response('Unknown Webhook', { status: 404 })
    expect(await run('ann', 'chat')).toBeNull()
    const row = await rowOf('ann', 'chat')
    expect([row.active, row.stopped]).toEqual([
      false,
      'the chat answered 404: Unknown Webhook; its webhook may have been removed there',
    ])
    chatAnswer = () => new Response(null, { status: 204 })
    expect(await as('ann')(notificationTargetsApi.test, { params: { ...params, target_id: mine.id } })).toEqual({
      sent: true,
      message: 'A test message was sent to #discord.',
    })
  })

  test('people see and change their own targets alone; those of the organization need webhooks:edit', async () => {
    const mine = await addChat('ann', 'slack')
    const shared = await addChat('owner', 'slack', 'organization')
    const one = (id: string) => ({ params: { ...params, target_id: id } })
    const denied = { code: 'permission-denied', permission: 'webhooks:edit' }
    const missing = { code: 'notification-target-not-found', target: mine.id }
    expect(await outcome(as('ben')(notificationTargetsApi.remove, one(mine.id)))).toEqual(missing)
    expect(await outcome(as('owner')(notificationTargetsApi.test, one(mine.id)))).toEqual(missing)
    expect(await outcome(as('ben')(notificationTargetsApi.remove, one(shared.id)))).toEqual(denied)
    expect(await outcome(as('ben')(notificationTargetsApi.test, one(shared.id)))).toEqual(denied)
    expect(await outcome(rule('ben', shared.id, 'gateway'))).toEqual(denied)
    expect(await outcome(addChat('ben', 'teams', 'organization'))).toEqual(denied)
    const seen = async (name: string) =>
      (await as(name)(notificationTargetsApi.list, { params })).items.map(({ id, owner }) => `${id} ${owner}`)
    expect(await seen('ben')).toEqual(['bell me', 'email me', `${shared.id} organization`])
    expect(await seen('ann')).toEqual(['bell me', 'email me', `${mine.id} me`, `${shared.id} organization`])
    await as('ann')(notificationTargetsApi.remove, one(mine.id))
    expect(await seen('ann')).toEqual(await seen('ben'))
    expect(await pets.brief('GET', '/v1/tenants/local/notification-targets')).toBe('403 person-required')
  })

  test('what does not fit is refused with the reason', async () => {
    const code = async (work: Promise<unknown>) => ((await outcome(work)) as { code: string }).code
    const update = (id: string, body: object) =>
      as('ann')(notificationTargetsApi.update, { params: { ...params, target_id: id }, body })
    const removal = (id: string, type: NotificationType) =>
      as('ann')(notificationTargetsApi.removeRule, { params: { ...params, target_id: id, type } })
    const withUrl = (url: string) =>
      as('ann')(notificationTargetsApi.create, { params, body: { name: 'x', service: 'slack', url } })
    const unfit = 'notification-target-unfit'
    expect([
      await code(update('bell', { active: false })),
      await code(update('bell', { frequency: 'daily' })),
      await code(update('email', { name: 'x' })),
      await code(as('ann')(notificationTargetsApi.remove, { params: { ...params, target_id: 'email' } })),
      await code(removal('bell', 'account')),
      await code(rule('ann', 'email', 'mention', { projects: ['none'] })),
      await code(withUrl('http://hooks.slack.com/x')),
      await code(withUrl('https://user:pass@hooks.slack.com/x')),
      await code(withUrl('slack')),
    ]).toEqual([
      unfit,
      unfit,
      unfit,
      unfit,
      unfit,
      'project-not-found',
      'chat-url-invalid',
      'chat-url-invalid',
      'chat-url-invalid',
    ])
  })
})
