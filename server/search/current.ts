import { eq, inArray } from 'drizzle-orm'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'

/** A version as results name it. */
export interface VersionName {
  readonly id: string
  readonly projectId: string
  readonly project_slug: string
  readonly project_name: string
  readonly version_slug: string
  readonly version_label: string
}

/** The versions with these ids, by id; those that are gone are left out. */
export async function placesOf(
  read: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VersionName>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select({
      id: versions.id,
      projectId: versions.projectId,
      project_slug: projects.slug,
      project_name: projects.name,
      version_slug: versions.slug,
      version_label: versions.label,
    })
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenantId, inArray(versions.id, padded(ids))))
  return new Map(rows.map((row) => [row.id, row]))
}
