import type { DiffOptions } from '../../../src/diff/options.ts'
import { both, type Desk } from '../desk.ts'
import { type PackedResult, packResult } from '../packed-changes.ts'

/** What changed between two documents. */
export function run(options: DiffOptions, desk: Desk): PackedResult {
  const [base, head] = both(desk)
  return packResult(desk.engine.compare(base, head, options))
}
