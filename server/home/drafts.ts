/** What publishing each draft would mean: evaluated by a job, since it takes a comparison, and kept until it may be outdated. */
import { createHash } from 'node:crypto'
import { and, count, desc, eq, inArray, isNull, max, notInArray, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { countUnfinished } from '../../db/jobs.ts'
import {
  consumers,
  draftAssessments,
  projects,
  reviewReviewers,
  reviews,
  styleGuideAssignments,
  tenants,
  threads,
  versions,
} from '../../db/tables.gen.ts'
import type { GrantedTenant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { defineJob, type JobHandler } from '../jobs/door.ts'
import { assessVersion } from '../publishing/door.ts'
import { findVersion } from '../records/door.ts'
import { isAssigned, readGuides, type StandingGuides } from './standing.ts'

/** Most drafts without a published version before them that are evaluated: those that changed last. They break nothing. */
const mostFirst = 500
/** Most assessments that one job forgets. */
const mostForgotten = 500
/** Waivers end and types change without a trace here: what is older is evaluated again. */
const longestMs = 24 * 60 * 60 * 1000
/** So many are evaluated between two writes. */
const batch = 5
const kind = 'draft-assessments'

type AssessmentRow = typeof draftAssessments.$inferSelect

const draftsJob = defineJob<object, { readonly assessed: number }>(kind)

const draftColumns = {
  id: versions.id,
  projectId: versions.projectId,
  label: versions.label,
  slug: versions.slug,
  digest: versions.digest,
  updatedAt: versions.updatedAt,
}

/** A draft with its project. */
interface Draft {
  readonly project: {
    readonly id: string
    readonly slug: string
    readonly name: string
    readonly guideId: string | null
  }
  readonly version: Pick<typeof versions.$inferSelect, keyof typeof draftColumns>
}

/** A draft, with what was found of it where it was evaluated, and whether that may be outdated. */
export interface AssessedDraft extends Draft {
  readonly stamp: string
  readonly assessment: AssessmentRow | null
  readonly isStale: boolean
}

/** What people say about drafts, and what consumers declare, as texts that change with it. */
async function marksOf(read: Reader, tenantId: string) {
  const ofDraft = and(eq(versions.tenantId, tenantId), eq(versions.status, 'draft'))
  const [answers, open, declared] = await Promise.all([
    read
      .select({
        versionId: reviewReviewers.versionId,
        state: reviewReviewers.state,
        at: max(reviewReviewers.decidedAt),
        n: count(),
      })
      .from(reviewReviewers)
      .innerJoin(reviews, and(eq(reviews.id, reviewReviewers.reviewId), isNull(reviews.withdrawnAt)))
      .innerJoin(versions, and(eq(versions.id, reviewReviewers.versionId), ofDraft))
      .where(inTenant(reviewReviewers, tenantId, eq(reviews.tenantId, tenantId)))
      .groupBy(reviewReviewers.versionId, reviewReviewers.state),
    read
      .select({ versionId: threads.versionId, n: count() })
      .from(threads)
      .innerJoin(versions, and(eq(versions.id, threads.versionId), ofDraft))
      .where(inTenant(threads, tenantId, eq(threads.status, 'open')))
      .groupBy(threads.versionId),
    read
      .select({ projectId: consumers.projectId, at: max(consumers.updatedAt), n: count() })
      .from(consumers)
      .where(inTenant(consumers, tenantId, isNull(consumers.retiredAt)))
      .groupBy(consumers.projectId),
  ])
  const said = Map.groupBy(answers, (it) => it.versionId)
  const openThreads = new Map(open.map((it) => [it.versionId, it.n]))
  const consumed = new Map(declared.map((it) => [it.projectId, `${it.at} ${it.n}`]))
  return {
    ofVersion: (id: string) => {
      const all = (said.get(id) ?? []).map((it) => `${it.state} ${it.at} ${it.n}`).sort()
      return [openThreads.get(id) ?? 0, ...all].join(',')
    },
    ofProject: (id: string) => consumed.get(id) ?? '',
  }
}

const publishedStates = ['published', 'deprecated'] as const

/**
 * The drafts that are evaluated, and how many are not: every one that can break what is published comes first, then of the others
 * those that changed last.
 */
export async function evaluatedDrafts(
  read: Reader,
  tenantId: string,
): Promise<{ readonly drafts: readonly Draft[]; readonly unchecked: number }> {
  const isNext = inArray(projects.latestStatus, [...publishedStates])
  const isFirst = or(isNull(projects.latestStatus), notInArray(projects.latestStatus, [...publishedStates]))
  const select = (which: SQL | undefined) =>
    read
      .select({
        version: draftColumns,
        project: { id: projects.id, slug: projects.slug, name: projects.name, guideId: styleGuideAssignments.guideId },
      })
      .from(versions)
      .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
      .leftJoin(styleGuideAssignments, inTenant(styleGuideAssignments, tenantId, isAssigned))
      .where(inTenant(versions, tenantId, eq(versions.status, 'draft'), which))
      .orderBy(desc(versions.updatedAt), desc(versions.id))
  const [next, first] = await Promise.all([select(isNext), select(isFirst).limit(mostFirst)])
  if (first.length < mostFirst) return { drafts: [...next, ...first], unchecked: 0 }
  const [all] = await read
    .select({ n: count() })
    .from(versions)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenantId, eq(versions.status, 'draft'), isFirst))
  return { drafts: [...next, ...first], unchecked: Math.max(0, (all?.n ?? 0) - mostFirst) }
}

