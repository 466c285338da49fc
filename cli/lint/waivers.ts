/** Waivers: temporary exceptions with an owner, a reason and an expiry date, in a file of their own. */
import { isCalendarDate } from '../../src/kernel/calendar-date.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'
import { applySuppressions, findingAbout, reportUnused } from '../../src/lint/suppressions/suppress.ts'
import type { Suppressed, Suppression } from '../../src/lint/suppressions/suppression.ts'
import { readSettings } from '../input/documents.ts'

/** Findings that someone is responsible for, until the end of a day in UTC ("2027-01-31"). */
export interface Waiver extends Suppression {
  readonly kind: 'waiver'
  readonly owner: string
  readonly reason: string
  readonly expires: string
}

const wanted = ['rule', 'owner', 'reason', 'expires'] as const

/**
 * Reads a list of waivers.
 * @throws SvcError `usage` with the place of the first that is incomplete
 */
export async function readWaivers(name: string, cwd: string): Promise<Waiver[]> {
  const document = await readSettings(name, cwd)
  const list = isObject(document.value) ? document.value.waivers : document.value
  const under = isObject(document.value) ? ['waivers'] : []
  const refuse = (reason: string, path: readonly (string | number)[]): never => {
    const { line, character } = document.locate(path).start
    throw new SvcError('usage', { reason: `${name}:${line + 1}:${character + 1}: ${reason}` })
  }
  if (!Array.isArray(list)) return refuse('waivers are a list', under)
  return (list as readonly Json[]).map((entry, index) => {
    const path = [...under, index]
    if (!isObject(entry)) return refuse('a waiver has rule, owner, reason and expires', path)
    for (const field of wanted)
      if (typeof entry[field] !== 'string' || entry[field].trim() === '') refuse(`the waiver has no "${field}"`, path)
    const expires = String(entry.expires)
    if (!isCalendarDate(expires)) refuse(`"${expires}" must be a date such as 2027-01-31`, [...path, 'expires'])
    return {
      kind: 'waiver',
      rule: String(entry.rule),
      scope: {
        source: null,
        files: typeof entry.file === 'string' ? entry.file : null,
        pointer: typeof entry.pointer === 'string' ? entry.pointer : '',
        line: null,
      },
      owner: String(entry.owner),
      reason: String(entry.reason),
      expires,
      source: name,
      path,
      range: document.locate(path),
    }
  })
}

/** What is left of findings under waivers. */
export interface Waived {
  /** With `expired-waiver` and `unused-suppression` about the waivers that do nothing. */
  readonly findings: readonly Finding[]
  readonly waived: readonly Suppressed[]
}

/**
 * Applies waivers: those that have expired do not count and are reported.
 * @param today "2026-05-05"
 * @param nameOf the name of a file as the globs of the waivers mean it; without it, as the findings have it
 */
export function applyWaivers(
  findings: readonly Finding[],
  waivers: readonly Waiver[],
  today: string,
  unusedSeverity: Severity | 'off',
  nameOf?: (source: string) => string,
): Waived {
  const { left, suppressed, unused } = applySuppressions(
    findings,
    waivers.filter((it) => it.expires >= today),
    nameOf,
  )
  const expired = waivers.filter((it) => it.expires < today)
  const rules = new Set(unused.map((it) => it.rule))
  return {
    findings: [
      ...left,
      ...expired.map((entry) =>
        findingAbout(
          entry,
          'expired-waiver',
          'warning',
          `The waiver of ${entry.rule} by ${entry.owner} expired on ${entry.expires}: ${entry.reason}`,
        ),
      ),
      ...(unusedSeverity === 'off' ? [] : reportUnused(unused, unusedSeverity, rules)),
    ],
    waived: suppressed,
  }
}
