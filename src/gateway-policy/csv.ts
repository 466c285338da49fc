/** The export of an audit trail as CSV (RFC 4180), safe for spreadsheets. */
import type { AuditRow } from './audit.ts'

/** A cell that a spreadsheet could read as a formula begins with an apostrophe. */
const disarmed = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const cell = (value: unknown): string => {
  const text = disarmed(
    typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value),
  )
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const columns = [
  'seq',
  'at',
  'actor',
  'action',
  'target',
  'reason',
  'policyVersion',
  'before',
  'after',
  'id',
  'prevHash',
  'hash',
] as const satisfies readonly (keyof AuditRow)[]

const line = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`

/**
 * Rows as CSV with a header.
 * @param total how many rows there are altogether; where more than these, a last row says so in words
 */
export function auditCsv(rows: readonly AuditRow[], total: number): string {
  const body = rows.map((row) => line(columns.map((it) => row[it]))).join('')
  const cut =
    rows.length < total
      ? line([`Only the newest ${rows.length} of ${total} rows are in this file; the older ones were left out.`])
      : ''
  return line(columns) + body + cut
}
