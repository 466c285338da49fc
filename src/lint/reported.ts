import type { Finding } from './finding.ts'
import type { Ruleset } from './rule.ts'

/** The codes of findings that no rule reports: what is wrong with the document, the suppressions or the run. */
export interface ReportedCode {
  readonly description: string
  readonly remedy: string
}

export const reportedCodes: Readonly<Record<string, ReportedCode>> = {
  parser: {
    description: 'The document is not valid JSON or YAML.',
    remedy: 'Correct the syntax at the reported line and column.',
  },
  'invalid-ref': {
    description: 'A reference leads to nothing that exists or can be read.',
    remedy: 'Correct the reference, or add what it refers to.',
  },
  'unused-suppression': {
    description: 'A suppression or a waiver matches no finding.',
    remedy: 'Remove it, or correct its rule or place. "--unused-suppressions" sets the severity.',
  },
  'invalid-suppression': {
    description: 'A suppression in the document cannot be read; it suppresses nothing.',
    remedy: 'Write the id of a rule, a list of ids, or an object of ids with reasons.',
  },
  'expired-waiver': {
    description: 'The expiry date of a waiver has passed; its findings are reported again.',
    remedy: 'Fix the findings and remove the waiver, or agree on a later date with its owner.',
  },
  'no-rules': {
    description: 'No rule of the style guide applies to this kind of document, so that it has no grade.',
    remedy: 'Choose a style guide for this kind of document with --guide.',
  },
  'unrecognized-format': {
    description: 'The document has no supported format or version.',
    remedy: 'Correct the version field, such as "openapi: 3.1.0", or choose a ruleset for the document with --guide.',
  },
  'skipped-rule': {
    description: 'A rule of the style guide was not applied. The message says why.',
    remedy: 'Correct the rule or turn it off; "--allow-skipped" reports it as information.',
  },
  'skipped-ruleset': {
    description: 'A ruleset that the style guide extends was not applied. The message says why.',
    remedy: 'Install or correct the ruleset; "--allow-functions" runs JavaScript rulesets with your permissions.',
  },
  'skipped-file': {
    description: 'A file or folder was not checked, because it cannot be read. The message says why.',
    remedy: 'Correct the file or its permissions, or leave it out with a pattern such as "!drafts".',
  },
}

/** What tells findings apart. */
export const keyOf = ({ fingerprint, message }: Finding): string => `${fingerprint} ${message}`

/** Each finding once: two documents of a run may refer to a third one, which may be checked by itself as well. */
export function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter((finding) => {
    const key = keyOf(finding)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The ids of the rules that could report findings: those of some rulesets, and those of svc itself. */
export const knownRules = (rulesets: readonly Ruleset[]): ReadonlySet<string> =>
  new Set(['invalid-ref', 'unrecognized-format', 'no-rules', ...rulesets.flatMap((rules) => Object.keys(rules))])
