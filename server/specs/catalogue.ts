import { and, asc, count, desc, eq, or, type SQL } from 'drizzle-orm'
import type { SpecProject, SpecRecord } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import { after, before, contains, inTenant, isTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, tenants, versions } from '../../db/tables.gen.ts'
import { latestPublished, type VersionRow } from '../records/door.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { readableBy, type Viewer, visibleTo } from './viewer.ts'

/** A version with the names it is asked for by. */
export interface FoundSpec {
  readonly version: VersionRow
  readonly project: { readonly slug: string; readonly name: string; readonly description: string | null }
  readonly tenant: string
}

const columns = {
  version: versions,
  project: { slug: projects.slug, name: projects.name, description: projects.description },
  tenant: tenants.slug,
}

const select = (read: Reader, where: SQL | undefined) =>
  read
    .select(columns)
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .innerJoin(tenants, isTenant(versions.tenantId))
    .where(where)

const countOf = async (read: Reader, where: SQL | undefined): Promise<number> => {
  const [row] = await read
    .select({ n: count() })
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .innerJoin(tenants, isTenant(versions.tenantId))
    .where(where)
  return row?.n ?? 0
}

/** How a specification is called: tenant/project/label. */
export const specName = ({ tenant, project, version }: FoundSpec): string =>
  `${tenant}/${project.slug}/${version.label}`

/** A specification as lists show it. */
export function specRecord(found: FoundSpec): SpecRecord {
  const { version } = found
  return {
    spec: specName(found),
    title: version.title,
    format: `${version.format.kind} ${version.format.version}`,
    status: version.status === 'deprecated' ? 'deprecated' : 'published',
    visibility: version.visibility,
    operations: version.operationsCount,
    schemas: version.classesCount,
    grade: version.grade,
    published_at: version.publishedAt,
  }
}

export interface ListQuery {
  readonly q?: string
  readonly tenant?: string
  readonly project?: string
  readonly cursor?: string
  readonly limit?: number
}

interface Page<T> {
  readonly items: T[]
  readonly total: number
  readonly next_cursor: string | null
}

const words = (q: string | undefined): string[] =>
  (q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 12)

/**
 * A page of the specifications that the caller sees, newest first.
 * @throws SvcError `cursor-invalid`
 */
export async function listSpecs(read: Reader, viewer: Viewer, query: ListQuery): Promise<Page<SpecRecord>> {
  const { limit = 50, cursor } = query
  const matching = and(
    visibleTo(viewer),
    query.tenant === undefined ? undefined : eq(tenants.slug, query.tenant),
    query.project === undefined ? undefined : eq(projects.slug, query.project),
    ...words(query.q).map((word) =>
      or(contains(versions.title, word), contains(projects.name, word), contains(projects.slug, word)),
    ),
  )
  const place = cursor === undefined ? null : readCursor('specs', cursor, ['string', 'string'])
  const rest = place === null ? undefined : before([versions.createdAt, place[0]], [versions.id, place[1]])
  const rows = await select(read, and(matching, rest))
    .orderBy(desc(versions.createdAt), desc(versions.id))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)?.version
  return {
    items: shown.map(specRecord),
    total: await countOf(read, matching),
    next_cursor: rows.length > limit && last ? writeCursor('specs', [last.createdAt, last.id]) : null,
  }
}

/**
 * A page of the projects that have specifications the caller sees, by name.
 * @throws SvcError `cursor-invalid`
 */
export async function listSpecProjects(read: Reader, viewer: Viewer, query: ListQuery): Promise<Page<SpecProject>> {
  const { limit = 50, cursor } = query
  const matching = and(
    visibleTo(viewer),
    query.tenant === undefined ? undefined : eq(tenants.slug, query.tenant),
    ...words(query.q).map((word) => or(contains(projects.name, word), contains(projects.slug, word))),
  )
  const place = cursor === undefined ? null : readCursor('projects', cursor, ['string', 'string'])
  const rest = place === null ? undefined : after([tenants.slug, place[0]], [projects.slug, place[1]])
  const named = (where: SQL | undefined) =>
    read
      .selectDistinct({ id: projects.id, tenant: tenants.slug, slug: projects.slug })
      .from(versions)
      .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
      .innerJoin(tenants, isTenant(versions.tenantId))
      .where(where)
  const rows = await named(and(matching, rest))
    .orderBy(asc(tenants.slug), asc(projects.slug))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  const items = await Promise.all(shown.map(({ id }) => projectRecord(read, viewer, id)))
  const last = shown.at(-1)
  return {
    items: items.filter((item) => item !== null),
    total: (await named(matching)).length,
    next_cursor: rows.length > limit && last ? writeCursor('projects', [last.tenant, last.slug]) : null,
  }
}

async function projectRecord(read: Reader, viewer: Viewer, projectId: string): Promise<SpecProject | null> {
  const rows = await select(read, and(visibleTo(viewer), eq(versions.projectId, projectId)))
  const [first] = rows
  if (!first) return null
  return {
    project: `${first.tenant}/${first.project.slug}`,
    name: first.project.name,
    description: first.project.description,
    versions: rows.length,
    latest: latestPublished(rows.map(({ version }) => version))?.label ?? null,
  }
}

export interface SpecPlace {
  readonly tenant_slug: string
  readonly project_slug: string
  readonly version_slug: string
}

/**
 * Finds a specification by its names. What the caller cannot see is answered as what is not there.
 * @throws SvcError `spec-not-found`
 */
export const findSpec = (read: Reader, viewer: Viewer, place: SpecPlace): Promise<FoundSpec> =>
  find(read, visibleTo(viewer), place)

/**
 * Finds a version by its name, drafts of the caller's organizations included.
 * @param spec tenant/project or tenant/project/version
 * @param version label or slug, where the name has none; the latest published version when neither says it
 * @throws SvcError `spec-not-found`
 */
export function findReadable(read: Reader, viewer: Viewer, spec: string, version?: string): Promise<FoundSpec> {
  const [tenant_slug = '', project_slug = '', ...label] = spec.split('/')
  const place = { tenant_slug, project_slug, version_slug: version ?? (label.join('/') || 'latest') }
  return find(read, readableBy(viewer), place)
}

async function find(read: Reader, seen: SQL, place: SpecPlace): Promise<FoundSpec> {
  const { tenant_slug, project_slug, version_slug } = place
  const rows = await select(
    read,
    and(
      seen,
      eq(tenants.slug, tenant_slug),
      eq(projects.slug, project_slug),
      version_slug === 'latest' ? undefined : or(eq(versions.label, version_slug), eq(versions.slug, version_slug)),
    ),
  )
  const wanted = version_slug === 'latest' ? latestPublished(rows.map(({ version }) => version)) : rows[0]?.version
  const found = rows.find(({ version }) => version.id === wanted?.id)
  if (!found) throw new SvcError('spec-not-found', { spec: `${tenant_slug}/${project_slug}/${version_slug}` })
  return found
}
