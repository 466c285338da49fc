import { eq } from 'drizzle-orm'
import type { VersionOverview } from '../../src/api/insights.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { operations, versions } from '../../db/tables.gen.ts'
import { describeActors, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { SpecDocuments } from '../specs/door.ts'
import { findChangeRecord } from '../versions/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'

const longestDescription = 100_000
const mostTags = 1000
const mostNamed = 100
const trendLength = 10

async function operationsOf(read: Reader, { tenantId, id }: VersionRow) {
  const rows = await read
    .select({ tags: operations.tags, deprecated: operations.deprecated })
    .from(operations)
    .where(inTenant(operations, tenantId, eq(operations.versionId, id)))
  const byTag = new Map<string, number>()
  for (const { tags } of rows) for (const tag of tags) byTag.set(tag, (byTag.get(tag) ?? 0) + 1)
  return {
    byTag,
    untagged: rows.filter(({ tags }) => tags.length === 0).length,
    deprecated: rows.filter((it) => it.deprecated).length,
  }
}

/** The versions up to this one by their labels, oldest first, as far as they have a score. */
async function trendOf(read: Reader, version: VersionRow): Promise<VersionOverview['trend']> {
  const { label, slug, grade, scoreTenths, id, status } = versions
  const rows = await read
    .select({ id, label, slug, grade, scoreTenths, status })
    .from(versions)
    .where(inTenant(versions, version.tenantId, eq(versions.projectId, version.projectId)))
  return rows
    .filter((row) => row.id === version.id || (row.status !== 'draft' && compareLabels(row.label, version.label) <= 0))
    .filter((row) => row.scoreTenths !== null)
    .toSorted((a, b) => compareLabels(a.label, b.label))
    .slice(-trendLength)
    .map((row) => ({
      slug: row.slug,
      label: row.label,
      grade: row.grade,
      score: row.scoreTenths === null ? null : row.scoreTenths / 10,
    }))
}

/**
 * What a version is as a whole.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function overviewOf(
  deps: Deps,
  documents: SpecDocuments,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
): Promise<VersionOverview> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { version } = await findVersion(read, tenantId, refs.project, refs.version)
  const [said, held, trend, record] = await Promise.all([
    documents.overviewOf(version),
    operationsOf(read, version),
    trendOf(read, version),
    findChangeRecord(read, tenantId, version.id),
  ])
  const actors = await describeActors(read, tenantId, [version.createdBy, record?.createdBy ?? null])
  const nameOf = (actor: string | null | undefined): string | null => (actor ? (actors.get(actor)?.name ?? null) : null)
  const described = new Map(said.tags.map(({ name, description }) => [name, description]))
  const names = [...new Set([...described.keys(), ...held.byTag.keys()])].slice(0, mostTags)
  return {
    description: said.description?.slice(0, longestDescription) ?? null,
    servers: said.servers.slice(0, mostNamed),
    security: said.security.slice(0, mostNamed),
    tags: names.map((name) => ({
      name,
      description: described.get(name) ?? null,
      operations: held.byTag.get(name) ?? 0,
    })),
    untagged: held.untagged,
    deprecated: held.deprecated,
    created_by: nameOf(version.createdBy),
    published_by: nameOf(record?.createdBy),
    trend,
  }
}
