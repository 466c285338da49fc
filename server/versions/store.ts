import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import { operations, versionEditors, versions } from '../../db/tables.gen.ts'
import type { JoinedDocument, Provenance } from '../../src/api/version-shapes.ts'
import type { Analysis } from '../analysis/door.ts'
import { peopleBehind } from '../auth/door.ts'
import { yieldToEventLoop } from '../../db/yield.ts'
import { indexVersion } from '../search-index/door.ts'
import type { VersionRow } from '../records/door.ts'

/** A draft to be written. */
export interface Draft {
  readonly tenantId: string
  readonly projectId: string
  readonly label: string
  readonly slug: string
  readonly visibility: 'public' | 'private'
  readonly digest: string
  readonly sizeBytes: number
  readonly provenance: Provenance
  /** Documents that are beside the content from the beginning. */
  readonly joined?: JoinedDocument[] | null
  readonly createdBy: string | null
  readonly at: string
}

// Both engines limit the parameters of one statement (Postgres to 65,535); and between statements others have their turn.
const rowsPerInsert = 200

async function writeOperations(
  tx: Transaction,
  tenantId: string,
  versionId: string,
  analysis: Analysis,
): Promise<void> {
  const rows = analysis.operations.map((operation, ordinal) => ({
    versionId,
    ordinal,
    tenantId,
    ref: operation.ref,
    method: operation.method,
    path: operation.path,
    operationId: operation.operationId,
    summary: operation.summary ?? '',
    tags: [...operation.tags],
    deprecated: operation.deprecated,
    pointer: operation.pointer,
  }))
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    if (from > 0) await yieldToEventLoop()
    await tx.insert(operations).values(rows.slice(from, from + rowsPerInsert))
  }
}

/** Notes who wrote the document of a version, and the people behind it: the key may be gone when someone approves. */
export async function recordEditor(
  tx: Transaction,
  version: VersionRow,
  actor: string | null,
  at: string,
): Promise<void> {
  if (actor === null) return
  const { id: versionId, tenantId } = version
  const people = [...(await peopleBehind(tx, tenantId, [actor]))].map((id) => `user:${id}`)
  await tx
    .insert(versionEditors)
    .values([...new Set([actor, ...people])].map((it) => ({ versionId, tenantId, actor: it, editedAt: at })))
    .onConflictDoUpdate({ target: [versionEditors.versionId, versionEditors.actor], set: { editedAt: at } })
}

/** A grade as versions keep it. */
export const gradeColumns = ({ grade, score }: Analysis['grade']): Pick<VersionRow, 'grade' | 'scoreTenths'> => ({
  grade,
  scoreTenths: score === null ? null : Math.round(score * 10),
})

/** Writes a draft: a new version, or over a draft that is there (`existing`). The caller stored the content before. */
export async function writeDraft(
  tx: Transaction,
  draft: Draft,
  analysis: Analysis,
  existing: VersionRow | null,
): Promise<VersionRow> {
  const { grade } = analysis
  const described = {
    title: analysis.title,
    description: analysis.description,
    format: analysis.format,
    syntax: analysis.syntax,
    digest: draft.digest,
    sizeBytes: draft.sizeBytes,
    ...gradeColumns(grade),
    operationsCount: analysis.operations.length,
    classesCount: analysis.classNames.length,
    provenance: draft.provenance,
    updatedAt: draft.at,
  }
  let row: VersionRow | undefined
  if (existing) {
    const where = inTenant(versions, draft.tenantId, eq(versions.id, existing.id), eq(versions.status, 'draft'))
    ;[row] = await tx.update(versions).set(described).where(where).returning()
    await tx.delete(operations).where(inTenant(operations, draft.tenantId, eq(operations.versionId, existing.id)))
  } else {
    const values = {
      ...described,
      id: newId(),
      tenantId: draft.tenantId,
      projectId: draft.projectId,
      label: draft.label,
      slug: draft.slug,
      status: 'draft' as const,
      joined: draft.joined ?? null,
      classesCount: described.classesCount + (draft.joined ?? []).flatMap(({ classes }) => classes).length,
      visibility: draft.visibility,
      createdBy: draft.createdBy,
      createdAt: draft.at,
      publishedAt: null,
      deprecatedAt: null,
      sunsetAt: null,
      retiredAt: null,
      replacement: null,
    }
    ;[row] = await tx.insert(versions).values(values).returning()
  }
  if (!row) throw new Error(`the draft ${draft.label} was not written`)
  await recordEditor(tx, row, draft.createdBy, draft.at)
  await writeOperations(tx, draft.tenantId, row.id, analysis)
  await indexVersion(tx, row, analysis)
  await summarizeProjects(tx, [row.projectId])
  return row
}
