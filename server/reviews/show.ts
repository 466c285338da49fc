import { eq, inArray } from 'drizzle-orm'
import type { Review } from '../../src/api/reviews.ts'
import { reasonAgainst } from '../../src/reviews/approvals.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { reviewReviewers, type reviews } from '../../db/tables.gen.ts'
import { describeActors, inParts, viewersOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { effectiveGuide, type Policy } from '../style-guides/door.ts'
import type { FoundVersion } from '../records/door.ts'
import { mentionsIn, renameMentions } from '../threads/door.ts'
import { editorsOf, standingOf, type ReviewerRow } from './facts.ts'

export type ReviewRow = typeof reviews.$inferSelect
type Reviewer = Review['reviewers'][number]
type Viewers = Awaited<ReturnType<typeof viewersOf>>

/** A review with the version it is about. */
export interface FoundReview extends FoundVersion {
  readonly review: ReviewRow
}

async function reviewersOf(read: Reader, tenantId: string, ids: readonly string[]) {
  const rows: ReviewerRow[] = []
  for (const part of inParts(ids))
    rows.push(
      ...(await read
        .select()
        .from(reviewReviewers)
        .where(inTenant(reviewReviewers, tenantId, inArray(reviewReviewers.reviewId, part)))),
    )
  return Map.groupBy(
    rows.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)),
    (it) => it.reviewId,
  )
}

/** The reviewers of one review. */
export const reviewersOfOne = async (read: Reader, tenantId: string, reviewId: string): Promise<ReviewerRow[]> =>
  read
    .select()
    .from(reviewReviewers)
    .where(inTenant(reviewReviewers, tenantId, eq(reviewReviewers.reviewId, reviewId)))

function statusOf(isWithdrawn: boolean, all: readonly Reviewer[]): Review['status'] {
  const asked = all.filter((it) => it.state !== 'withdrawn')
  if (isWithdrawn || asked.length === 0) return 'withdrawn'
  if (asked.some((it) => it.state === 'changes_requested')) return 'changes_requested'
  if (asked.some((it) => it.state === 'pending')) return 'pending'
  return asked.every((it) => it.counts) ? 'approved' : 'stale'
}

/** What a version is reviewed by, read once for all of its reviews. */
interface Background {
  readonly policy: Policy
  readonly editors: ReadonlySet<string>
}

/** A note whose mentions of members have today's names. */
const withNames = (note: string, viewers: Viewers): string =>
  renameMentions(note, new Map(mentionsIn(note).map((id) => [id, viewers.get(id)?.name])))

async function showReviewer(
  deps: Deps,
  { version }: FoundReview,
  row: ReviewerRow,
  { policy, editors }: Background,
  viewers: Viewers,
  name: string,
): Promise<Reviewer> {
  const isApproval = row.state === 'approved'
  const { standing, severity } = isApproval
    ? await standingOf(deps, version, row, policy)
    : { standing: 'current' as const, severity: null }
  const answered = {
    userId: row.userId,
    name,
    role: viewers.get(row.userId)?.role ?? null,
    state: 'approved' as const,
    standing,
    isEditor: editors.has(row.userId),
  }
  const reason = isApproval ? reasonAgainst(answered, policy.requiredReviewerRole) : null
  return {
    user_id: row.userId,
    name,
    state: row.state,
    note: withNames(row.note, viewers),
    decided_at: row.decidedAt,
    digest: row.contentDigest,
    carried: standing === 'carried' ? { from_digest: row.contentDigest ?? '', severity } : null,
    counts: isApproval && reason === null,
    reason,
  }
}

/**
 * Reviews as the contract shows them: approvals are compared with what the versions hold now.
 * @throws SvcError `analysis-stopped`
 */
export async function showReviews(deps: Deps, tenantId: string, found: readonly FoundReview[]): Promise<Review[]> {
  const { read } = deps.db
  const asked = await reviewersOf(
    read,
    tenantId,
    found.map(({ review }) => review.id),
  )
  const rows = [...asked.values()].flat()
  const actors = [...found.map(({ review }) => review.requestedBy), ...rows.map(({ userId }) => `user:${userId}`)]
  const people = await describeActors(read, tenantId, actors)
  const notes = [...found.map(({ review }) => review.note), ...rows.map(({ note }) => note)]
  const viewers = await viewersOf(read, tenantId, [...rows.map(({ userId }) => userId), ...notes.flatMap(mentionsIn)])
  const known = new Map<string, Background>()
  const shown: Review[] = []
  for (const one of found) {
    const { review, project, version } = one
    let background = known.get(version.id)
    if (background === undefined) {
      const { policy } = await effectiveGuide(read, tenantId, project.id)
      background = { policy, editors: await editorsOf(read, version) }
      known.set(version.id, background)
    }
    const reviewers: Reviewer[] = []
    for (const row of asked.get(review.id) ?? [])
      reviewers.push(
        await showReviewer(deps, one, row, background, viewers, people.get(`user:${row.userId}`)?.name ?? row.userId),
      )
    const status = statusOf(review.withdrawnAt !== null, reviewers)
    shown.push({
      id: review.id,
      project_id: project.id,
      project_slug: project.slug,
      version_id: version.id,
      version_label: version.label,
      requested_by: review.requestedBy === null ? null : (people.get(review.requestedBy) ?? null),
      note: withNames(review.note, viewers),
      reviewers,
      content_digest: review.contentDigest,
      status,
      closed: review.withdrawnAt !== null || version.status !== 'draft',
      created_at: review.createdAt,
    })
  }
  return shown
}
