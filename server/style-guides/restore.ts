import { eq, inArray } from 'drizzle-orm'
import { bringBack, type Adjust } from '../../db/bin/bring-back.ts'
import type { StoredRow } from '../../db/bin/keep.ts'
import { inTenant } from '../../db/conditions.ts'
import { styleGuideAssignments, styleGuideDefaults, styleGuides } from '../../db/tables.gen.ts'
import { binKindNames } from '../../src/api/bin-kinds.ts'
import { SvcError } from '../../src/errors.ts'
import { type AdjustedTable, adjusting, type Restoring } from '../bin/door.ts'
import { builtinGuides } from '../guide-rules/door.ts'
import { lockGuides } from './audit.ts'
import { effectiveGuide } from './effective.ts'
import { followGuide } from './relint.ts'
import { findGuide } from './store.ts'

/** Stored grades follow the style guide: it may have changed since the project or version was deleted. */
export async function followRestored({ deps, tx, entry }: Restoring, projectId: string): Promise<void> {
  const { guide } = await effectiveGuide(tx, entry.tenantId, projectId)
  if (guide.digest !== entry.detail['guide']) await followGuide(deps, tx, entry.tenantId, { guideId: null, projectId })
}

/** Assignments name style guides without a foreign key: those of a guide that was deleted meanwhile do not come back. */
export function knownGuides({ tx, entry, notes }: Restoring): AdjustedTable {
  return [
    styleGuideAssignments,
    async (_, rows) => {
      const left: StoredRow[] = []
      for (const row of rows) {
        const found = await findGuide(tx, entry.tenantId, row['guideId'] as string).catch(() => null)
        if (found !== null) left.push(row)
      }
      if (left.length < rows.length) notes.push('Its style guide was deleted: the default one applies.')
      return left
    },
  ]
}

/**
 * Restores a style guide from the bin with its assignments.
 * @throws SvcError `bin-name-taken`, `bin-name-invalid`
 */
export async function restoreGuide(restoring: Restoring): Promise<void> {
  const { deps, tx, entry, ref, notes } = restoring
  const { tenantId, id, kind } = entry
  if (ref !== entry.ref && builtinGuides.some((guide) => guide.name === ref)) {
    const reason = 'a built-in style guide has that name'
    throw new SvcError('bin-name-invalid', { kind: binKindNames[kind], name: ref, reason })
  }
  await lockGuides(tx, tenantId)
  const [other] = await tx
    .select({ id: styleGuides.id })
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId, eq(styleGuides.name, ref)))
  if (other) throw restoring.taken
  let applies = 0
  const withoutOthers: Adjust = async (_, rows) => {
    const wanted = rows.map((row) => row['projectId'] as string)
    const assigned = new Set<unknown>()
    for (let at = 0; at < wanted.length; at += 200)
      for (const row of await tx
        .select({ id: styleGuideAssignments.projectId })
        .from(styleGuideAssignments)
        .where(
          inTenant(
            styleGuideAssignments,
            tenantId,
            inArray(styleGuideAssignments.projectId, wanted.slice(at, at + 200)),
          ),
        ))
        assigned.add(row.id)
    const left = rows.filter((row) => !assigned.has(row['projectId']))
    applies += left.length
    if (left.length < rows.length) notes.push('Projects that were assigned another style guide since then keep it.')
    return left
  }
  const unlessChosen: Adjust = async (_, rows) => {
    const [chosen] = await tx.select().from(styleGuideDefaults).where(inTenant(styleGuideDefaults, tenantId))
    if (chosen && rows.length > 0) notes.push('It was the default style guide; another one is the default now.')
    const left = chosen ? [] : rows
    applies += left.length
    return left
  }
  const renamed: Adjust = async (_, rows) => rows.map((row) => ({ ...row, name: ref }))
  await bringBack(
    tx,
    entry,
    adjusting(tx, [
      [styleGuides, renamed],
      [styleGuideAssignments, withoutOthers],
      [styleGuideDefaults, unlessChosen],
    ]),
  )
  if (applies > 0) await followGuide(deps, tx, tenantId, { guideId: id })
}
