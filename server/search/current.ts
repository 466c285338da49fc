import { count, eq, max } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { limitOfProjects } from '../../db/limits.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { latestOf } from '../records/door.ts'

/** A version as results name it. */
export interface VersionName {
  readonly id: string
  readonly projectId: string
  readonly project_slug: string
  readonly project_name: string
  readonly version_slug: string
  readonly version_label: string
}

/** The versions that people mean when they look for something: of each project the latest, and the greatest where that is a draft. */
export interface Current {
  readonly places: ReadonlyMap<string, VersionName>
  /** The latest one of each project, by the id of the version. */
  readonly latest: ReadonlySet<string>
}

const columns = {
  id: versions.id,
  projectId: versions.projectId,
  project_slug: projects.slug,
  project_name: projects.name,
  version_slug: versions.slug,
  version_label: versions.label,
}

/** Versions as places, whichever they are. */
export async function placesOf(
  read: Reader,
  tenantId: string,
  which: Parameters<typeof inTenant>[2],
): Promise<readonly VersionName[]> {
  return read
    .select(columns)
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenantId, which))
}

async function readCurrent(read: Reader, tenantId: string): Promise<Current> {
  const rows = await read
    .select({ ...columns, label: versions.label, status: versions.status, createdAt: versions.createdAt })
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenantId))
  const places = new Map<string, VersionName>()
  const latest = new Set<string>()
  for (const own of Map.groupBy(rows, (row) => row.projectId).values()) {
    const newest = latestOf(own)
    const greatest = own.reduce((a, b) => (compareLabels(b.label, a.label) > 0 ? b : a))
    for (const { label: _, status: __, createdAt: ___, ...place } of newest === null ? [greatest] : [newest, greatest])
      places.set(place.id, place)
    if (newest !== null) latest.add(newest.id)
  }
  return { places, latest }
}

/** The current versions of organizations, read again when a version of one has changed. */
export class CurrentVersions {
  readonly #known = new SizedCache<{ readonly stamp: string; readonly current: Current }>(200_000, 'current_versions')

  async of(read: Reader, tenantId: string): Promise<Current> {
    // What is kept is of the whole organization.
    if (limitOfProjects() !== null) return readCurrent(read, tenantId)
    const [row] = await read
      .select({ n: count(), at: max(versions.updatedAt) })
      .from(versions)
      .where(inTenant(versions, tenantId))
    const stamp = `${row?.n ?? 0} ${row?.at ?? ''}`
    const known = this.#known.get(tenantId)
    if (known?.stamp === stamp) return known.current
    const current = await readCurrent(read, tenantId)
    this.#known.set(tenantId, { stamp, current }, current.places.size + 1)
    return current
  }
}
