import { eq, inArray, or } from 'drizzle-orm'
import { bringBack, type Adjust } from '../../db/bin/bring-back.ts'
import { inTenant } from '../../db/conditions.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import { versions } from '../../db/tables.gen.ts'
import { slugifyVersion } from '../../src/import/slug.ts'
import { adjusting, knownAccounts, projectOf, type Restoring } from '../bin/door.ts'
import { followRestored, knownGuides } from '../style-guides/door.ts'
import { assertLabel } from './drafts.ts'

/**
 * Restores a draft from the bin.
 * @throws SvcError `bin-name-taken`, `bin-project-missing`, `version-label-invalid`
 */
export async function restoreVersion(restoring: Restoring): Promise<void> {
  const { tx, entry, ref } = restoring
  const project = await projectOf(restoring)
  const isRenamed = ref !== entry.ref
  const slug = isRenamed ? slugifyVersion(ref) : ((entry.detail['slug'] as string | undefined) ?? slugifyVersion(ref))
  assertLabel(ref)
  assertLabel(slug)
  const names = [ref, slug]
  const [other] = await tx
    .select({ id: versions.id })
    .from(versions)
    .where(
      inTenant(
        versions,
        entry.tenantId,
        eq(versions.projectId, project.id),
        or(inArray(versions.label, names), inArray(versions.slug, names)),
      ),
    )
  if (other) throw restoring.taken
  const renamed: Adjust = async (_, rows) => rows.map((row) => (isRenamed ? { ...row, label: ref, slug } : row))
  await bringBack(tx, entry, adjusting(tx, [[versions, renamed], knownGuides(restoring), knownAccounts(restoring)]))
  await summarizeProjects(tx, [project.id])
  await followRestored(restoring, project.id)
}
