import { eq, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { latestPublished } from '../../src/kernel/latest-version.ts'
import { findProject, type ProjectRow } from './project.ts'
import type { VersionRow } from './version.ts'

/** A version with the project it belongs to. */
export interface FoundVersion {
  readonly project: ProjectRow
  readonly version: VersionRow
}

/**
 * Finds a version of a project by id, label or slug; "latest" is the greatest published semantic version.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function findVersion(
  read: Reader,
  tenantId: string,
  projectRef: string,
  versionRef: string,
): Promise<FoundVersion> {
  const project = await findProject(read, tenantId, projectRef)
  const own = eq(versions.projectId, project.id)
  if (versionRef === 'latest') {
    const version = latestPublished(
      await read
        .select()
        .from(versions)
        .where(inTenant(versions, tenantId, own)),
    )
    if (version) return { project, version }
  } else {
    const named = or(eq(versions.id, versionRef), eq(versions.label, versionRef), eq(versions.slug, versionRef))
    const [version] = await read
      .select()
      .from(versions)
      .where(inTenant(versions, tenantId, own, named))
      .limit(1)
    if (version) return { project, version }
  }
  throw new SvcError('version-not-found', { version: versionRef, project: project.slug })
}
