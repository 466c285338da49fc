/** The order of findings, as Spectral has it. */
import type { Finding } from './finding.ts'

const collator = new Intl.Collator('en', { numeric: true })
const plainCollator = new Intl.Collator('en')

/** Compares findings by source, line, column, code and path. */
export const byPlace = (a: Finding, b: Finding): number =>
  plainCollator.compare(a.source, b.source) ||
  a.range.start.line - b.range.start.line ||
  a.range.start.character - b.range.start.character ||
  collator.compare(a.code, b.code) ||
  plainCollator.compare(a.path.join(), b.path.join())
