/** One audit trail: that of the organization, and the chains of environments in the same table. */
import { expect, test } from 'bun:test'
import { asc, desc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { auditEvents } from '../../../db/tables.gen.ts'
import { chainRowOf, recordAudit, trailOf } from '../../../server/auth/audit.ts'
import { type ChainHead, ChainCheck, hashOfRow, noHash } from '../../../src/gateway-policy/audit.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const at = '2026-05-05T00:00:00.123Z'
const facts = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 3 }),
  fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.integer(), { maxKeys: 4 }),
)
const entry = fc.record({
  environment: fc.constantFrom('e1', 'e2', null),
  actor: fc.constantFrom('user:ann', 'api-key:k:1', 'gateway-key:g', 'system'),
  target: fc.constantFrom(null, 'environment', 'rule:1'),
  before: facts,
  after: facts,
  reason: fc.constantFrom(null, 'Because.'),
})

onBothEngines('the audit trail', (makeDb) => {
  test('chains verify however their rows are mixed, and no trail shows rows of another', async () => {
    const db = await makeDb()
    let run = 0
    const property = fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
      const tenantId = `t${run++}`
      const heads = new Map<string, ChainHead>()
      const plain: string[] = []
      for (const { environment, actor, ...content } of entries)
        await db.inTransaction(async (tx) => {
          if (environment === null) {
            const reason = String(plain.push(actor))
            await recordAudit(tx, { tenantId, actor: null, action: 'project.updated', detail: { reason }, at })
            return
          }
          const environmentId = `${tenantId}-${environment}`
          const head = heads.get(environmentId) ?? { count: 0, hash: noHash }
          const chain = { environmentId, ...head }
          heads.set(
            environmentId,
            await recordAudit(tx, { tenantId, actor, action: 'rule.created', ...content, policyVersion: 1, at, chain }),
          )
        })
      const shown = await db.read.select().from(auditEvents).where(trailOf(tenantId, null).where)
      expect(shown.map((row) => [row.action, row.seq])).toEqual(plain.map(() => ['project.updated', null]))
      for (const [environmentId, head] of heads) {
        const { where, order } = trailOf(tenantId, environmentId)
        const rows = await db.read
          .select()
          .from(auditEvents)
          .where(where)
          .orderBy(...order.map((column) => desc(column)))
        const check = new ChainCheck()
        for (const row of rows.toReversed()) check.add(chainRowOf(row))
        expect(check.end(head)).toBe(null)
        const own = entries.filter(({ environment }) => environmentId === `${tenantId}-${environment}`)
        expect(rows.map(chainRowOf).map((row) => [row.actor, row.target, row.before, row.after, row.reason])).toEqual(
          own.map((one) => [one.actor, one.target, one.before, one.after, one.reason]).toReversed(),
        )
      }
    })
    await fc.assert(property, { numRuns: 30 })
  })

  test('a row has the digest that a row of the same content always had', async () => {
    const db = await makeDb()
    const chain = { environmentId: 'e', count: 0, hash: noHash }
    const content = {
      actor: 'user:ann',
      action: 'policy.changed',
      target: 'presets',
      before: { tier: 'low' },
      after: null,
    }
    await db.inTransaction((tx) =>
      recordAudit(tx, { tenantId: 't', ...content, reason: 'Why', policyVersion: 3, at, chain }),
    )
    const [row] = await db.read
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, 't'))
      .orderBy(asc(auditEvents.id))
    if (row === undefined) throw new Error('no row')
    expect(row.hash).toBe(
      hashOfRow({ environmentId: 'e', seq: 1, id: row.id, at, ...content, reason: 'Why', policyVersion: 3 }, noHash),
    )
  })

  test('the database keeps the rows of chains, and takes no row into one afterwards', async () => {
    const db = await makeDb()
    const chain = { environmentId: 'e', count: 0, hash: noHash }
    await db.inTransaction(async (tx) => {
      await recordAudit(tx, { tenantId: 't', actor: 'system', action: 'a.b', policyVersion: 1, at, chain })
      await recordAudit(tx, { tenantId: 't', actor: null, action: 'project.updated', at })
    })
    const refused = (work: Parameters<typeof db.inTransaction>[0]) =>
      db.inTransaction(work).then(
        () => false,
        () => true,
      )
    const ofChain = eq(auditEvents.environmentId, 'e')
    const ofOrganization = eq(auditEvents.action, 'project.updated')
    expect([
      await refused((tx) => tx.update(auditEvents).set({ targetId: 'x' }).where(ofChain)),
      await refused((tx) => tx.update(auditEvents).set({ environmentId: null }).where(ofChain)),
      await refused((tx) => tx.delete(auditEvents).where(ofChain)),
      await refused((tx) => tx.update(auditEvents).set({ environmentId: 'e', seq: 2 }).where(ofOrganization)),
      await refused((tx) =>
        recordAudit(tx, { tenantId: 't', actor: 'system', action: 'a.b', policyVersion: 1, at, chain }),
      ),
    ]).toEqual([true, true, true, true, true])
    await db.inTransaction((tx) => tx.delete(auditEvents).where(ofOrganization))
    expect(await db.read.$count(auditEvents)).toBe(1)
  })
})
