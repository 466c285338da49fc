/** How long what gateways recorded is kept: by age, and of too many events the newest. */
import { expect, test } from 'bun:test'
import { isoOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { environments, gatewayEventIds, gatewaySeen, securityCounts, securityEvents } from '../../../db/tables.gen.ts'
import { keepEventsMs, removeOldRecords } from '../../../server/gateway-policy/retention.ts'
import { addTenant, depsOver } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const now = Date.UTC(2026, 5, 1)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const at = (agoMs: number): string => isoOf(now - agoMs)

async function addEnvironment(db: Database, tenantId: string): Promise<string> {
  const id = `environment of ${tenantId}`
  await db.inTransaction((tx) =>
    tx.insert(environments).values({
      id,
      tenantId,
      name: 'Production',
      slug: 'production',
      kind: 'production',
      projectIds: [],
      hostnames: [],
      basePaths: [],
      evidence: 'digest',
      approvalsRequired: false,
      approversMin: 1,
      policyVersion: 1,
      auditCount: 0,
      auditHash: '',
      createdAt: at(0),
      updatedAt: at(0),
    }),
  )
  return id
}

onBothEngines('records of gateways', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const tenants = [await addTenant(db, 'acme'), await addTenant(db, 'other')] as const
    const [acme, other] = [await addEnvironment(db, tenants[0]), await addEnvironment(db, tenants[1])]
    const owner = new Map([
      [acme, tenants[0]],
      [other, tenants[1]],
    ])
    const placeOf = (environmentId: string) => ({ environmentId, tenantId: owner.get(environmentId) ?? '' })
    const addEvents = (environmentId: string, ages: Readonly<Record<string, number>>) =>
      db.inTransaction(async (tx) => {
        for (const [id, age] of Object.entries(ages))
          await tx.insert(securityEvents).values({
            ...placeOf(environmentId),
            id,
            at: at(age),
            source: 'agent',
            ruleRef: '1',
            ruleRefs: ' 1 ',
            action: 'block',
            count: 1,
            firstAt: at(age),
            lastAt: at(age),
            matches: [],
            exceptionIds: [],
          })
      })
    const clean = (most?: number, signal = new AbortController().signal) =>
      removeOldRecords(depsOver(db, { now: () => now, iso: () => isoOf(now) }), signal, most)
    const events = async () =>
      (await db.read.select().from(securityEvents)).map(
        (it) => `${it.environmentId === acme ? 'acme' : 'other'} ${it.id}`,
      )
    return { db, acme, other, placeOf, addEvents, clean, events }
  }

  test('events of 30 days are kept, of each environment the newest', async () => {
    const { acme, other, addEvents, clean, events } = await setUp()
    // The order of ids is not that of time.
    await addEvents(acme, { a: hour, b: 3 * hour, c: 2 * hour, d: keepEventsMs, e: keepEventsMs + 1 })
    await addEvents(other, { f: 5 * hour, g: 4 * hour })
    await clean()
    expect((await events()).toSorted()).toEqual(['acme a', 'acme b', 'acme c', 'acme d', 'other f', 'other g'])
    await clean(2)
    expect((await events()).toSorted()).toEqual(['acme a', 'acme c', 'other f', 'other g'])
    await clean(1)
    expect((await events()).toSorted()).toEqual(['acme a', 'other g'])
    await clean(0, AbortSignal.abort())
    expect((await events()).length).toBe(2)
    await clean(0)
    expect(await events()).toEqual([])
  })

  test('counts of minutes are kept for 2 days, of hours for 30, calls for 92, and ids for 2 hours', async () => {
    const { db, acme, placeOf, clean } = await setUp()
    const place = placeOf(acme)
    const count = (span: 'minute' | 'hour', ref: string, age: number) => ({
      ...place,
      span,
      at: at(age),
      kind: 'action' as const,
      ref,
      count: 1,
    })
    const seen = (days: number) => ({
      ...place,
      day: at(days * day).slice(0, 10),
      method: 'GET',
      route: '',
      pathShape: String(days),
      count: 1,
      firstAt: at(0),
      lastAt: at(0),
    })
    await db.inTransaction(async (tx) => {
      await tx
        .insert(securityCounts)
        .values([
          count('minute', 'kept', 2 * day),
          count('minute', 'gone', 2 * day + 1),
          count('hour', 'kept', 2 * day + 1),
          count('hour', 'last', 30 * day),
          count('hour', 'gone', 30 * day + 1),
        ])
      await tx.insert(gatewaySeen).values([seen(0), seen(92), seen(93)])
      const ids = [
        ['kept', 2 * hour],
        ['gone', 2 * hour + 1],
      ] as const
      await tx.insert(gatewayEventIds).values(ids.map(([id, age]) => ({ ...place, id, receivedAt: at(age) })))
    })
    await clean()
    const counts = (await db.read.select().from(securityCounts)).map(({ span, ref }) => `${span} ${ref}`)
    expect(counts.toSorted()).toEqual(['hour kept', 'hour last', 'minute kept'])
    expect((await db.read.select().from(gatewaySeen)).map(({ pathShape }) => pathShape).toSorted()).toEqual(['0', '92'])
    expect((await db.read.select().from(gatewayEventIds)).map(({ id }) => id)).toEqual(['kept'])
  })
})
