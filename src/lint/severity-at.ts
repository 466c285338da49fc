import type { Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import type { Severity } from './finding.ts'
import { printPointer } from './message.ts'
import type { Rule } from './rule.ts'

/** The severity at a place: of several overrides the one with the longest pointer wins. */
export function severityAt(rule: Rule, severity: Severity, path: Path, source: string): Severity | 'off' {
  if (rule.overrides === undefined) return severity
  const pointer = formatPointer(path)
  const escaped = printPointer(path).slice(1)
  const isBelow = (above: string): boolean =>
    [pointer, escaped].some((it) => it === above || it.startsWith(`${above}/`))
  let best = -1
  let found: Severity | 'off' = severity
  for (const it of rule.overrides)
    if (it.pointer.length >= best && isBelow(it.pointer) && it.fits(source)) {
      best = it.pointer.length
      found = it.severity
    }
  return found
}
