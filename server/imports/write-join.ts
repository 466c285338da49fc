import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import type { JoinedDocument } from '../../src/api/version-shapes.ts'
import { slugify } from '../../src/import/slug.ts'
import type { VersionRow } from '../records/door.ts'

/** What a joined document is known by: a version has one set of workflows, and schemas by their names. */
export const joinKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  kind === 'arazzo' ? kind : `${kind} ${slugify(name)}`

/** Writes a joined document into the row of its draft; its content is stored already. */
export async function writeJoined(
  tx: Transaction,
  tenantId: string,
  version: VersionRow,
  document: JoinedDocument,
  at: string,
): Promise<VersionRow> {
  const others = (version.joined ?? []).filter((one) => joinKey(one) !== joinKey(document))
  const joined = [...others, document].sort((a, b) => (joinKey(a) < joinKey(b) ? -1 : 1))
  const count = (list: readonly JoinedDocument[]): number => list.flatMap((one) => one.classes).length
  const classesCount = version.classesCount - count(version.joined ?? []) + count(joined)
  const draft = inTenant(versions, tenantId, eq(versions.id, version.id), eq(versions.status, 'draft'))
  const [row] = await tx.update(versions).set({ joined, classesCount, updatedAt: at }).where(draft).returning()
  if (!row) throw new Error(`the draft ${version.label} was not written`)
  return row
}
