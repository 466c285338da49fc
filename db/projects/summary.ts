/**
 * What the list of projects sorts, filters and counts by: kept on each project, made of its name and its versions. Triggers
 * (`summary.*.sql`) note every change of those, by whatever program, as a summary that has to be made again.
 */
import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { baselineOf, greatestOf, latestOf, latestPublished, newestOf } from '../../src/kernel/latest-version.ts'
import { isThere } from '../conditions.ts'
import type { Database, Transaction } from '../database.ts'
import { projects } from '../tables/projects.ts'
import { searchEntries } from '../tables/search-entries.ts'
import { type VersionStatus, versions } from '../tables/versions.ts'
import { yieldToEventLoop } from '../yield.ts'

/** Raise it when the columns of a summary mean something else: all are made again then. The triggers set 0. */
const summaryGeneration = 2

// Compared as equals: SQLite then takes the index of summaries, where a range would make it read all projects of the organization.
const olderGenerations = Array.from({ length: summaryGeneration }, (_, generation) => generation)

/** What is read of a version. */
export interface SummarizedVersion {
  readonly id: string
  readonly label: string
  readonly status: VersionStatus
  readonly visibility: 'public' | 'private'
  readonly grade: string | null
  readonly format: { readonly kind: string; readonly version: string }
  readonly createdAt: string
}

// A grade that is worse comes first, what has none last.
const gradeRanks = ['F', 'D', 'C', 'B', 'A']
/** The rank of what has no grade. */
export const rankOfNone = gradeRanks.length + 1
const rankOf = (grade: string | null): number => gradeRanks.indexOf(grade ?? '') + 1 || rankOfNone

/** The grade that has a rank; null for the rank of none. */
export const gradeOfRank = (rank: number): string | null => gradeRanks[rank - 1] ?? null

/** The rank of a grade as a project keeps it: 1 for F to 5 for A. */
export const rankOfGrade = (grade: string): number => rankOf(grade)

/** The columns of a project that are made of its name and its versions. */
export function summaryOf(name: string, own: readonly SummarizedVersion[]) {
  const latest = latestOf(own)
  const newest = newestOf(own)
  const listed = own.filter((it) => it.visibility === 'public' && ['published', 'deprecated'].includes(it.status))
  const others = own.filter((it) => it.id !== newest?.id && it.status !== 'draft')
  const before = newest === null ? null : baselineOf(newest.label, others)
  return {
    summaryGeneration,
    foldedName: name.toLowerCase(),
    latestVersionId: latest?.id ?? null,
    latestStatus: latest?.status ?? null,
    latestGrade: latest?.grade ?? null,
    gradeRank: rankOf(latest?.grade ?? null),
    latestFormat: latest === null ? null : `${latest.format.kind} ${latest.format.version}`,
    newestVersionId: newest?.id ?? null,
    newestRank: rankOf(newest?.grade ?? null),
    beforeLabel: before?.label ?? null,
    beforeRank: rankOf(before?.grade ?? null),
    publicVersionId: latestPublished(listed)?.id ?? null,
    publicCount: listed.length,
    versionsCount: own.length,
    draftsCount: own.filter(({ status }) => status === 'draft').length,
  }
}

type Summary = ReturnType<typeof summaryOf>

// Both engines name the columns of VALUES by their numbers, the first one is the id.
const summaryColumns = Object.keys(summaryOf('', [])) as (keyof Summary)[]
const columnsOfMade = Object.fromEntries(
  summaryColumns.map((name, index) => [name, sql.raw(`"made"."column${index + 2}"`)]),
)

/** A row of VALUES. Postgres takes a parameter there as text where nothing says what it is. */
const valuesOf = ([id, summary]: readonly [string, Summary]): SQL => {
  const cells = summaryColumns.map((name) =>
    typeof summary[name] === 'number' ? sql`cast(${summary[name]} as integer)` : sql`cast(${summary[name]} as text)`,
  )
  return sql`(${sql.join([sql`cast(${id} as text)`, ...cells], sql`, `)})`
}

/**
 * Makes the summaries of projects again. Every transaction that changes the name of a project, or the label, status, visibility, grade or
 * format of a version, ends with it. It locks the projects, so that of two such transactions the second sees what the first did.
 */
export async function summarizeProjects(tx: Transaction, ids: readonly string[]): Promise<void> {
  const { id, name } = projects
  const rows = await tx
    .select({ id, name })
    .from(projects)
    .where(inArray(id, [...ids]))
    .orderBy(asc(id))
    .for('no key update')
  if (rows.length === 0) return
  const all = await tx
    .select({
      projectId: versions.projectId,
      id: versions.id,
      label: versions.label,
      status: versions.status,
      visibility: versions.visibility,
      grade: versions.grade,
      format: versions.format,
      createdAt: versions.createdAt,
      current: versions.current,
    })
    .from(versions)
    .where(
      and(
        inArray(
          versions.projectId,
          rows.map((row) => row.id),
        ),
        isThere(versions.id),
      ),
    )
    .orderBy(desc(versions.createdAt), desc(versions.id))
  const byProject = Map.groupBy(all, ({ projectId }) => projectId)
  const made = rows.map((row) => [row.id, summaryOf(row.name, byProject.get(row.id) ?? [])] as const)
  await tx
    .update(projects)
    .set(columnsOfMade)
    .from(sql`(values ${sql.join(made.map(valuesOf), sql`, `)}) as "made"`)
    .where(sql`${id} = "made"."column1"`)
  await markCurrent(tx, [...byProject.values()])
}

const versionsAtOnce = 100

/**
 * Marks the versions that people mean when they look for something, with their entries in the search: of each project the
 * latest, and the greatest where that is another one.
 */
async function markCurrent(
  tx: Transaction,
  projectsOf: readonly (readonly (SummarizedVersion & { readonly current: boolean })[])[],
): Promise<void> {
  const changed = projectsOf.flatMap((own) => {
    const meant = new Set([latestOf(own)?.id, greatestOf(own)?.id])
    return own.filter((it) => it.current !== meant.has(it.id))
  })
  for (const current of [false, true]) {
    const all = changed.filter((it) => it.current !== current).map((it) => it.id)
    for (let from = 0; from < all.length; from += versionsAtOnce) {
      const ids = all.slice(from, from + versionsAtOnce)
      await tx.update(versions).set({ current }).where(inArray(versions.id, ids))
      const entries = and(inArray(searchEntries.versionId, ids), eq(searchEntries.current, !current))
      await tx.update(searchEntries).set({ current }).where(entries)
    }
  }
}

/** Whether a row lacks its summary, or has one of before. */
export const isStale = (row: { readonly summaryGeneration: number }): boolean =>
  row.summaryGeneration < summaryGeneration

const projectsAtOnce = 50

/**
 * Makes the summaries that are not made yet, in an organization or in all: those of an earlier release, of a backup, and of
 * what a process of an earlier release changes while it is replaced. What was made stays when the process ends.
 * @throws SvcError `workspace-unusable` where there are some and the database cannot be written
 */
export async function summarizeStale(db: Database, tenantId: string | null): Promise<void> {
  const ofTenant = tenantId === null ? undefined : eq(projects.tenantId, tenantId)
  for (;;) {
    const rows = await db.read
      .select({ id: projects.id })
      .from(projects)
      .where(and(inArray(projects.summaryGeneration, olderGenerations), ofTenant))
      .limit(projectsAtOnce)
    if (rows.length === 0) return
    await db.inTransaction((tx) =>
      summarizeProjects(
        tx,
        rows.map(({ id }) => id),
      ),
    )
    await yieldToEventLoop()
  }
}
