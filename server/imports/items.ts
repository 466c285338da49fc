import { asc, eq } from 'drizzle-orm'
import type { ImportItem, ImportSummary } from '../../src/api/imports.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { importItems } from '../../db/tables.gen.ts'

type Action = 'create' | 'update' | 'keep'

/** A document of a bulk import that is done with. */
export interface FinishedItem {
  readonly item: ImportItem
  /** What was done to its version, or would be by a dry run; null where nothing was. */
  readonly action: Action | null
}

/** Writes what became of one document. */
export async function storeItem(
  tx: Transaction,
  job: { readonly id: string; readonly tenantId: string },
  entry: FinishedItem & { readonly ordinal: number; readonly at: string },
): Promise<void> {
  const { path, ...outcome } = entry.item
  const place = { jobId: job.id, tenantId: job.tenantId, path, ordinal: entry.ordinal }
  await tx.insert(importItems).values({ ...place, outcome, action: entry.action, finishedAt: entry.at })
}

/** What became of the documents of a job so far, in the order of their paths. */
export async function listItems(read: Reader, tenantId: string, jobId: string): Promise<FinishedItem[]> {
  const rows = await read
    .select()
    .from(importItems)
    .where(inTenant(importItems, tenantId, eq(importItems.jobId, jobId)))
    .orderBy(asc(importItems.ordinal))
  return rows.map(({ path, outcome, action }) => ({ item: { path, ...outcome }, action: action as Action | null }))
}

/** Items in numbers. */
export function summarise(items: readonly FinishedItem[]): ImportSummary {
  const ended = (status: ImportItem['status']) => items.filter(({ item }) => item.status === status).length
  const did = (wanted: Action) =>
    items.filter(({ item, action }) => action === wanted && item.status.startsWith('completed')).length
  return {
    documents: items.length,
    created: did('create'),
    updated: did('update'),
    unchanged: did('keep'),
    blocked: ended('blocked'),
    failed: ended('failed'),
  }
}
