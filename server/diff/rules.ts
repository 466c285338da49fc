import type { Static } from '@sinclair/typebox'
import type { diffApi } from '../../src/api/diff.ts'
import { isCalendarDate } from '../../src/kernel/calendar-date.ts'
import { rules as changeRules } from '../../src/diff/rules.ts'
import type { Scope } from '../../src/diff/scope.ts'
import { SvcError } from '../../src/errors.ts'
import type { CompareOptions } from '../analysis/door.ts'

type Body = Static<typeof diffApi.classified.body>

const assertDay = (name: string, day: string | undefined): void => {
  if (day !== undefined && !isCalendarDate(day))
    throw new SvcError('usage', { reason: `"${name}" must be a calendar date such as 2026-01-31, but is "${day}"` })
}

/**
 * How a request wants its changes classified.
 * @throws SvcError `usage` for a day that is not in the calendar; `rule-unknown`
 */
export function compareOptionsOf({
  profile,
  mode,
  asOf,
  severity,
  ignore,
}: NonNullable<Body['rules']>): CompareOptions {
  assertDay('asOf', asOf)
  for (const { until } of ignore ?? []) assertDay('until', until)
  const unknown = Object.keys(severity ?? {}).find((id) => !changeRules.has(id))
  if (unknown !== undefined) throw new SvcError('rule-unknown', { rule: unknown })
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(mode === undefined ? {} : { mode }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(severity === undefined ? {} : { overrides: severity }),
    ...(ignore === undefined ? {} : { ignore }),
  }
}

/** Which operations a request asks about; null where it asks about all. */
export function scopeOf(scope: Body['scope']): Scope | null {
  const { paths = [], operations = [], tags = [] } = scope ?? {}
  return paths.length + operations.length + tags.length === 0 ? null : { paths, operations, tags }
}
