import { describe, expect, test } from 'bun:test'
import { eq, getTableName } from 'drizzle-orm'
import { closureOf } from '../../../db/bin/closure.ts'
import { bringBack } from '../../../db/bin/bring-back.ts'
import { Keeper, type BinEntryRow } from '../../../db/bin/keep.ts'
import { removePart } from '../../../db/bin/remove.ts'
import type { Database } from '../../../db/database.ts'
import {
  binEntries,
  binParts,
  mcpEndpoints,
  primitives,
  projects,
  repositories,
  versions,
  webhookSubscriptions,
} from '../../../db/tables.gen.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { dump, fillBelow } from './random-rows.ts'

const at = '2026-05-05T00:00:00.000Z'
const roots = [projects, versions, primitives, webhookSubscriptions, mcpEndpoints, repositories] as const
type Root = (typeof roots)[number]

const entryOf = (tenantId: string, id: string): BinEntryRow => ({
  id,
  tenantId,
  kind: 'project',
  name: '',
  ref: '',
  projectId: null,
  projectSlug: null,
  counts: {},
  detail: {},
  secretIds: [],
  sizeBytes: 0,
  deletedBy: null,
  deletedAt: at,
  expiresAt: at,
})

/**
 * Keeps and deletes a row of the root.
 * @param budgetMs of each transaction; 0 removes the fewest rows that a part can
 * @returns how many transactions there were
 */
async function remove(db: Database, root: Root, entry: BinEntryRow, budgetMs: number): Promise<number> {
  const { id, tenantId } = entry
  await db.inTransaction(async (tx) => {
    await tx.insert(binEntries).values(entry)
    const keeper = await Keeper.of(tx, tenantId, id)
    await keeper?.keepRows(root, await tx.select().from(root).where(eq(root.id, id)))
    await keeper?.close({})
  })
  const part = (isCut: boolean) =>
    db.inTransaction(async (tx) => {
      const keeper = await Keeper.of(tx, tenantId, id)
      const isDone = await removePart(root, id, { tx, tenantId, keeper, leftOut: [], budgetMs })
      await keeper?.close({})
      if (isCut) throw new Error('the process ended')
      return isDone
    })
  for (let parts = 1; ; parts++) {
    // A part that is cut off before its end leaves nothing half done.
    if (parts % 3 === 0) expect(await part(true).catch((error: Error) => error.message)).toBe('the process ended')
    if (await part(false)) return parts
  }
}

onBothEngines('the bin', (makeDb) => {
  for (const [root, budgetMs] of roots.flatMap((one) => [[one, 60_000] as const, [one, 0] as const]))
    test(`deleting and restoring leaves every row as it was: ${getTableName(root)}, ${budgetMs} ms for each part`, async () => {
      const db = await makeDb()
      const tenantId = await addTenant(db, 'acme')
      const [id = ''] = await fillBelow(db, tenantId, root, { seed: 7, rows: 15 })
      const before = await dump(db, [binEntries, binParts])
      const entry = entryOf(tenantId, id)
      const parts = await remove(db, root, entry, budgetMs)
      expect(budgetMs === 0 ? parts > 1 : parts === 1).toBe(true)
      const between = await dump(db, [binEntries, binParts])
      // Something of each table below vanished, or the test would say nothing.
      for (const { table } of closureOf(root, []).tables) {
        const name = getTableName(table)
        expect([name, (between[name] ?? []).length < (before[name] ?? []).length]).toEqual([name, true])
      }
      await db.inTransaction(async (tx) => {
        await bringBack(tx, entry, (_, rows) => Promise.resolve(rows))
        await tx.delete(binEntries).where(eq(binEntries.id, id))
      })
      expect(await dump(db)).toEqual(before)
    })
})

describe('what vanishes with a row', () => {
  const below = (root: Root) => closureOf(root, []).tables.map(({ table }) => getTableName(table))
  test('is listed with what it refers to first', () => {
    expect(below(primitives)).toEqual(['primitives', 'embedding_types', 'primitive_edges', 'primitive_revisions'])
    expect(below(webhookSubscriptions)).toEqual(['webhook_subscriptions', 'webhook_deliveries', 'webhook_attempts'])
  })

  test('leaves out tables with what vanishes with their rows', () => {
    const { tables } = closureOf(webhookSubscriptions, [closureOf(webhookSubscriptions, []).tables[1]!.table])
    expect(tables.map(({ table }) => getTableName(table))).toEqual(['webhook_subscriptions'])
  })
})
