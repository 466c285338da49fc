/** What a run of `svc lint` was asked to apply or to read and did not. */
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { ChosenGuide } from '../guide/find.ts'
import { skippedRules, type Linted } from './outcome.ts'
import type { SkippedFile } from './targets.ts'

/** A rule, a ruleset or a file that could not be used, with the reason. */
export interface Skipped {
  readonly kind: 'rule' | 'ruleset' | 'file'
  readonly name: string
  readonly reason: string
  /** `allowSkipped` of svc.yaml names it: it fails no run. */
  readonly accepted?: true
}

/** Everything that a run skipped: rulesets first, then rules, then files. */
export const skippedOf = (
  guide: Pick<ChosenGuide, 'refused' | 'failed' | 'mayBeSkipped'>,
  all: readonly Linted[],
  files: readonly SkippedFile[],
): Skipped[] => [
  ...[
    ...(guide.refused ?? []).map(({ name, reason }): Skipped => ({ kind: 'ruleset', name, reason })),
    ...skippedRules(all).map(({ code, reason }): Skipped => ({ kind: 'rule', name: code, reason })),
    ...[...(guide.failed ?? [])].map(([name, reason]): Skipped => ({ kind: 'rule', name, reason })),
  ].map((entry) => (guide.mayBeSkipped?.has(entry.name) === true ? { ...entry, accepted: true as const } : entry)),
  ...files.map(({ file, reason }): Skipped => ({ kind: 'file', name: file, reason })),
]

/** What of it fails a run. */
export const notAccepted = (skipped: readonly Skipped[]): readonly Skipped[] =>
  skipped.filter((it) => it.accepted !== true)

const sentence = ({ kind, name, reason }: Skipped): string => {
  const why = reason.replace(/\.$/, '')
  return kind === 'file' ? `This file was not checked: ${why}.` : `The ${kind} "${name}" was not applied: ${why}.`
}

const start = { line: 0, character: 0 }

/**
 * Findings for what was skipped, so that every report has them. `isAllowed`: as information, which fails no run; errors otherwise.
 * @param guide the name of the style guide, which is where skipped rules are reported
 */
export const findingsOfSkipped = (skipped: readonly Skipped[], guide: string, isAllowed: boolean): Finding[] =>
  skipped.map((entry) => {
    const code = `skipped-${entry.kind}`
    const source = entry.kind === 'file' ? entry.name : guide
    return {
      code,
      severity: isAllowed || entry.accepted === true ? 'info' : 'error',
      message: sentence(entry),
      path: [],
      pointer: '',
      source,
      range: { start, end: start },
      fingerprint: fingerprintOf(code, source, [entry.name]),
      documentationUrl: null,
      fix: null,
    }
  })

/** "1 ruleset and 3 rules". */
export function countSkipped(skipped: readonly Skipped[]): string {
  const kinds = [...Map.groupBy(skipped, ({ kind }) => kind)].map(([kind, its]) => plural(its.length, kind))
  return kinds.length < 2 ? kinds.join('') : `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}`
}
