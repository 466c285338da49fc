import { eq, isNull } from 'drizzle-orm'
import type { ChangeSeverity } from '../../src/diff/change.ts'
import {
  standingAfter,
  type Answered,
  type ApprovalFacts,
  type AskedByRule,
  type Standing,
} from '../../src/reviews/approvals.ts'
import { lastAnswers } from '../../src/reviews/last-answers.ts'
import { matchingRules } from '../../src/reviews/rules.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { operations, reviewReviewers, reviews, versionEditors } from '../../db/tables.gen.ts'
import { peopleBehind, viewersOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Policy } from '../style-guides/door.ts'
import { countOpen } from '../threads/door.ts'
import type { Comparison } from '../versions/door.ts'
import type { VersionRow } from '../records/door.ts'
import { contentDigestOf, joinedPart } from './content.ts'

export type ReviewerRow = typeof reviewReviewers.$inferSelect

/** The people behind what a version holds: its creator, everyone who wrote some of its document, and who created the keys that did. */
export async function editorsOf(read: Reader, version: VersionRow): Promise<ReadonlySet<string>> {
  const rows = await read
    .select({ actor: versionEditors.actor })
    .from(versionEditors)
    .where(inTenant(versionEditors, version.tenantId, eq(versionEditors.versionId, version.id)))
  return peopleBehind(read, version.tenantId, [version.createdBy, ...rows.map(({ actor }) => actor)])
}

/** Whether an approval is of what the version holds now, and the strongest change since. */
export async function standingOf(
  deps: Deps,
  version: VersionRow,
  row: Pick<ReviewerRow, 'contentDigest' | 'documentDigest' | 'label'>,
  policy: Policy,
): Promise<{ readonly standing: Standing; readonly severity: ChangeSeverity | null }> {
  const now = contentDigestOf(version)
  const { contentDigest, documentDigest, label } = row
  if (label !== null && label !== version.label) return { standing: 'stale', severity: null }
  if (contentDigest === now) return { standing: 'current', severity: null }
  if (contentDigest === null || documentDigest === null || joinedPart(contentDigest) !== joinedPart(now))
    return { standing: 'stale', severity: null }
  const approved = deps.analysis.textOf(version.tenantId, documentDigest, version.provenance.source)
  const present = deps.analysis.subjectOf(version)
  const { maxSeverity } = await deps.analysis.compare(approved, present)
  const distance = await deps.analysis.run(version.tenantId, 'review-distance', {}, [approved, present])
  return { standing: standingAfter(maxSeverity, policy.approvalsSurvive, distance), severity: maxSeverity }
}

/** The rows of reviewers whose review was not withdrawn. */
export async function openReviewers(read: Reader, version: VersionRow): Promise<ReviewerRow[]> {
  const rows = await read
    .select({ reviewer: reviewReviewers })
    .from(reviewReviewers)
    .innerJoin(reviews, eq(reviews.id, reviewReviewers.reviewId))
    .where(
      inTenant(
        reviewReviewers,
        version.tenantId,
        eq(reviewReviewers.versionId, version.id),
        eq(reviews.tenantId, version.tenantId),
        isNull(reviews.withdrawnAt),
      ),
    )
  return rows.map(({ reviewer }) => reviewer)
}

/** The rules of the policy that concern what a draft changes. */
export async function rulesFor(
  read: Reader,
  version: VersionRow,
  classes: readonly string[],
  policy: Policy,
  current: Comparison | null,
): Promise<AskedByRule[]> {
  if (policy.reviewRules.length === 0) return []
  const ids = [version.id, ...(current === null ? [] : [current.version.id])]
  const rows = await Promise.all(
    ids.map((id) =>
      read
        .select({ ref: operations.ref, tags: operations.tags })
        .from(operations)
        .where(inTenant(operations, version.tenantId, eq(operations.versionId, id))),
    ),
  )
  const draft = { changes: current?.result.changes ?? null, operations: rows.flat(), classes }
  return matchingRules(policy.reviewRules, draft).map(({ match, reviewers, role, min }) => ({
    name: Object.entries(match)
      .map(([name, value]) => (value === true ? name : `${name} ${String(value)}`))
      .join(', '),
    reviewers: reviewers ?? [],
    role: role ?? null,
    min: min ?? 1,
  }))
}

/** What the gates of reviews and threads look at. */
export async function reviewFacts(
  deps: Deps,
  read: Reader,
  version: VersionRow,
  {
    policy,
    current,
    classes,
  }: { readonly policy: Policy; readonly current: Comparison | null; readonly classes: readonly string[] },
): Promise<ApprovalFacts> {
  const rows = await openReviewers(read, version)
  const editors = await editorsOf(read, version)
  const last = lastAnswers(rows)
  const people = await viewersOf(
    read,
    version.tenantId,
    last.map(({ userId }) => userId),
  )
  const answers: Answered[] = []
  for (const row of last) {
    const person = people.get(row.userId)
    const { standing } =
      row.state === 'approved' ? await standingOf(deps, version, row, policy) : { standing: 'current' as const }
    answers.push({
      userId: row.userId,
      name: person?.name ?? 'A former member',
      role: person?.role ?? null,
      state: row.state,
      standing,
      isEditor: editors.has(row.userId),
    })
  }
  return {
    isRequested: rows.length > 0,
    answers,
    rules: await rulesFor(read, version, classes, policy, current),
    openThreads: await countOpen(read, version.tenantId, version.id),
  }
}

/** A text that changes whenever a decision, a request or a thread does: what was assessed before still holds if it is the same. */
export async function reviewStamp(read: Reader, version: VersionRow): Promise<string> {
  const rows = await openReviewers(read, version)
  const parts = rows.map((it) => [it.reviewId, it.userId, it.state, it.decidedAt, it.contentDigest].join(' ')).sort()
  return [await countOpen(read, version.tenantId, version.id), ...parts].join('\n')
}
