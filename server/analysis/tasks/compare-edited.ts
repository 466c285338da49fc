import type { EditChange } from '../../../src/api/edits.ts'
import type { Change } from '../../../src/diff/change.ts'
import type { DiffOptions } from '../../../src/diff/options.ts'
import type { ChangeCounts } from '../../../db/tables/version-changes.ts'
import { both, type Desk } from '../desk.ts'

// An editor marks each of them.
const mostChanges = 500
const ranks = { breaking: 0, 'non-breaking': 1, 'docs-only': 2 } as const

const shown = ({ id, severity, classification, message, base, head, fingerprint }: Change): EditChange => ({
  id,
  severity,
  classification,
  message,
  fingerprint,
  pointer: head?.pointer ?? null,
  range: head?.range ?? null,
  base_line: base?.range?.start.line ?? null,
})

/** What changed between two documents, as much of it as an editor shows: the worst first. */
export function run(
  options: DiffOptions,
  desk: Desk,
): { readonly counts: ChangeCounts; readonly changes: EditChange[]; readonly total: number } {
  const [base, head] = both(desk)
  const { changes } = desk.engine.compare(base, head, options)
  const count = (isCounted: (change: Change) => boolean): number => changes.filter(isCounted).length
  const counts: ChangeCounts = {
    breaking: count(({ severity }) => severity === 'breaking'),
    nonBreaking: count(({ severity }) => severity === 'non-breaking'),
    docsOnly: count(({ severity }) => severity === 'docs-only'),
    unknown: count(({ classification }) => classification === 'unknown'),
  }
  const worst = changes.toSorted((a, b) => ranks[a.severity] - ranks[b.severity]).slice(0, mostChanges)
  return { counts, changes: worst.map(shown), total: changes.length }
}
