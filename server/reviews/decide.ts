import { eq } from 'drizzle-orm'
import { roles, rolePermissions } from '../../src/api/permissions.ts'
import type { Review } from '../../src/api/reviews.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { memberships, reviewReviewers, reviews, users } from '../../db/tables.gen.ts'
import { actorOf, type Grant, personOf, recordAudit, tenantOf, viewersOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertInboxRoom } from '../notifications/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { effectiveGuide, type Policy } from '../style-guides/door.ts'
import { excerptOfBody, mentionedMembers, type VersionRefs } from '../threads/door.ts'
import { baselineComparison } from '../versions/door.ts'
import { findVersion, type FoundVersion } from '../records/door.ts'
import { contentDigestOf } from './content.ts'
import { editorsOf, rulesFor } from './facts.ts'
import { findReview, showReview } from './service.ts'
import { reviewersOfOne, type FoundReview } from './show.ts'

const mostReviewers = 10

/** @throws SvcError `reviewer-cannot-view`, `reviewer-is-author`, `reviewer-cannot-decide` */
async function assertReviewers(
  read: Reader,
  { version }: FoundVersion,
  ids: readonly string[],
  { requiredReviewerRole }: Policy,
): Promise<void> {
  const viewers = await viewersOf(read, version.tenantId, ids)
  const editors = await editorsOf(read, version)
  for (const id of ids) {
    const viewer = viewers.get(id)
    if (viewer === undefined) throw new SvcError('reviewer-cannot-view', { user: id })
    if (editors.has(id)) throw new SvcError('reviewer-is-author', { name: viewer.name })
    const isTooWeak = requiredReviewerRole !== null && roles.indexOf(viewer.role) > roles.indexOf(requiredReviewerRole)
    if (isTooWeak || !rolePermissions[viewer.role].has('reviews:decide'))
      throw new SvcError('reviewer-cannot-decide', {
        name: viewer.name,
        role: isTooWeak ? `: the policy requires the role ${requiredReviewerRole}` : '',
      })
  }
}

/** The members that the rules of the policy name for what a draft changes; those who wrote it are left out. */
async function askedByRules(deps: Deps, found: FoundVersion, policy: Policy): Promise<string[]> {
  const { read } = deps.db
  const { version } = found
  const { current, classes } = await baselineComparison(deps, read, found)
  const rules = await rulesFor(read, version, classes, policy, current)
  const editors = await editorsOf(read, version)
  const named = rules.flatMap(({ reviewers }) => reviewers)
  const wanted = rules.flatMap(({ role }) => role ?? [])
  const ofRoles =
    wanted.length === 0
      ? []
      : await read
          .select({ id: memberships.userId, role: memberships.role })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(inTenant(memberships, version.tenantId, eq(memberships.status, 'active'), eq(users.status, 'active')))
  const strong = ofRoles.filter(({ role }) => wanted.some((it) => roles.indexOf(role) <= roles.indexOf(it)))
  const all = [...new Set([...named, ...strong.map(({ id }) => id)])].filter((id) => !editors.has(id))
  const viewers = await viewersOf(read, version.tenantId, all)
  return all.filter((id) => {
    const role = viewers.get(id)?.role
    return role !== undefined && rolePermissions[role].has('reviews:decide')
  })
}

/** What someone asks for. */
export interface ReviewAsked {
  readonly reviewer_ids?: readonly string[]
  readonly by_rules?: boolean
  readonly note?: string
}

/**
 * Asks members to review a draft.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-published`, `reviewers-missing`,
 *   `reviewer-cannot-view`, `reviewer-is-author`, `reviewer-cannot-decide`, `inbox-full`, `analysis-stopped`
 */
export async function requestReview(deps: Deps, grant: Grant, refs: VersionRefs, asked: ReviewAsked): Promise<Review> {
  const { id: tenantId } = tenantOf(grant)
  const before = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const { policy } = await effectiveGuide(deps.db.read, tenantId, before.project.id)
  const named = [...new Set(asked.reviewer_ids ?? [])]
  const byRules = asked.by_rules === true ? await askedByRules(deps, before, policy) : []
  const ids = [...new Set([...named, ...byRules])].slice(0, Math.max(mostReviewers, named.length))
  if (ids.length === 0)
    throw new SvcError('reviewers-missing', {
      reason: asked.by_rules === true ? 'no review rule of the policy names one for these changes' : null,
    })
  const id = newId()
  const at = deps.clock.iso()
  const note = asked.note ?? ''
  const by = actorOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const found = await findVersion(tx, tenantId, before.project.id, before.version.id)
    const { version, project } = found
    if (version.status !== 'draft') throw new SvcError('version-published', { version: version.label })
    await assertReviewers(tx, found, named, policy)
    await assertInboxRoom(tx, tenantId, by, ids)
    const contentDigest = contentDigestOf(version)
    const row = { id, tenantId, versionId: version.id, requestedBy: by, note, contentDigest, createdAt: at }
    await tx.insert(reviews).values({ ...row, withdrawnAt: null })
    const open = {
      state: 'pending',
      note: '',
      decidedAt: null,
      contentDigest: null,
      documentDigest: null,
      label: null,
    } as const
    await tx
      .insert(reviewReviewers)
      .values(ids.map((userId) => ({ reviewId: id, userId, tenantId, versionId: version.id, ...open })))
    await recordEvent(deps, tx, {
      tenantId,
      type: 'review.requested',
      subjectId: id,
      payload: {
        project_id: project.id,
        version_id: version.id,
        review_id: id,
        reviewers: ids,
        mentions: await mentionedMembers(tx, tenantId, note),
        excerpt: excerptOfBody(note),
        by,
      },
      at,
    })
    await audit(tx, grant, 'review.requested', found, { review: id, label: version.label, reviewers: ids }, at)
  })
  return showReview(deps, grant, { project: before.project.id, version: before.version.id }, id)
}

