import type { Gate } from '../../src/api/versions.ts'
import { severities } from '../../src/lint/finding.ts'
import { meetsGrade } from '../../src/lint/grade.ts'
import type { Analysis } from '../analysis/door.ts'
import type { Policy } from '../style-guides/door.ts'
import { plural } from '../../src/kernel/plural.ts'

/** The two gates of lint, as far as they are missed: a policy says afterwards what missing them means. */
export function lintGates({ grade, counts }: Analysis['grade'], policy: Policy, evidence_url: string | null): Gate[] {
  const { minGrade, failOn } = policy.policyGates
  const tooBad = severities.slice(0, severities.indexOf(failOn) + 1)
  const found = tooBad.map((it) => plural(counts[it], it === 'info' ? 'note' : it)).join(', ')
  return [
    grade === null
      ? {
          id: 'lint-grade',
          status: 'unknown',
          message: 'No rule applies to this document, so it has no grade.',
          evidence_url,
        }
      : meetsGrade(grade, minGrade)
        ? { id: 'lint-grade', status: 'pass', message: `The lint grade is ${grade}.`, evidence_url }
        : {
            id: 'lint-grade',
            status: 'warn',
            message: `The lint grade is ${grade}, worse than ${minGrade}.`,
            evidence_url,
          },
    {
      id: 'lint-findings',
      status: tooBad.every((it) => counts[it] === 0) ? 'pass' : 'warn',
      message: `Lint found ${found}.`,
      evidence_url,
    },
  ]
}

type Level = 'off' | 'warn' | 'approve' | 'block'

function levelOf(id: string, policy: Policy): Level {
  if (id === 'breaking-guardrail') return policy.breakingPublishGuardrail
  if (id === 'approval' && policy.approvalPolicy.required) return 'block'
  const levels: Readonly<Record<string, string>> = policy.policyGates
  return Object.hasOwn(levels, id) ? (levels[id] as Level) : 'warn'
}

function judged(one: Gate, policy: Policy): Gate {
  // What is invalid is never published, and what is passed or skipped needs no policy.
  if (one.id === 'document-valid' || one.status === 'pass' || one.status === 'skipped') return one
  const level = levelOf(one.id, policy)
  if (level === 'off') return { ...one, status: 'skipped', message: `Not required by the policy. ${one.message}` }
  if (level === 'warn') return one
  const role = policy.requiredReviewerRole ?? 'a reviewer'
  return level === 'approve'
    ? { ...one, status: 'fail', message: `${one.message} The policy requires the approval of ${role}.` }
    : { ...one, status: 'fail', message: `${one.message} The policy does not allow that.` }
}

/** What the gates mean under a policy: a missed one is skipped, warns or fails by its level. */
export const underPolicy = (gates: readonly Gate[], policy: Policy): Gate[] => gates.map((one) => judged(one, policy))
