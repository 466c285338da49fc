import { changeSeverities, type Change, type ChangeSeverity } from './change.ts'

/** What a list of changes amounts to. */
export interface Tally {
  readonly counts: Readonly<Record<ChangeSeverity, number>>
  readonly maxSeverity: ChangeSeverity | null
  /** `unknown`: nothing is proven to break and something is undecided. */
  readonly verdict: 'safe' | 'breaking' | 'unknown'
}

export const tallyOf = (changes: readonly Pick<Change, 'severity' | 'classification'>[]): Tally => {
  const counts = { breaking: 0, 'non-breaking': 0, 'docs-only': 0 }
  let proven = false
  for (const { severity, classification } of changes) {
    counts[severity]++
    proven ||= severity === 'breaking' && classification !== 'unknown'
  }
  return {
    counts,
    maxSeverity: changeSeverities.find((it) => counts[it] > 0) ?? null,
    verdict: proven ? 'breaking' : counts.breaking > 0 ? 'unknown' : 'safe',
  }
}
