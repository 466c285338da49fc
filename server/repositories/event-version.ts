import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import type { VersionRow } from '../records/door.ts'

/** What events of repositories and bindings say of a version. */
export async function eventVersion(tx: Transaction, { id, tenantId, projectId, label }: VersionRow) {
  const own = inTenant(projects, tenantId, eq(projects.id, projectId))
  const [project] = await tx.select({ slug: projects.slug }).from(projects).where(own)
  return { project_id: projectId, project_slug: project?.slug ?? '', version_id: id, label }
}
