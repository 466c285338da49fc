import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Reader } from '../../db/database.ts'
import { viewersOf } from '../auth/door.ts'
import type { Policy } from './policy.ts'

type Rule = Policy['reviewRules'][number]

/** Why no draft could ever satisfy a rule, or why it says nothing; null where it can. */
function reasonAgainst({ match, reviewers = [], role, min = 1 }: Rule): string | null {
  const { tag, pathPrefix, class: name, breaking } = match
  if (tag === undefined && pathPrefix === undefined && name === undefined && breaking !== true)
    return 'it has no condition; give a tag, pathPrefix, class, or breaking: true'
  if (role !== undefined) return null
  if (reviewers.length === 0) return 'it names no one; give reviewers or a role'
  const { size } = new Set(reviewers)
  return size < min ? `it needs ${plural(min, 'approval')} of ${plural(size, 'reviewer')}` : null
}

/**
 * Checks that the review rules of a policy can be satisfied by members that the organization has.
 * @throws SvcError `review-rule-invalid`, `reviewer-cannot-view`
 */
export async function assertReviewRules(read: Reader, tenantId: string, rules: readonly Rule[]): Promise<void> {
  rules.forEach((rule, at) => {
    const reason = reasonAgainst(rule)
    if (reason !== null) throw new SvcError('review-rule-invalid', { number: String(at + 1), reason })
  })
  const ids = rules.flatMap(({ reviewers = [] }) => reviewers)
  const members = await viewersOf(read, tenantId, ids)
  const other = ids.find((id) => !members.has(id))
  if (other !== undefined) throw new SvcError('reviewer-cannot-view', { user: other })
}