const audit = (
  tx: Transaction,
  grant: Grant,
  action: 'review.requested' | 'review.decided' | 'review.withdrawn',
  { version }: FoundVersion,
  detail: Readonly<Record<string, unknown>>,
  at: string,
): Promise<void> =>
  recordAudit(tx, { tenantId: version.tenantId, actor: grant.principal, action, targetId: version.id, detail, at })

/** @throws SvcError `review-closed` */
function assertReviewOpen({ review, version }: FoundReview): void {
  const closed = (reason: string) => new SvcError('review-closed', { review: review.id, reason })
  if (review.withdrawnAt !== null) throw closed('it was withdrawn')
  if (version.status !== 'draft') throw closed(`version ${version.label} is ${version.status}`)
}

/**
 * Answers a review: of exactly what the draft holds now.
 * @throws SvcError `review-not-found`, `review-closed`, `reviewer-not-asked`, `reviewer-is-author`, `document-changed`,
 *   `person-required`
 */
export async function decideReview(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  reviewId: string,
  given: {
    readonly decision: 'approved' | 'changes_requested'
    readonly note?: string
    readonly expected_digest?: string
  },
): Promise<Review> {
  const { id: tenantId } = tenantOf(grant)
  const userId = personOf(grant)
  const at = deps.clock.iso()
  const note = given.note ?? ''
  await deps.db.inTransaction(async (tx) => {
    // Publishing takes the same lock: a decision is before it or finds the version published.
    await tx.lock(`project ${(await findReview(tx, tenantId, refs, reviewId)).project.id}`)
    const found = await findReview(tx, tenantId, refs, reviewId)
    const { version, project, review } = found
    assertReviewOpen(found)
    const own = (await reviewersOfOne(tx, tenantId, reviewId)).find((it) => it.userId === userId)
    if (own === undefined) throw new SvcError('reviewer-not-asked', { review: reviewId })
    if (given.expected_digest !== undefined && given.expected_digest !== version.digest)
      throw new SvcError('document-changed', { expected: given.expected_digest, actual: version.digest })
    if (given.decision === 'approved' && (await editorsOf(tx, version)).has(userId)) {
      const viewers = await viewersOf(tx, tenantId, [userId])
      throw new SvcError('reviewer-is-author', { name: viewers.get(userId)?.name ?? userId })
    }
    await answer(tx, own, {
      state: given.decision,
      note,
      decidedAt: at,
      contentDigest: contentDigestOf(version),
      documentDigest: version.digest,
      label: version.label,
    })
    await recordEvent(deps, tx, {
      tenantId,
      type: 'review.decided',
      subjectId: reviewId,
      payload: {
        project_id: project.id,
        project_slug: project.slug,
        version_id: version.id,
        label: version.label,
        review_id: reviewId,
        decision: given.decision,
        excerpt: excerptOfBody(note),
        requested_by: review.requestedBy,
        mentions: await mentionedMembers(tx, tenantId, note),
        by: actorOf(grant),
      },
      at,
    })
    const detail = { review: reviewId, decision: given.decision, digest: contentDigestOf(version) }
    await audit(tx, grant, 'review.decided', found, detail, at)
  })
  return showReview(deps, grant, refs, reviewId)
}

const answer = (
  tx: Transaction,
  { tenantId, reviewId, userId }: typeof reviewReviewers.$inferSelect,
  set: Partial<typeof reviewReviewers.$inferSelect>,
) =>
  tx
    .update(reviewReviewers)
    .set(set)
    .where(
      inTenant(reviewReviewers, tenantId, eq(reviewReviewers.reviewId, reviewId), eq(reviewReviewers.userId, userId)),
    )

/**
 * Takes back: a reviewer the own answer, who requested it the whole review.
 * @throws SvcError `review-not-found`, `review-closed`, `permission-denied`
 */
export async function withdrawReview(deps: Deps, grant: Grant, refs: VersionRefs, reviewId: string): Promise<Review> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const actor = actorOf(grant)
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`project ${(await findReview(tx, tenantId, refs, reviewId)).project.id}`)
    const found = await findReview(tx, tenantId, refs, reviewId)
    assertReviewOpen(found)
    const own = (await reviewersOfOne(tx, tenantId, reviewId)).find((it) => `user:${it.userId}` === actor)
    if (found.review.requestedBy === actor)
      await tx
        .update(reviews)
        .set({ withdrawnAt: at })
        .where(inTenant(reviews, tenantId, eq(reviews.id, reviewId)))
    else if (own !== undefined) await answer(tx, own, { state: 'withdrawn', decidedAt: at })
    else throw new SvcError('permission-denied', { permission: 'reviews:decide' })
    await audit(tx, grant, 'review.withdrawn', found, { review: reviewId }, at)
  })
  return showReview(deps, grant, refs, reviewId)
}
