import type { RuleUpdate } from '../../src/api/gateway-shapes.ts'
import type { Rate } from '../../src/gateway-policy/model.ts'

/** The rate of a rule or preset after an update: as it was where none is given, null where it is removed; by address where no key is named. */
export const rateOf = (given: RuleUpdate['rate'], before: Rate | null): Rate | null => {
  if (given === undefined) return before
  return given === null ? null : { key: 'ip', ...given }
}
