/** What a worker takes of what is due: fair between organizations, bounded for each. */
import { expect, test } from 'bun:test'
import { isoOf } from '../../../db/clock.ts'
import { newId } from '../../../db/id.ts'
import type { Database } from '../../../db/database.ts'
import { webhookDeliveries, webhookSubscriptions } from '../../../db/tables.gen.ts'
import { claimDue } from '../../../server/webhooks/claim.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const now = Date.UTC(2026, 0, 1)
const at = isoOf(now)

async function addReceiver(db: Database, tenantId: string, deliveries: number): Promise<string> {
  const id = newId()
  const times = { createdAt: at, updatedAt: at }
  await db.inTransaction(async (tx) => {
    const url = `https://example.com/${id}`
    await tx.insert(webhookSubscriptions).values({
      id,
      tenantId,
      url,
      urlKey: url,
      active: true,
      secretId: 'none',
      secretRef: 'raw:00000000',
      failures: 0,
      ...times,
    })
    for (let n = 0; n < deliveries; n++)
      await tx.insert(webhookDeliveries).values({
        id: newId(),
        tenantId,
        subscriptionId: id,
        eventId: newId(),
        eventType: 'webhook.test',
        status: 'pending',
        body: '{}',
        attemptCount: 0,
        scheduledFrom: 0,
        dueAt: at,
        ...times,
      })
  })
  return id
}

onBothEngines('claims of deliveries', (makeDb) => {
  test('an organization with many receivers leaves room for another one', async () => {
    const db = await makeDb()
    const many = await addTenant(db, 'many')
    const few = await addTenant(db, 'few')
    for (let n = 0; n < 5; n++) await addReceiver(db, many, 4)
    const other = await addReceiver(db, few, 4)
    const room = new Map([
      [many, 6],
      [few, 6],
    ])
    const take = async () => {
      const options = { want: () => 4, holds: () => 0, ofTenant: (id: string) => room.get(id) ?? 0, all: 12 }
      const claims = await claimDue(db, now, options)
      const sizes = claims.map(({ subscription, deliveries }) => {
        room.set(subscription.tenantId, (room.get(subscription.tenantId) ?? 0) - deliveries.length)
        return [subscription.tenantId === many ? 'many' : 'few', deliveries.length] as const
      })
      return { sizes, of: claims.map(({ subscription }) => subscription.id) }
    }
    const first = await take()
    expect(first.sizes.map(([slug, size]) => `${slug} ${size}`).toSorted()).toEqual(['few 4', 'many 2', 'many 4'])
    expect(first.of).toContain(other)
    // What is under way counts: nothing more is taken for it.
    expect((await take()).sizes).toEqual([])
    room.set(many, 1)
    expect((await take()).sizes).toEqual([['many', 1]])
  })
})
