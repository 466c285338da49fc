import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { auditEvents, secrets, webhookDeliveries, webhookSubscriptions } from '../../../db/tables.gen.ts'
import { forgetExpired } from '../../../server/bin/forget.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { startSink, trustSinks, type Received, type Sink } from '../../fixtures/sink.ts'

const base = '/v1/push-webhook-subscriptions/local'
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const raw = 'a long enough raw secret, ünïcode'
const schedule = [0, 20, 20]

let trust: ReturnType<typeof trustSinks>
beforeAll(() => {
  trust = trustSinks()
})
afterAll(() => trust.end())

/** The second opinion on a signature, by the text of Standard Webhooks 1.0.0. */
function signatureOf(key: Uint8Array, { headers, body }: Received): string {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 2000; n++) {
    if (await holds()) return
    await Bun.sleep(10)
  }
  throw new Error('it did not happen')
}

onBothEngines('webhooks', (makeDb) => {
  let it: PetsProject
  let db: Awaited<ReturnType<typeof makeDb>>
  const sinks: Sink[] = []
  const sinkOf = (...given: Parameters<typeof startSink>): Sink => {
    const sink = startSink(...given)
    sinks.push(sink)
    return sink
  }
  const subscribe = async (url: string, more: object = {}): Promise<string> => {
    const { status, value } = await it.send('POST', base, { url, signingSecret: secret, ...more })
    expect(status).toBe(200)
    return String(value['id'])
  }
  const testEvent = async (id: string): Promise<string> =>
    String((await it.send('POST', `${base}/${id}/test`)).value['id'])
  const stateOf = async (id: string) => {
    const { value } = await it.send('GET', `${base}/deliveries/${id}`)
    return value as Record<string, unknown> & { attempts: { status_code: number | null; error_class: string | null }[] }
  }
  const ends = async (id: string, status: string) => {
    await until(async () => (await stateOf(id))['status'] === status)
    return stateOf(id)
  }
  const remove = (id: string) => it.send('DELETE', `${base}/${id}`)
  const publish = async (label: string, paths: string, body: object = {}) => {
    await it.send('POST', '', { label, content: petsYaml(label, paths) })
    expect((await it.send('POST', `/${label}/publish`, body)).status).toBe(200)
  }

  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db, { egressAllow: '127.0.0.0/8,::1/128', webhookSchedule: schedule })
    it.service.deps.wake()
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await Promise.all(sinks.map((sink) => sink.stop()))
  })

  test('a subscription is created, read, listed, changed and deleted; its secret is never answered', async () => {
    const made = await it.send('POST', base, {
      url: 'https://Example.com/hook',
      signingSecret: secret,
      minSeverity: 'breaking',
    })
    const { id, signingSecretRef: ref, createdAt, ...rest } = made.value
    expect([made.status, rest]).toEqual([
      200,
      {
        url: 'https://Example.com/hook',
        active: true,
        minSeverity: 'breaking',
        name: null,
        eventTypes: null,
        projects: null,
        keepAnswers: false,
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        pausedUntil: null,
        lastDelivery: null,
        updatedAt: createdAt,
      },
    ])
    expect(ref).toMatch(/^whsec:[0-9a-f]{8}$/)
    const one = `${base}/${String(id)}`
    expect((await it.send('GET', one)).value).toEqual(made.value)
    expect(JSON.parse((await it.send('GET', base)).text)).toEqual([made.value])
    const brief = (method: string, path: string, body?: unknown) => it.brief(method, path, body)
    // The same address in other words.
    for (const url of ['https://example.com:443/hook', 'https://example.com./%68ook'])
      expect(await brief('POST', base, { url, signingSecret: secret })).toBe('409 webhook-url-taken')
    expect((await it.send('PATCH', one, {})).value['minSeverity']).toBe('breaking')
    const nulls = { url: null, signingSecret: null, active: null }
    expect((await it.send('PATCH', one, nulls)).value).toMatchObject({
      signingSecretRef: ref,
      active: true,
      minSeverity: 'breaking',
    })
    expect((await it.send('PATCH', one, { minSeverity: null })).value['minSeverity']).toBeNull()
    expect((await it.send('PATCH', one, { minSeverity: 'docs-only', active: false })).value).toMatchObject({
      minSeverity: 'docs-only',
      active: false,
    })
    const other = await subscribe('https://example.com/other')
    expect(await brief('PATCH', `${base}/${other}`, { url: 'https://example.com/hook' })).toBe('409 webhook-url-taken')
    expect((await it.send('PATCH', `${base}/${other}`, { url: 'https://example.com/moved' })).value['url']).toBe(
      'https://example.com/moved',
    )
    const rotated = String((await it.send('PATCH', one, { signingSecret: raw })).value['signingSecretRef'])
    expect(rotated).toMatch(new RegExp(`^raw:[0-9a-f]{8} previous:${String(ref).slice(6)}@20.*Z$`))
    expect(await brief('POST', `${base}/${String(id)}/test`)).toBe('409 webhook-disabled')
    expect([(await remove(String(id))).status, (await remove(other)).status]).toEqual([204, 204])
    expect([await brief('GET', one), await brief('PATCH', one, {}), (await remove(String(id))).status]).toEqual([
      '404 webhook-not-found',
      '404 webhook-not-found',
      404,
    ])
    // The bin keeps its secrets, encrypted, until it is deleted permanently.
    expect(await db.read.select({ id: secrets.id }).from(secrets)).toHaveLength(3)
    const { vault, clock } = it.service.deps
    await forgetExpired(db, vault, clock.now() + 31 * 86_400_000)
    expect(await db.read.select().from(secrets)).toEqual([])
    const trail = await db.read
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.targetId, String(id)))
    expect(trail.map(({ action }) => action).toSorted()).toEqual([
      'webhook.created',
      'webhook.deleted',
      'webhook.secret-rotated',
      ...Array.from({ length: 5 }, () => 'webhook.updated'),
    ])
    expect(JSON.stringify(trail)).not.toContain(raw)
  })

  test.each([
    ['http://example.com/', '422 webhook-url-invalid'],
    ['https:/example.com/', '422 webhook-url-invalid'],
    ['https:\\\\example.com/', '422 webhook-url-invalid'],
    ['https://me:pw@example.com/', '422 webhook-url-invalid'],
    ['https://example.com/#', '422 webhook-url-invalid'],
    ['https://example.com/a b', '422 webhook-url-invalid'],
    ['https://example.com:22/', '422 webhook-url-invalid'],
    ['example.com', '422 webhook-url-invalid'],
    [`https://example.com/${'a'.repeat(2048)}`, '422 webhook-url-invalid'],
  ])('the address %s is refused', async (url, expected) => {
    expect(await it.brief('POST', base, { url, signingSecret: secret })).toBe(expected)
  })

  test.each([
    'short',
    'x'.repeat(23),
    'x'.repeat(513),
    'whsec_',
    'whsec_not base64 at all, however long',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
  ])('the secret %p is refused', async (weak) => {
    expect(await it.brief('POST', base, { url: 'https://example.com/', signingSecret: weak })).toBe(
      '422 webhook-secret-weak',
    )
  })

  test('a subscription says since when it is off', async () => {
    const id = await subscribe('https://example.com/off')
    const patch = async (active: boolean) => (await it.send('PATCH', `${base}/${id}`, { active })).value
    const off = await patch(false)
    expect(off).toMatchObject({ active: false, disabledReason: null, disabledAt: off['updatedAt'] })
    expect(await patch(false)).toMatchObject({ active: false, disabledAt: off['disabledAt'] })
    expect(await patch(true)).toMatchObject({ active: true, disabledAt: null })
    await remove(id)
    const born = await it.send('POST', base, { url: 'https://example.com/off', signingSecret: secret, active: false })
    expect(born.value).toMatchObject({ active: false, disabledAt: born.value['createdAt'] })
    await remove(String(born.value['id']))
  })

  test('a test event is signed by the present secret, and by the one before it while both are valid', async () => {
    const sink = sinkOf()
    const id = await subscribe(`${sink.url}/hook`)
    const delivery = await ends(await testEvent(id), 'delivered')
    const [first] = sink.received
    expect(first).toMatchObject({
      path: '/hook',
      headers: { 'content-type': 'application/json', 'webhook-id': delivery['id'] },
    })
    expect(JSON.parse(first?.body ?? '')).toEqual(delivery['payload'])
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toEqual(delivery['payload'])
    expect(first?.headers['webhook-signature']).toBe(signatureOf(Buffer.alloc(32, 1), first as Received))
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 1, lastError: null, nextRetryAt: null })
    expect(delivery.attempts).toMatchObject([{ attempt: 1, status_code: 204, error_class: null }])
    const { createdAt } = delivery
    const lastDelivery = { id: delivery['id'], eventType: 'webhook.test', status: 'delivered', createdAt }
    expect((await it.send('GET', `${base}/${id}`)).value).toMatchObject({ lastDelivery })
    expect(JSON.parse((await it.send('GET', base)).text)).toMatchObject([{ id, lastDelivery }])
    expect((await it.send('PATCH', `${base}/${id}`, { signingSecret: raw })).value).toMatchObject({ lastDelivery })
    await ends(await testEvent(id), 'delivered')
    const both = sink.received[1] as Received
    expect(both.headers['webhook-signature']).toBe(
      `${signatureOf(new TextEncoder().encode(raw), both)} ${signatureOf(Buffer.alloc(32, 1), both)}`,
    )
    const past = { previousUntil: '2026-01-01T00:00:00.000Z' }
    await db.inTransaction((tx) => tx.update(webhookSubscriptions).set(past).where(eq(webhookSubscriptions.id, id)))
    await ends(await testEvent(id), 'delivered')
    const one = sink.received[2] as Received
    expect(one.headers['webhook-signature']).toBe(signatureOf(new TextEncoder().encode(raw), one))
    const altered = { ...one, body: one.body.replace('test', 'tesT') }
    expect(() =>
      new Webhook(new TextEncoder().encode(raw), { format: 'raw' }).verify(altered.body, altered.headers),
    ).toThrow()
    await remove(id)
  })

  test('publications reach those whose filter they meet; other events reach everyone', async () => {
    const all = sinkOf()
    const breaking = sinkOf()
    const docs = sinkOf()
    const ids = [
      await subscribe(all.url),
      await subscribe(breaking.url, { minSeverity: 'breaking' }),
      await subscribe(docs.url, { minSeverity: 'docs-only' }),
    ]
    const get = (summary: string) =>
      `{ /a: { get: { summary: ${summary}, responses: { '200': { description: ok } } } } }`
    await publish('1.0.0', get('one'))
    await publish('1.0.1', get('two'))
    await publish('2.0.0', '{}')
    await it.send('POST', '/1.0.0/deprecate', { replacement: '2.0.0' })
    await it.send('POST', '/1.0.0/retire')
    await until(() => all.received.length === 5 && breaking.received.length === 3 && docs.received.length === 4)
    const seen = (sink: Sink) =>
      sink.received
        .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
        .map(({ type, data }) => `${data['sequence']} ${type} ${data['version_label']} ${data['max_severity']}`)
        .toSorted()
    const others = ['4 version.deprecated 1.0.0 undefined', '5 version.retired 1.0.0 undefined']
    expect(seen(all)).toEqual([
      '1 version.published 1.0.0 null',
      '2 version.published 1.0.1 docs-only',
      '3 version.published 2.0.0 breaking',
      ...others,
    ])
    expect(seen(docs)).toEqual(['2 version.published 1.0.1 docs-only', '3 version.published 2.0.0 breaking', ...others])
    expect(seen(breaking)).toEqual(['3 version.published 2.0.0 breaking', ...others])
    const published = `${base}/${ids[0]}/deliveries?type=version.published&status=delivered&limit=2`
    await until(async () => (await it.send('GET', published)).value['total'] === 3)
    const { value } = await it.send('GET', published)
    expect(value).toMatchObject({ count: 2, total: 3, limit: 2, offset: 0 })
    const feed = await it.send('GET', `${base}/events?since=2026-01-01T00:00:00Z`)
    expect((feed.value['events'] as { payload: object }[]).map(({ payload }) => payload)).toEqual(
      all.received
        .map(({ body }) => JSON.parse(body) as { data: { sequence: number } })
        .toSorted((a, b) => a.data.sequence - b.data.sequence),
    )
    for (const id of ids) await remove(id)
  })

  test('what fails is tried again by the schedule, ends as a dead letter, and can be sent again', async () => {
    let status = 500
    const sink = sinkOf(() => new Response(null, { status }))
    const id = await subscribe(sink.url)
    const delivery = await testEvent(id)
    const dead = await ends(delivery, 'dead_letter')
    expect(dead).toMatchObject({ attemptCount: 3, lastError: 'http-500', nextRetryAt: null })
    expect(dead.attempts.map(({ status_code: code, error_class: why }) => [code, why])).toEqual(
      Array.from({ length: 3 }, () => [500, 'http-500']),
    )
    const letters = JSON.parse((await it.send('GET', `${base}/deliveries/dead-letter`)).text) as Record<
      string,
      unknown
    >[]
    expect(letters.map((letter) => [letter['id'], letter['attemptCount'], letter['lastError']])).toEqual([
      [delivery, 3, 'http-500'],
    ])
    status = 200
    expect((await it.send('POST', `${base}/deliveries/${delivery}/redeliver`)).value).toMatchObject({
      status: 'pending',
    })
    expect(await ends(delivery, 'delivered')).toMatchObject({ attemptCount: 4, lastError: null })
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery]))
    const { value } = await it.send('GET', `${base}/${id}/stats`)
    expect(value).toMatchObject({
      deliveries: { delivered: 1, dead_letter: 0 },
      attempts: { total: 4, accepted: 1 },
      next_attempt_at: null,
    })
    expect(await it.brief('GET', `${base}/deliveries/none`)).toBe('404 delivery-not-found')
    await remove(id)
  })

  test('a redirect, a port where nothing listens, and a network that is closed', async () => {
    const gone = sinkOf()
    await gone.stop()
    const moved = sinkOf(() => new Response(null, { status: 302, headers: { location: '/other' } }))
    const made = [await subscribe(moved.url), await subscribe(gone.url), await subscribe('https://10.1.2.3/')]
    const errors = []
    for (const id of made) errors.push((await ends(await testEvent(id), 'dead_letter'))['lastError'])
    expect(errors).toEqual(['redirect', 'connection-refused', 'egress-denied'])
    expect(new Set(moved.received.map(({ path }) => path))).toEqual(new Set(['/']))
    for (const id of made) await remove(id)
  })

  test('the receiver may end a message, or switch the subscription off; what it misses is kept and replayed', async () => {
    let headers: Record<string, string> = { 'webhook-delivery': 'abort-message' }
    let status = 500
    const sink = sinkOf(() => new Response(null, { status, headers }))
    const id = await subscribe(sink.url)
    expect(await ends(await testEvent(id), 'cancelled')).toMatchObject({ attemptCount: 1, lastError: 'abort-message' })
    for (const [reason, given, answered] of [
      ['receiver', { 'webhook-delivery': 'disable' }, 200],
      ['gone', {}, 410],
    ] as const) {
      headers = given
      status = answered
      const delivery = await testEvent(id)
      await ends(delivery, answered === 200 ? 'delivered' : 'cancelled')
      expect((await it.send('GET', `${base}/${id}`)).value).toMatchObject({ active: false, disabledReason: reason })
      headers = {}
      status = 200
      await it.send('PATCH', `${base}/${id}`, { active: true })
    }
    await it.send('PATCH', `${base}/${id}`, { active: false })
    await publish(`3.0.${makeDb.dialect.length}`, '{}')
    const missed = async () =>
      (await db.read.select().from(webhookDeliveries).where(eq(webhookDeliveries.subscriptionId, id))).filter(
        ({ lastError }) => lastError === 'subscription-inactive',
      )
    await until(async () => (await missed()).length === 1)
    const replay = (body: object) =>
      it.send('POST', `${base}/deliveries/dead-letter/replay`, { subscription_id: id, ...body })
    const since = '2026-01-01T00:00:00Z'
    expect((await replay({ since })).value.detail?.code).toBe('webhook-disabled')
    await it.send('PATCH', `${base}/${id}`, { active: true })
    const before = sink.received.length
    expect((await replay({ since, dry_run: true })).value).toEqual({ replayed: 3, remaining: 0, dry_run: true })
    expect((await replay({ since, until: since })).value).toEqual({ replayed: 0, remaining: 0, dry_run: false })
    expect((await replay({ since })).value).toEqual({ replayed: 3, remaining: 0, dry_run: false })
    await until(() => sink.received.length === before + 3)
    await until(async () => (await missed()).length === 0)
    await remove(id)
  })

  test('five failures in a row pause a receiver; others are not delayed by it', async () => {
    const down = sinkOf(() => new Response(null, { status: 503, headers: { 'retry-after': '0' } }))
    const fine = sinkOf()
    const [bad, good] = [await subscribe(down.url), await subscribe(fine.url)]
    const deliveries = []
    for (let n = 0; n < 3; n++) deliveries.push(await testEvent(bad))
    await until(async () => (await it.send('GET', `${base}/${bad}`)).value['pausedUntil'] !== null)
    await ends(await testEvent(good), 'delivered')
    for (const id of deliveries) expect((await ends(id, 'dead_letter'))['attemptCount']).toBe(3)
    await remove(bad)
    await remove(good)
  })

  test('a receiver that hangs has four requests at once and delays no other', async () => {
    const gate = Promise.withResolvers<void>()
    const hangs = sinkOf(async () => {
      await gate.promise
      return new Response(null, { status: 204 })
    })
    const fine = sinkOf()
    const [slow, good] = [await subscribe(hangs.url), await subscribe(fine.url)]
    const waiting = await Promise.all(Array.from({ length: 6 }, () => testEvent(slow)))
    await until(() => hangs.received.length === 4)
    for (let n = 0; n < 3; n++) await ends(await testEvent(good), 'delivered')
    expect(hangs.received.length).toBe(4)
    gate.resolve()
    for (const id of waiting) await ends(id, 'delivered')
    expect(new Set(hangs.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(waiting))
    await remove(slow)
    await remove(good)
  })

  test('nothing that was tried is a bug', () => {
    expect(it.faults).toEqual([])
  })
})
