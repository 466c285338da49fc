import type { Gates } from './policy-change.ts'

/** A gate that a policy has a level for. */
export type GateId = Exclude<keyof Gates, 'minGrade' | 'failOn'>

/** The gates of a draft in the order of the readiness page, each with what it looks at. */
export const gateNames: Readonly<Record<GateId, { name: string; detail: string }>> = {
  'unresolved-refs': { name: 'Unresolved references', detail: 'A $ref cannot be resolved.' },
  'lint-grade': { name: 'Lint grade', detail: 'The grade is below the minimum.' },
  'lint-findings': { name: 'Lint findings', detail: 'There are findings of this severity or worse.' },
  'semver-consistent': { name: 'Semantic version', detail: 'The version number understates the change (semver).' },
  compat: { name: 'Compatibility evidence', detail: 'The report of a second tool is missing or disagrees.' },
  'consumer-impact': { name: 'Consumer impact', detail: 'A breaking change affects a registered consumer.' },
  'gateway-impact': { name: 'Gateway impact', detail: 'A gateway would refuse requests that it accepts now.' },
  'threads-resolved': { name: 'Open threads', detail: 'A thread on the draft is open.' },
  approval: { name: 'Approval', detail: 'A reviewer was asked and has not approved the draft.' },
}

/** The name of any gate for people: of one that is not known, its id. */
export const gateName = (id: string): string => {
  if (id === 'document-valid') return 'Valid document'
  if (id === 'breaking-guardrail') return 'Breaking changes'
  return id in gateNames ? gateNames[id as GateId].name : id
}
