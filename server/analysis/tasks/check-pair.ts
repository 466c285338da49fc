import type { CheckChange } from '../../../src/api/checks.ts'
import { assertComparable } from '../../../src/diff/comparable.ts'
import type { DiffOptions } from '../../../src/diff/options.ts'
import { checkedChange, worstFirst } from '../../../src/report/checked.ts'
import { both, type Desk } from '../desk.ts'
import type { LiveConsumer, ProjectImpact } from '../impacts.ts'
import { impactOn } from './impact.ts'
import { assertReadable } from './readable.ts'

/** Changes between two documents from one of their order on, the worst first, and what is known of all of them. */
export interface CheckedPair {
  readonly verdict: 'safe' | 'breaking' | 'unknown'
  readonly breaking: number
  readonly total: number
  readonly items: CheckChange[]
  readonly consumers: { handle: string; name: string; status: ProjectImpact['consumers'][number]['status'] }[]
}

interface Asked {
  readonly options: DiffOptions
  /** The consumers of the project of the base; none where they are not asked for. */
  readonly live: readonly LiveConsumer[]
  readonly from: number
  readonly limit: number
}

/**
 * Compares two documents.
 * @throws SvcError `document-invalid` for one that cannot be read, `usage` for two that cannot be compared
 */
export function run({ options, live, from, limit }: Asked, desk: Desk): CheckedPair {
  const [base, head] = both(desk)
  const [older, newer] = [desk.engine.document(base), desk.engine.document(head)]
  assertReadable(older)
  assertReadable(newer)
  assertComparable(older, newer, options.mode)
  const { changes, counts, verdict } = desk.engine.compare(base, head, options)
  const consumers = live.length === 0 ? [] : impactOn({ changes, live }, desk).consumers
  return {
    verdict,
    breaking: counts.breaking,
    total: changes.length,
    items: worstFirst(changes)
      .slice(from, from + limit)
      .map(checkedChange),
    consumers: consumers.map(({ handle, name, status }) => ({ handle, name, status })),
  }
}
