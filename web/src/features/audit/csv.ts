import type { AuditRecord } from '../../../../src/api/tenants.ts'

const columns = [
  ['time', (it) => it.created_at],
  ['action', (it) => it.action],
  ['target', (it) => it.target_name ?? it.target_id ?? ''],
  ['target_id', (it) => it.target_id ?? ''],
  ['actor', (it) => it.actor_name ?? ''],
  ['actor_kind', (it) => it.actor_kind],
  ['actor_id', (it) => it.actor_id ?? ''],
  ['means', (it) => it.means ?? ''],
  ['detail', (it) => JSON.stringify(it.detail)],
] as const satisfies readonly (readonly [string, (it: AuditRecord) => string])[]

/** One field (RFC 4180). What a spreadsheet would take for a formula begins with an apostrophe. */
const field = (text: string): string => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Events of the audit trail as a table for spreadsheets, with a heading. */
export const auditCsv = (events: readonly AuditRecord[]): string =>
  [columns.map(([name]) => name), ...events.map((it) => columns.map(([, read]) => read(it)))]
    .map((row) => row.map(field).join(','))
    .join('\r\n') + '\r\n'
