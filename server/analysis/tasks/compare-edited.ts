import type { EditChange } from '../../../src/api/edits.ts'
import type { Change } from '../../../src/diff/change.ts'
import type { DiffOptions } from '../../../src/diff/options.ts'
import type { ChangeCounts } from '../../../db/tables/version-changes.ts'
import { both, type Desk } from '../desk.ts'
import type { LiveConsumer } from '../impacts.ts'
import { impactOn } from './impact.ts'

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

interface Asked {
  readonly options: DiffOptions
  /** Null where nobody asks about consumers. */
  readonly live: readonly LiveConsumer[] | null
}

interface Edited {
  readonly counts: ChangeCounts
  readonly changes: EditChange[]
  readonly total: number
  /** The names of the consumers that would break; null where nobody asks. */
  readonly broken: readonly string[] | null
}

/** What changed between two documents, as much of it as an editor shows: the worst first; and whom it would break. */
export function run({ options, live }: Asked, desk: Desk): Edited {
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
  const impact = live === null || counts.breaking === 0 ? [] : impactOn({ changes, live }, desk).consumers
  const broken = live === null ? null : impact.filter(({ status }) => status === 'broken').map(({ name }) => name)
  return { counts, changes: worst.map(shown), total: changes.length, broken }
}
