import { eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'

/** What the project and the version of an import are called; null where the version was deleted since. */
export interface VersionNames {
  readonly project_slug: string | null
  readonly version_label: string | null
}

/** The names of versions by their ids. */
export async function versionNames(
  reader: Reader,
  tenantId: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, VersionNames>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await reader
    .select({ id: versions.id, label: versions.label, slug: projects.slug })
    .from(versions)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenantId, inArray(versions.id, wanted)))
  return new Map(rows.map(({ id, label, slug }) => [id, { project_slug: slug, version_label: label }]))
}

export const namesIn = (names: ReadonlyMap<string, VersionNames>, id: string | null): VersionNames =>
  (id === null ? undefined : names.get(id)) ?? { project_slug: null, version_label: null }
