import { compareNumbers, isExact, isNumeric } from '../../document/exact.ts'
import type { Numeric } from '../../document/exact.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { isMultiple as isExactMultiple } from '../numbers.ts'
import type { InstancePath, Run } from './run.ts'

/** The keywords of numbers: bounds and steps. */
export function checkNumber(run: Run, s: JsonObject, value: Numeric, place: InstancePath | null): boolean {
  const { maximum, minimum, exclusiveMaximum: below, exclusiveMinimum: above, multipleOf } = s
  const all = run.options.all === true
  let ok = true
  const fail = (keyword: string, sign: string, bound: Numeric) => {
    const limit = isExact(bound) ? bound.text : bound
    ok = run.fail(place, keyword, `must be ${sign} ${limit}`, { comparison: sign, limit })
  }
  if (isNumeric(maximum)) {
    const order = compareNumbers(value, maximum)
    if (below === true ? order >= 0 : order > 0) fail('maximum', below === true ? '<' : '<=', maximum)
    if (!ok && !all) return false
  }
  if (isNumeric(minimum)) {
    const order = compareNumbers(value, minimum)
    if (above === true ? order <= 0 : order < 0) fail('minimum', above === true ? '>' : '>=', minimum)
    if (!ok && !all) return false
  }
  if (isNumeric(below) && compareNumbers(value, below) >= 0) {
    fail('exclusiveMaximum', '<', below)
    if (!all) return false
  }
  if (isNumeric(above) && compareNumbers(value, above) <= 0) {
    fail('exclusiveMinimum', '>', above)
    if (!all) return false
  }
  if (isNumeric(multipleOf) && !isMultiple(value, multipleOf)) {
    const step = isExact(multipleOf) ? multipleOf.text : multipleOf
    return run.fail(place, 'multipleOf', `must be multiple of ${step}`, { multipleOf: step })
  }
  return ok
}

/** Division by a decimal fraction is inexact in binary: a quotient that is whole but for rounding counts as whole. */
function isMultiple(value: Numeric, divisor: Numeric): boolean {
  if (isExact(value) || isExact(divisor)) return isExactMultiple(value, divisor) !== false
  const quotient = value / divisor
  if (Number.isInteger(quotient)) return true
  if (Number.isInteger(divisor)) return false
  return (
    Number.isFinite(quotient) && Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.abs(quotient) * 4
  )
}
