import { eq } from 'drizzle-orm'
import { bringBack, type Adjust } from '../../db/bin/bring-back.ts'
import { inTenant } from '../../db/conditions.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import { memberships, projectGrants, projects } from '../../db/tables.gen.ts'
import { adjusting, type AdjustedTable, knownAccounts, type Restoring } from '../bin/door.ts'
import { assertProjectRoom } from '../license/door.ts'
import { followRestored, knownGuides } from '../style-guides/door.ts'

/** Who left the organization meanwhile gets no role again. */
function rolesOfMembers({ tx, entry }: Restoring): AdjustedTable {
  return [
    projectGrants,
    async (_, rows) => {
      const own = await tx
        .select({ id: memberships.userId })
        .from(memberships)
        .where(inTenant(memberships, entry.tenantId))
      const known = new Set<unknown>(own.map(({ id }) => id))
      return rows.filter(({ userId }) => userId === null || known.has(userId))
    },
  ]
}

/**
 * Restores a project from the bin with its versions.
 * @throws SvcError `bin-name-taken`, `quota-exceeded`
 */
export async function restoreProject(restoring: Restoring): Promise<void> {
  const { deps, tx, entry, ref } = restoring
  const { tenantId, id } = entry
  await assertProjectRoom(tx, deps.plans, tenantId)
  const [other] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.slug, ref)))
  if (other) throw restoring.taken
  const renamed: Adjust = async (_, rows) => rows.map((row) => ({ ...row, slug: ref }))
  const adjusted = [rolesOfMembers(restoring), knownGuides(restoring), knownAccounts(restoring)]
  await bringBack(tx, entry, adjusting(tx, [[projects, renamed], ...adjusted]))
  await summarizeProjects(tx, [id])
  await followRestored(restoring, id)
}
