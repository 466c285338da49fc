import type { DiffResult } from '../../src/diff/options.ts'
import type { VersionRow } from './record.ts'

/** A published version and what changes against it. */
export interface Comparison {
  readonly version: VersionRow
  readonly result: DiffResult
}