/** What is published of the projects that have drafts, as texts that change with it. */
async function publishedBeside(read: Reader, tenantId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const draft = alias(versions, 'draft')
  const withDrafts = read
    .select({ projectId: draft.projectId })
    .from(draft)
    .where(and(eq(draft.tenantId, tenantId), eq(draft.status, 'draft')))
  const rows = await read
    .select({ id: versions.id, status: versions.status, projectId: versions.projectId })
    .from(versions)
    .where(
      inTenant(
        versions,
        tenantId,
        inArray(versions.status, [...publishedStates]),
        inArray(versions.projectId, withDrafts),
      ),
    )
  const byProject = Map.groupBy(rows, (row) => row.projectId)
  return new Map([...byProject].map(([id, all]) => [id, all.map((it) => `${it.id} ${it.status}`).sort()]))
}

/**
 * Drafts, each with what is known of it.
 * @param now Milliseconds since the epoch.
 */
export async function assessedDrafts(
  read: Reader,
  tenantId: string,
  drafts: readonly Draft[],
  guides: StandingGuides,
  now: number,
): Promise<readonly AssessedDraft[]> {
  if (drafts.length === 0) return []
  const [marks, rows, published] = await Promise.all([
    marksOf(read, tenantId),
    read.select().from(draftAssessments).where(inTenant(draftAssessments, tenantId)),
    publishedBeside(read, tenantId),
  ])
  const known = new Map(rows.map((row) => [row.versionId, row]))
  const oldest = new Date(now - longestMs).toISOString()
  return drafts.map(({ project, version }) => {
    const facts = [
      version.digest,
      version.label,
      version.updatedAt,
      guides.of(project.guideId).mark,
      marks.ofVersion(version.id),
      marks.ofProject(project.id),
      ...(published.get(project.id) ?? []),
    ]
    const stamp = createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
    const assessment = known.get(version.id) ?? null
    const isStale = assessment === null || assessment.stamp !== stamp || assessment.assessedAt < oldest
    return { project, version, stamp, assessment, isStale }
  })
}

/** Queues the evaluation of what may be outdated, unless one waits or runs. */
export async function queueAssessments(deps: Deps, tenantId: string): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    if ((await countUnfinished(tx, tenantId, [kind])) > 0) return
    await draftsJob.enqueue(tx, { tenantId, payload: {}, now: deps.clock.now() })
    tx.afterCommit(() => deps.wake())
  })
}

