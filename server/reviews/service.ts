import { and, desc, eq, exists, sql } from 'drizzle-orm'
import type { Review } from '../../src/api/reviews.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, reviewReviewers, reviews, versions } from '../../db/tables.gen.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import { afterPage, type Deps, readStablePage, sincePage, type StablePage } from '../kit/door.ts'
import type { VersionRefs } from '../threads/door.ts'
import { findVersion } from '../records/door.ts'
import { showReviews, type FoundReview } from './show.ts'

/** The newest reviews that a list with a status looks at: a status follows from documents, no column has it. */
const mostSifted = 500

/**
 * A page of the reviews of a version, newest first.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function listReviews(deps: Deps, grant: Grant, refs: VersionRefs, page: StablePage) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const found = await findVersion(read, tenantId, refs.project, refs.version)
  const where = inTenant(reviews, tenantId, eq(reviews.versionId, found.version.id))
  const { rows, page: counts } = await readStablePage(read, reviews, {
    where,
    order: [reviews.createdAt, reviews.id],
    page,
    added: reviews.createdAt,
    now: deps.clock.iso(),
  })
  const shown = await showReviews(
    deps,
    tenantId,
    rows.map((review) => ({ ...found, review })),
  )
  return { reviews: shown, count: shown.length, ...counts }
}

/**
 * A review of a version.
 * @throws SvcError `project-not-found`, `version-not-found`, `review-not-found`
 */
export async function findReview(
  read: Reader,
  tenantId: string,
  refs: VersionRefs,
  reviewId: string,
): Promise<FoundReview> {
  const found = await findVersion(read, tenantId, refs.project, refs.version)
  const [review] = await read
    .select()
    .from(reviews)
    .where(inTenant(reviews, tenantId, eq(reviews.versionId, found.version.id), eq(reviews.id, reviewId)))
  if (review === undefined) throw new SvcError('review-not-found', { review: reviewId })
  return { ...found, review }
}

/**
 * One review as the contract shows it.
 * @throws SvcError `review-not-found`, `analysis-stopped`
 */
export async function showReview(deps: Deps, grant: Grant, refs: VersionRefs, reviewId: string): Promise<Review> {
  const { id: tenantId } = tenantOf(grant)
  const [review] = await showReviews(deps, tenantId, [await findReview(deps.db.read, tenantId, refs, reviewId)])
  if (review === undefined) throw new SvcError('review-not-found', { review: reviewId })
  return review
}

/**
 * A page of the reviews of the organization, newest first: all, those that ask the caller, or those that the caller asked
 * for. A key is never asked. With a status, the newest 500 are looked at.
 * @throws SvcError `analysis-stopped`
 */
export async function listMine(
  deps: Deps,
  grant: Grant,
  {
    mine,
    status,
    ...page
  }: StablePage & { readonly mine: 'requested' | 'authored' | null; readonly status: Review['status'] | null },
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { principal } = grant
  const me = principal?.kind === 'user' ? principal.userId : ''
  const asksMe = exists(
    read
      .select({ one: sql`1` })
      .from(reviewReviewers)
      .where(
        inTenant(reviewReviewers, tenantId, eq(reviewReviewers.reviewId, reviews.id), eq(reviewReviewers.userId, me)),
      ),
  )
  const isMine =
    mine === null ? undefined : mine === 'requested' ? asksMe : eq(reviews.requestedBy, actorOf(grant) ?? '')
  const where = inTenant(reviews, tenantId, isMine, sincePage(reviews.createdAt, page))
  const now = deps.clock.iso()
  const answer = (list: Review[], total: number) => ({
    reviews: list,
    count: list.length,
    ...afterPage(page, { shown: list.length, total, now }),
  })
  const [limit, offset] = status === null ? [page.limit, page.offset] : [mostSifted, 0]
  const rows = await read
    .select({ review: reviews, version: versions, project: projects })
    .from(reviews)
    .innerJoin(versions, and(eq(versions.id, reviews.versionId), eq(versions.tenantId, tenantId)))
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(where)
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(limit)
    .offset(offset)
  const shown = await showReviews(deps, tenantId, rows)
  if (status === null) return answer(shown, await read.$count(reviews, where))
  const fitting = shown.filter((it) => it.status === status)
  return answer(fitting.slice(page.offset, page.offset + page.limit), fitting.length)
}
