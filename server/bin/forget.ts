import { and, eq, lte, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { BinEntryRow } from '../../db/bin/keep.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { binEntries, binParts } from '../../db/tables.gen.ts'
import type { Vault } from '../vault/door.ts'

// A part is a megabyte before it is compressed.
const partsAtOnce = 16
const entriesAtOnce = 20

/**
 * Ends an entry and what belonged to it and was deleted before it, which could not be restored any more: nobody finds them from now on,
 * and `forgetExpired` deletes them.
 * @param now milliseconds since the epoch
 */
export async function expire(tx: Transaction, { id, tenantId, kind }: BinEntryRow, now: number): Promise<void> {
  const ofIt = kind === 'project' ? eq(binEntries.projectId, id) : undefined
  await tx
    .update(binEntries)
    .set({ expiresAt: isoOf(now) })
    .where(inTenant(binEntries, tenantId, or(eq(binEntries.id, id), ofIt)))
}

async function close(vault: Vault, tx: Transaction, { id, tenantId, secretIds }: BinEntryRow): Promise<void> {
  for (const secretId of secretIds) await vault.remove(tx, tenantId, secretId)
  await tx.delete(binEntries).where(inTenant(binEntries, tenantId, eq(binEntries.id, id)))
}

/**
 * Deletes a few entries for ever that are there for too long, in the transaction of another deletion: on a workspace without a server nothing
 * else does.
 */
export async function forgetSome(vault: Vault, tx: Transaction, tenantId: string, now: number): Promise<void> {
  const isOld = inTenant(binEntries, tenantId, lte(binEntries.expiresAt, isoOf(now)))
  for (const row of await tx.select().from(binEntries).where(isOld).limit(3)) await close(vault, tx, row)
}

/** Deletes for ever what has expired, with its secrets: the parts of an entry some at a time, so that others write meanwhile. */
async function forget(db: Database, vault: Vault, entry: BinEntryRow, now: number): Promise<void> {
  const { id, tenantId } = entry
  await db.inTransaction((tx) => expire(tx, entry, now))
  await removeWhere(db, binParts, inTenant(binParts, tenantId, eq(binParts.entryId, id)), partsAtOnce)
  await db.inTransaction((tx) => close(vault, tx, entry))
}

/**
 * Deletes for ever what is in the bin for too long.
 * @param now milliseconds since the epoch
 * @param tenantId of this organization alone; null: of all
 * @param most so many entries at most
 */
export async function forgetExpired(
  db: Database,
  vault: Vault,
  now: number,
  tenantId: string | null = null,
  most: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const ofTenant = tenantId === null ? undefined : inTenant(binEntries, tenantId)
  const isOld = and(lte(binEntries.expiresAt, isoOf(now)), ofTenant)
  for (let left = most; left > 0;) {
    const rows = await db.read.select().from(binEntries).where(isOld).limit(Math.min(left, entriesAtOnce))
    for (const row of rows) await forget(db, vault, row, now)
    if (rows.length < entriesAtOnce) return
    left -= rows.length
  }
}