async function assessOne(deps: Deps, tenant: GrantedTenant, draft: AssessedDraft): Promise<AssessmentRow | null> {
  const common = {
    versionId: draft.version.id,
    tenantId: tenant.id,
    stamp: draft.stamp,
    assessedAt: deps.clock.iso(),
  }
  try {
    const found = await findVersion(deps.db.read, tenant.id, draft.project.id, draft.version.id)
    const { gates, current, impact } = await assessVersion(deps, deps.db.read, tenant, found)
    const failed = gates.filter((it) => it.status === 'fail').map(({ id, message }) => ({ id, message }))
    return {
      ...common,
      isReady: failed.length === 0,
      failed,
      baseLabel: current?.version.label ?? null,
      breaking: current?.result.changes.filter((it) => it.classification === 'breaking').length ?? 0,
      affected: (impact?.consumers ?? []).filter((it) => it.status === 'broken').map((it) => it.handle),
    }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    // It was deleted meanwhile.
    if (error.code === 'version-not-found' || error.code === 'project-not-found') return null
    const failed = [{ id: error.code, message: error.message }]
    return { ...common, isReady: false, failed, baseLabel: null, breaking: 0, affected: [] }
  }
}

async function write(tx: Transaction, rows: readonly AssessmentRow[]): Promise<void> {
  for (const { versionId, ...row } of rows) {
    // A draft that was deleted meanwhile has no row to refer to.
    const [draft] = await tx
      .select({ id: versions.id })
      .from(versions)
      .where(inTenant(versions, row.tenantId, eq(versions.id, versionId)))
    if (draft === undefined) continue
    await tx
      .insert(draftAssessments)
      .values({ versionId, ...row })
      .onConflictDoUpdate({ target: draftAssessments.versionId, set: row })
  }
}

async function tenantWith(read: Reader, id: string): Promise<GrantedTenant | null> {
  const [row] = await read
    .select({ id: tenants.id, slug: tenants.slug, name: tenants.name })
    .from(tenants)
    .where(eq(tenants.id, id))
  return row ? { ...row, plan: null } : null
}

/** Evaluates the gates of the drafts of an organization, as far as what is known of them may be outdated. */
export const assessmentsHandler = (deps: Deps): JobHandler =>
  draftsJob.handle(async (work) => {
    const { tenantId } = work.job
    const { read } = deps.db
    const tenant = await tenantWith(read, tenantId)
    const [guides, { drafts }] = await Promise.all([readGuides(read, tenantId), evaluatedDrafts(read, tenantId)])
    const all = await assessedDrafts(read, tenantId, drafts, guides, deps.clock.now())
    const stale = all.filter((it) => it.isStale)
    const total = stale.length
    let done = 0
    let waiting: AssessmentRow[] = []
    for (const draft of tenant === null ? [] : stale) {
      work.signal.throwIfAborted()
      const row = await assessOne(deps, tenant as GrantedTenant, draft)
      done += 1
      if (row !== null) waiting.push(row)
      if (done % batch !== 0) continue
      const rows = waiting
      waiting = []
      await work.commit({ phase: 'checking', done, total }, (tx) => write(tx, rows))
    }
    return async (tx) => {
      await write(tx, waiting)
      await forgetPublished(tx, tenantId)
      return { status: 'completed', result: { assessed: done } }
    }
  })

/** What was published needs no assessment. */
async function forgetPublished(tx: Transaction, tenantId: string): Promise<void> {
  const gone = await tx
    .select({ id: draftAssessments.versionId })
    .from(draftAssessments)
    .innerJoin(versions, and(eq(versions.id, draftAssessments.versionId), eq(versions.tenantId, tenantId)))
    .where(inTenant(draftAssessments, tenantId, inArray(versions.status, ['published', 'deprecated', 'retired'])))
    .limit(mostForgotten)
  if (gone.length === 0) return
  const ids = gone.map(({ id }) => id)
  await tx
    .delete(draftAssessments)
    .where(inTenant(draftAssessments, tenantId, inArray(draftAssessments.versionId, ids)))
}
