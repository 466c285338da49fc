import { eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { SimilarProject } from '../../src/api/preflight.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'

const most = 5

/** Whether the name of a source says where it is; "openapi.yaml" may be anybody's. */
const isAddress = (source: string): boolean => /^[a-z][a-z+.-]*:\/\//i.test(source)

/**
 * The projects that a document probably belongs to: they are called like its title, hold a version of that title, or one
 * that was read from the same address.
 * @param document its title, the name of its source, and the slug of a project to leave out
 * @returns at most five, those of the same address first, then by name
 */
export async function similarProjects(
  read: Reader,
  tenantId: string,
  document: { readonly title: string; readonly source: string; readonly except: string | null },
): Promise<SimilarProject[]> {
  const { title, source, except } = document
  const fromThere = isAddress(source) ? sql`${versions.provenance} ->> 'source' = ${source}` : sql`1 = 0`
  const isThere = sql<number>`max(case when ${fromThere} then 1 else 0 end)`
  const alike = read
    .select({ id: versions.projectId })
    .from(versions)
    .where(inTenant(versions, tenantId, or(eq(versions.title, title), fromThere)))
  const rows = await read
    .select({ id: projects.id, slug: projects.slug, name: projects.name, isThere })
    .from(projects)
    .leftJoin(versions, eq(versions.projectId, projects.id))
    .where(
      inTenant(
        projects,
        tenantId,
        or(eq(projects.name, title), inArray(projects.id, alike)),
        except === null ? undefined : ne(projects.slug, except),
      ),
    )
    .groupBy(projects.id, projects.slug, projects.name)
    .orderBy(sql`${isThere} desc`, projects.name, projects.id)
    .limit(most)
  return rows.map(({ id, slug, name, isThere: there }) => ({
    id,
    slug,
    name,
    because: there === 1 ? 'source' : 'title',
  }))
}
