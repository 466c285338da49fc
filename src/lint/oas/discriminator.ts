import { isObject, type Json } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'

/** The property that a discriminator of Swagger 2.0 names is defined and required. */
const discriminator: LintFunction = (input, _options, { path }) => {
  if (!isObject(input) || typeof input.discriminator !== 'string') return []
  const name = input.discriminator
  const violations: Violation[] = []
  if (!isObject(input.properties) || !Object.hasOwn(input.properties, name))
    violations.push({
      message: 'The discriminator property must be defined in this schema.',
      path: [...path, 'properties'],
    })
  if (!Array.isArray(input.required) || !(input.required as readonly Json[]).includes(name))
    violations.push({
      message: 'The discriminator property must be in the required property list.',
      kind: 'not-required',
      path: [...path, 'required'],
    })
  return violations
}
export default discriminator
