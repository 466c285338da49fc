import { and, eq, lte } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { BinEntryRow } from '../../db/bin/keep.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { binEntries } from '../../db/tables.gen.ts'
import type { Vault } from '../vault/door.ts'

/**
 * Deletes an entry for ever: its parts, its secrets, and what belonged to it and was deleted before it, which could not be
 * restored any more.
 */
export async function forget(vault: Vault, tx: Transaction, entry: BinEntryRow): Promise<void> {
  const { id, tenantId, kind, secretIds } = entry
  for (const secretId of secretIds) await vault.remove(tx, tenantId, secretId)
  await tx.delete(binEntries).where(inTenant(binEntries, tenantId, eq(binEntries.id, id)))
  if (kind === 'project')
    await tx.delete(binEntries).where(inTenant(binEntries, tenantId, eq(binEntries.projectId, id)))
}

const entriesAtOnce = 20

/**
 * Deletes for ever what is in the bin for too long, some entries in each transaction.
 * @param now milliseconds since the epoch
 */
export async function sweepBin(db: Database, vault: Vault, now: number): Promise<void> {
  const isOld = and(lte(binEntries.expiresAt, isoOf(now)))
  for (;;) {
    const count = await db.inTransaction(async (tx) => {
      const rows = await tx.select().from(binEntries).where(isOld).limit(entriesAtOnce)
      for (const row of rows) await forget(vault, tx, row)
      return rows.length
    })
    if (count < entriesAtOnce) return
  }
}
