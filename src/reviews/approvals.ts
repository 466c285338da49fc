/** Which approvals count, and what is missing. */
import type { Survival } from '../api/style-guide-shapes.ts'
import { roles, rolePermissions, type Role } from '../api/permissions.ts'
import type { ChangeSeverity } from '../diff/change.ts'
import { plural } from '../kernel/plural.ts'
import type { Distance } from './documentation.ts'

/** How an approval relates to what the version holds now. */
export type Standing = 'current' | 'carried' | 'stale'

/**
 * What an edit leaves of an approval. Extensions are read by programs that svc does not know: no approval survives a change of one.
 * @param severity the strongest change between what was approved and what is there now; null: none
 */
export function standingAfter(severity: ChangeSeverity | null, survives: Survival, distance: Distance): Standing {
  if (survives === 'nothing' || severity === 'breaking' || !distance.hasSameExtensions) return 'stale'
  return survives === 'docs-only' && !distance.isDocumentationOnly ? 'stale' : 'carried'
}

/** The last answer of a person about a version. */
export interface Answered {
  readonly userId: string
  readonly name: string
  /** Null: no active member any more. */
  readonly role: Role | null
  readonly state: 'approved' | 'changes_requested'
  readonly standing: Standing
  /** Whether they wrote some of what is reviewed. */
  readonly isEditor: boolean
}

/** People who must approve, by a rule of the policy. */
export interface AskedByRule {
  readonly name: string
  readonly reviewers: readonly string[]
  readonly role: Role | null
  readonly min: number
}

/** What approvals there are. */
export interface ApprovalFacts {
  /** Whether someone was asked for a review. */
  readonly isRequested: boolean
  readonly answers: readonly Answered[]
  /** The rules that concern what the draft changes. */
  readonly rules: readonly AskedByRule[]
  readonly openThreads: number
}

const isAtLeast = (role: Role, needed: Role | null): boolean =>
  needed === null || roles.indexOf(role) <= roles.indexOf(needed)

/** Why an approval does not count; null: it does. */
export function reasonAgainst(answered: Answered, neededRole: Role | null): string | null {
  if (answered.isEditor) return 'edited the document'
  if (answered.role === null || !rolePermissions[answered.role].has('reviews:decide')) return 'cannot decide reviews'
  if (!isAtLeast(answered.role, neededRole)) return `is not ${neededRole ?? ''}`
  return answered.standing === 'stale' ? 'approved an earlier revision of the document' : null
}

/** The approvals that count. */
export const countedApprovals = (facts: ApprovalFacts, neededRole: Role | null): Answered[] =>
  facts.answers.filter((it) => it.state === 'approved' && reasonAgainst(it, neededRole) === null)

/** What the approvals say together: `none` where no member was asked and nothing is required. */
export interface Verdict {
  readonly status: 'approved' | 'missing' | 'none'
  readonly message: string
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

function missingOfRule(rule: AskedByRule, counted: readonly Answered[]): string | null {
  const fitting = counted.filter(
    (it) =>
      rule.reviewers.includes(it.userId) || (rule.role !== null && it.role !== null && isAtLeast(it.role, rule.role)),
  )
  const missing = rule.min - fitting.length
  return missing > 0 ? `The rule for ${rule.name} requires ${plural(missing, 'more approval')}.` : null
}

/**
 * Whether there are enough approvals.
 * @param needed how many the policy asks for where approvals are required, or someone was asked
 */
export function verdictOf(
  facts: ApprovalFacts,
  policy: { readonly isRequired: boolean; readonly needed: number; readonly role: Role | null },
): Verdict {
  const counted = countedApprovals(facts, policy.role)
  const objecting = facts.answers.filter((it) => it.state === 'changes_requested' && it.role !== null)
  if (objecting.length > 0)
    return { status: 'missing', message: `${listed(objecting.map(({ name }) => name))} requested changes.` }
  const gaps = facts.rules.flatMap((it) => missingOfRule(it, counted) ?? [])
  if (gaps.length > 0) return { status: 'missing', message: gaps.join(' ') }
  if (!policy.isRequired && !facts.isRequested && facts.rules.length === 0)
    return { status: 'none', message: 'No review was requested.' }
  if (counted.length >= policy.needed)
    return { status: 'approved', message: `Approved by ${listed(counted.map(({ name }) => name))}.` }
  const unused = facts.answers.flatMap((it) => {
    const reason = it.state === 'approved' ? reasonAgainst(it, policy.role) : null
    return reason === null ? [] : [`The approval of ${it.name} does not count: ${it.name} ${reason}.`]
  })
  const have = `${counted.length} of ${plural(policy.needed, 'required approval')}.`
  return { status: 'missing', message: [have, ...unused].join(' ') }
}
