import type { DiffOptions, DiffResult } from '../../../src/diff/options.ts'
import { both, type Desk } from '../desk.ts'

/** What changed between two documents. */
export function run(options: DiffOptions, desk: Desk): DiffResult {
  const [base, head] = both(desk)
  return desk.engine.compare(base, head, options)
}
