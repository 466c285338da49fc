import { desc, eq, ne } from 'drizzle-orm'
import type { ChangesPart } from '../../src/api/reader.ts'
import { inTenant } from '../../db/conditions.ts'
import { versions } from '../../db/tables.gen.ts'
import type { GrantedTenant } from '../auth/door.ts'
import { visibleReports } from '../change-reports/door.ts'
import type { Deps } from '../kit/door.ts'
import { type FoundVersion, urlsOf } from '../records/door.ts'

const mostVersions = 100
const mostReports = 20

/** A version that a page leads to. */
export interface Sibling {
  readonly label: string
  readonly status: 'draft' | 'published' | 'deprecated' | 'retired'
  /** Path of its documentation. */
  readonly page: string
}

/** The versions of a project that a reader may open, newest first; the one that is shown is among them. */
export async function siblingsOf(
  deps: Deps,
  { project, version, tenant }: FoundVersion & { readonly tenant: GrantedTenant },
  isMember: boolean,
): Promise<Sibling[]> {
  const rows = await deps.db.read
    .select({ id: versions.id, label: versions.label, slug: versions.slug, status: versions.status })
    .from(versions)
    .where(
      inTenant(
        versions,
        tenant.id,
        eq(versions.projectId, project.id),
        ne(versions.status, 'draft'),
        isMember ? undefined : eq(versions.visibility, 'public'),
      ),
    )
    .orderBy(desc(versions.publishedAt), desc(versions.id))
    .limit(mostVersions)
  const shown = rows.some(({ id }) => id === version.id) ? rows : [version, ...rows]
  return shown.map(({ label, slug, status }) => ({
    label,
    status,
    page: urlsOf('', tenant.slug, project.slug, slug).page,
  }))
}

/** The part "changes": the newest change reports that a reader may see. */
export async function changesPart(
  deps: Deps,
  { project, tenant }: FoundVersion & { readonly tenant: GrantedTenant },
  isMember: boolean,
): Promise<ChangesPart> {
  const rows = await visibleReports(deps.db.read, tenant.id, { projectId: project.id, isMember, limit: mostReports })
  return {
    versions: rows.map(({ report, text, version }) => ({
      label: version.label,
      published_at: version.publishedAt ?? report.createdAt,
      headline: report.model.headline,
      text,
      page: urlsOf('', tenant.slug, project.slug, version.slug).page,
    })),
  }
}
