import { count, desc, eq, inArray } from 'drizzle-orm'
import type { TimelineVersion } from '../../src/api/insights.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { operations, versionChanges, versions } from '../../db/tables.gen.ts'
import { type Grant, inParts, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { baselineOf, findProject } from '../records/door.ts'
import { countsOf } from '../versions/door.ts'

const mostVersions = 100
/** Most operations that are read to count those that came and went; older steps are not counted beyond it. */
const mostOperations = 60_000

const columns = {
  id: versions.id,
  slug: versions.slug,
  label: versions.label,
  status: versions.status,
  grade: versions.grade,
  scoreTenths: versions.scoreTenths,
  operationsCount: versions.operationsCount,
  createdAt: versions.createdAt,
  publishedAt: versions.publishedAt,
  deprecatedAt: versions.deprecatedAt,
  sunsetAt: versions.sunsetAt,
  retiredAt: versions.retiredAt,
}
type Row = Pick<typeof versions.$inferSelect, keyof typeof columns>

/** The operations of versions by the id of the version. */
async function operationsOf(read: Reader, tenantId: string, ids: readonly string[]) {
  const refs = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const part of inParts(ids)) {
    const rows = await read
      .select({ id: operations.versionId, ref: operations.ref })
      .from(operations)
      .where(inTenant(operations, tenantId, inArray(operations.versionId, part)))
    for (const { id, ref } of rows) refs.get(id)?.add(ref)
  }
  return refs
}

/** The versions whose operations are counted: the newest steps, as long as there is room. */
function counted(steps: readonly { readonly row: Row; readonly base: Row | null }[]): ReadonlySet<string> {
  const chosen = new Set<string>()
  let room = mostOperations
  for (const { row, base } of steps) {
    if (base === null) continue
    const more = [row, base].filter((it) => !chosen.has(it.id))
    room -= more.reduce((sum, it) => sum + it.operationsCount, 0)
    if (room < 0) break
    for (const it of more) chosen.add(it.id)
  }
  return chosen
}

const minus = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((it) => !b.has(it)).length

/**
 * The newest versions of a project with what each changed, newest first. What a publication changed was recorded; a draft is
 * compared when it is opened, and here by its operations alone.
 * @throws SvcError `project-not-found`
 */
export async function timelineOf(
  deps: Deps,
  grant: Grant,
  ref: string,
): Promise<{ items: TimelineVersion[]; total: number }> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const project = await findProject(read, tenantId, ref)
  const own = inTenant(versions, tenantId, eq(versions.projectId, project.id))
  const [rows, [all], records] = await Promise.all([
    read
      .select(columns)
      .from(versions)
      .where(own)
      .orderBy(desc(versions.createdAt), desc(versions.id))
      .limit(mostVersions),
    read.select({ n: count() }).from(versions).where(own),
    read
      .select()
      .from(versionChanges)
      .where(inTenant(versionChanges, tenantId, eq(versionChanges.projectId, project.id)))
      .orderBy(desc(versionChanges.createdAt), desc(versionChanges.id))
      .limit(mostVersions),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const recordOf = new Map(records.map((it) => [it.versionId, it]))
  const steps = rows.map((row) => {
    const record = recordOf.get(row.id)
    const others = rows.filter((it) => it.id !== row.id)
    const base = record ? (byId.get(record.baselineVersionId ?? '') ?? null) : baselineOf(row.label, others)
    return { row, record, base }
  })
  const chosen = counted(steps)
  const refs = await operationsOf(read, tenantId, [...chosen])
  const items = steps.map(({ row, record, base }): TimelineVersion => {
    const [after, before] = [refs.get(row.id), base === null ? undefined : refs.get(base.id)]
    return {
      slug: row.slug,
      label: row.label,
      status: row.status,
      grade: row.grade,
      score: row.scoreTenths === null ? null : row.scoreTenths / 10,
      operations: row.operationsCount,
      created_at: row.createdAt,
      published_at: row.publishedAt,
      deprecated_at: row.deprecatedAt,
      sunset_at: row.sunsetAt,
      retired_at: row.retiredAt,
      base: base && { slug: base.slug, label: base.label },
      severity: record?.maxSeverity ?? null,
      counts: record ? countsOf(record.counts) : null,
      added: after && before ? minus(after, before) : null,
      removed: after && before ? minus(before, after) : null,
    }
  })
  return { items, total: all?.n ?? 0 }
}
