/** Which subscriptions an event gets a delivery for. */
import { expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { isoOf } from '../../../db/clock.ts'
import { webhookDeliveries } from '../../../db/tables.gen.ts'
import type { PublicEvent } from '../../../server/outbox/door.ts'
import { bodyOfEvent, mostBodyBytes } from '../../../server/webhooks/event-body.ts'
import { fanOut, type Filters, passesFilter } from '../../../server/webhooks/fan-out.ts'
import { exampleVersion } from '../../../src/api/events/declare.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { addReceiver, now } from '../../fixtures/deliveries.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

type Severity = 'breaking' | 'non-breaking' | 'docs-only' | null

const published = (id: string, tenantId: string, severity: Severity): PublicEvent => ({
  id,
  tenantId,
  type: 'version.published',
  subjectId: '1',
  payload: {
    ...exampleVersion,
    label: '2.0.0',
    visibility: 'private',
    digest: 'sha256:00',
    baseline_version_id: null,
    baseline_label: null,
    max_severity: severity,
    counts: { breaking: 0, nonBreaking: 0, docsOnly: 0, unknown: 0 },
    forced: false,
    published_by: null,
    published_at: isoOf(now),
  },
  createdAt: isoOf(now),
})

const unlimited: Filters = { minSeverity: null, eventTypes: null, projectIds: null }

test('chosen types and projects let nothing else pass; an event of no project passes where no project is chosen', () => {
  const event = published('1', '1', null)
  const { project_id } = exampleVersion
  const { project_id: _, ...payload } = event.payload as typeof event.payload & { project_id: string }
  const ofNone = { ...event, payload } as unknown as PublicEvent
  const passed = (filters: Partial<Filters>) =>
    [event, ofNone].map((it) => passesFilter(it, { ...unlimited, ...filters }))
  expect([
    passed({}),
    passed({ eventTypes: ['version.published'] }),
    passed({ eventTypes: ['version.retired'] }),
    passed({ projectIds: [project_id] }),
    passed({ projectIds: ['another'] }),
    passed({ eventTypes: ['version.published'], projectIds: ['another', project_id], minSeverity: 'breaking' }),
  ]).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [true, false],
    [false, false],
    [false, false],
  ])
})

test('a filter by severity lets the same and worse pass, never what has none, and concerns publications alone', () => {
  const passed = (severity: Severity) =>
    ([null, 'docs-only', 'non-breaking', 'breaking'] as const).filter((it) =>
      passesFilter(published('1', '1', severity), { ...unlimited, minSeverity: it }),
    )
  expect([null, 'docs-only', 'non-breaking', 'breaking'].map((it) => passed(it as Severity))).toEqual([
    [null],
    [null, 'docs-only'],
    [null, 'docs-only', 'non-breaking'],
    [null, 'docs-only', 'non-breaking', 'breaking'],
  ])
  const { payload, ...event } = published('1', '1', null)
  expect(
    passesFilter({ ...event, type: 'version.retired', payload } as PublicEvent, {
      ...unlimited,
      minSeverity: 'breaking',
    }),
  ).toBe(true)
})

onBothEngines('deliveries of events', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    let woken = 0
    const deps = {
      db,
      clock: { now: () => now, iso: () => isoOf(now) },
      publicUrl: () => 'https://svc.example.com',
      wake: () => (woken += 1),
    } as unknown as Parameters<typeof fanOut>[0]
    const send = (...events: PublicEvent[]) => db.inTransaction((tx) => fanOut(deps, tx, events))
    const rows = () => db.read.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id))
    return { db, send, rows, woken: () => woken }
  }

  test('each subscription of the organization gets one, however often the event is read; an inactive one keeps it cancelled', async () => {
    const { db, send, rows, woken } = await setUp()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    const active = await addReceiver(db, acme, [])
    const inactive = await addReceiver(db, acme, [], { active: false })
    const filtered = await addReceiver(db, acme, [], { minSeverity: 'breaking' })
    const theirs = await addReceiver(db, other, [])
    await send(published('e1', acme, 'docs-only'), published('e2', other, 'breaking'))
    expect(woken()).toBe(1)
    await send(published('e1', acme, 'docs-only'))
    const list = (await rows()).map((row) => [
      row.subscriptionId,
      row.eventId,
      row.status,
      row.dueAt,
      row.lastError,
      row.tenantId,
    ])
    const byReceiver = new Map(list.map(([id, ...rest]) => [id, rest]))
    expect(byReceiver).toEqual(
      new Map([
        [active, ['e1', 'pending', isoOf(now), null, acme]],
        [inactive, ['e1', 'cancelled', null, 'subscription-inactive', acme]],
        [theirs, ['e2', 'pending', isoOf(now), null, other]],
      ]),
    )
    expect(list.length).toBe(3)
    expect(list.map(([id]) => id)).not.toContain(filtered)
    expect(JSON.parse((await rows())[0]?.body ?? '')).toMatchObject({
      type: 'version.published',
      data: { urls: { application: 'https://svc.example.com/app/t/acme/train-travel/2.0.0' } },
    })
  })

  test('an organization without subscriptions gets none, and nobody is woken', async () => {
    const { db, send, rows, woken } = await setUp()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    await addReceiver(db, other, [])
    await send(published('e1', acme, 'breaking'))
    expect([await rows(), woken()]).toEqual([[], 0])
  })

  test('an event whose body is too large is a fault, if anyone receives it', async () => {
    const { db, send, rows } = await setUp()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [], { minSeverity: 'breaking' })
    const sized = (id: string, severity: Severity, bytes: number) => {
      const event = published(id, acme, severity)
      const padded = (digest: string) => ({ ...event, payload: { ...event.payload, digest } }) as PublicEvent
      const place = { publicUrl: 'https://svc.example.com', tenant: 'acme' }
      return padded('x'.repeat(bytes - Buffer.byteLength(JSON.stringify(bodyOfEvent(padded(''), place)))))
    }
    const sent = (event: PublicEvent) =>
      send(event).then(
        () => 'sent',
        (error: unknown) => String(error),
      )
    expect([
      await sent(sized('e1', 'breaking', mostBodyBytes)),
      await sent(sized('e2', 'breaking', mostBodyBytes + 1)),
      await sent(sized('e3', 'docs-only', mostBodyBytes + 1)),
    ]).toEqual(['sent', 'Error: The body of the event e2 is too large.', 'sent'])
    expect((await rows()).map((row) => [row.eventId, Buffer.byteLength(row.body)])).toEqual([['e1', mostBodyBytes]])
  })
})
