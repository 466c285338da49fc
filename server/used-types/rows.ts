import { inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { primitives } from '../../db/tables.gen.ts'
import { inParts } from './references.ts'

export type PrimitiveRow = typeof primitives.$inferSelect

/** The rows of references, by reference. */
export async function rowsByRef(
  read: Reader,
  tenantId: string,
  refs: readonly string[],
): Promise<Map<string, PrimitiveRow>> {
  const found = new Map<string, PrimitiveRow>()
  for (const part of inParts([...new Set(refs)])) {
    const rows = await read
      .select()
      .from(primitives)
      .where(inTenant(primitives, tenantId, inArray(primitives.ref, [...part])))
    for (const row of rows) found.set(row.ref, row)
  }
  return found
}
