import type { Gate } from '../../src/api/versions.ts'
import type { Change } from '../../src/diff/change.ts'
import { compareLabels } from './latest.ts'

/** What the gates look at. */
export interface GateFacts {
  readonly label: string
  /** Messages of the problems that make the document invalid. */
  readonly invalid: readonly string[]
  readonly unresolvedRefs: number
  readonly grade: string | null
  readonly counts: { readonly error: number; readonly warning: number }
  /** Where the findings are read; null where these bytes are not stored. */
  readonly lintUrl: string | null
  /** The version that is published now, compared with this one; null where nothing is published. */
  readonly published: {
    readonly label: string
    readonly changes: readonly Change[]
    readonly changesUrl: string | null
  } | null
}

const gate = (id: string, status: Gate['status'], message: string, evidence: string | null = null): Gate => ({
  id,
  status,
  message,
  evidence_url: evidence,
})

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`

function documentValid({ invalid, lintUrl }: GateFacts): Gate {
  if (invalid.length === 0) return gate('document-valid', 'pass', 'The document is valid.', lintUrl)
  const more = invalid.length > 1 ? ` (and ${plural(invalid.length - 1, 'more problem')})` : ''
  return gate('document-valid', 'fail', `${invalid[0]}${more}`, lintUrl)
}

function againstPublished(facts: GateFacts): Gate[] {
  const { published } = facts
  if (published === null) {
    const why = 'Nothing is published yet, so there is nothing to break.'
    return ['breaking-guardrail', 'semver-consistent', 'compat'].map((id) => gate(id, 'pass', why))
  }
  return [breaking(published), semver(facts.label, published), compat(published)]
}

type Published = NonNullable<GateFacts['published']>

function breaking({ label, changes, changesUrl }: Published): Gate {
  const count = changes.filter((change) => change.classification === 'breaking').length
  const undecided = changes.filter((change) => change.classification === 'unknown').length
  if (count === 0 && undecided > 0)
    return gate(
      'breaking-guardrail',
      'unknown',
      `Nothing is proven to break clients of ${label}, but ${plural(undecided, 'change')} could not be decided.`,
      changesUrl,
    )
  return count === 0
    ? gate('breaking-guardrail', 'pass', `Nothing breaks clients of ${label}.`, changesUrl)
    : gate(
        'breaking-guardrail',
        'warn',
        `${plural(count, 'change')} ${count === 1 ? 'breaks' : 'break'} clients of ${label}.`,
        changesUrl,
      )
}

function compat({ label, changes, changesUrl }: Published): Gate {
  const undecided = changes.filter((change) => change.classification === 'unknown').length
  if (undecided > 0)
    return gate(
      'compat',
      'unknown',
      `${plural(undecided, 'change')} against ${label} could not be decided.`,
      changesUrl,
    )
  const breaks = changes.some((change) => change.classification === 'breaking')
  return breaks
    ? gate('compat', 'warn', `Not compatible with ${label}.`, changesUrl)
    : gate('compat', 'pass', `Proven compatible with ${label}.`, changesUrl)
}

const major = (label: string): string | null => /^v?(\d+)/.exec(label)?.[1] ?? null

function semver(label: string, published: Published): Gate {
  const evidence = published.changesUrl
  if (major(label) === null || major(published.label) === null)
    return gate('semver-consistent', 'skipped', `"${label}" or "${published.label}" is no semantic version.`, evidence)
  if (compareLabels(label, published.label) <= 0)
    return gate(
      'semver-consistent',
      'warn',
      `${label} is not greater than ${published.label}, which is published.`,
      evidence,
    )
  const breaks = published.changes.some((change) => change.severity === 'breaking')
  // Below 1.0.0 anything may change at any time (Semantic Versioning 2.0.0, section 4).
  const sameMajor = major(label) === major(published.label) && major(label) !== '0'
  return breaks && sameMajor
    ? gate(
        'semver-consistent',
        'warn',
        `${label} breaks clients of ${published.label} and keeps its major number.`,
        evidence,
      )
    : gate('semver-consistent', 'pass', `The step from ${published.label} to ${label} fits what changed.`, evidence)
}

/**
 * Evaluates every publish gate. Until a policy says otherwise only an invalid document fails; what else is wrong warns.
 */
export function evaluateGates(facts: GateFacts): Gate[] {
  const { unresolvedRefs, grade, counts, lintUrl } = facts
  const findings = `${plural(counts.error, 'error')} and ${plural(counts.warning, 'warning')}`
  return [
    documentValid(facts),
    unresolvedRefs === 0
      ? gate('unresolved-refs', 'pass', 'Every reference leads somewhere.', lintUrl)
      : gate(
          'unresolved-refs',
          'warn',
          `${plural(unresolvedRefs, 'reference')} ${unresolvedRefs === 1 ? 'leads' : 'lead'} nowhere.`,
          lintUrl,
        ),
    grade === null
      ? gate('lint-grade', 'unknown', 'No rule applies to this document, so it has no grade.', lintUrl)
      : gate('lint-grade', grade === 'A' || grade === 'B' ? 'pass' : 'warn', `The lint grade is ${grade}.`, lintUrl),
    gate('lint-findings', counts.error === 0 ? 'pass' : 'warn', `Lint found ${findings}.`, lintUrl),
    ...againstPublished(facts),
    gate('consumer-impact', 'skipped', 'No consumer contract is registered for this project.'),
    gate('approval', 'skipped', 'This tenant has no reviews.'),
  ]
}

/** The gates that stop publishing: with force all but `document-valid` may be skipped. */
export const stoppingGates = (gates: readonly Gate[], force: boolean): Gate[] =>
  gates.filter((one) => one.status === 'fail' && (!force || one.id === 'document-valid'))
