import { eq, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'

export type ProjectRow = typeof projects.$inferSelect

/**
 * Finds a project of the tenant by id or slug.
 * @throws SvcError `project-not-found`
 */
export async function findProject(read: Reader, tenantId: string, ref: string): Promise<ProjectRow> {
  const [row] = await read
    .select()
    .from(projects)
    .where(inTenant(projects, tenantId, or(eq(projects.id, ref), eq(projects.slug, ref))))
    .limit(1)
  if (!row) throw new SvcError('project-not-found', { project: ref })
  return row
}
