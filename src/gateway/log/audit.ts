import { readCoraza } from './coraza.ts'
import { readModsecurity } from './modsecurity.ts'
import type { RawRecord } from './model.ts'

/**
 * Reads a line of an engine's JSON audit log: Coraza's or ModSecurity's.
 * @param localMs from an instant whose local time was read as UTC to the instant; ModSecurity writes local time
 * @returns null: it is torn, or no such record
 */
export function readAudit(line: string, localMs: (asUtcMs: number) => number): RawRecord | null {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    return null
  }
  return readCoraza(record) ?? readModsecurity(record, localMs)
}
