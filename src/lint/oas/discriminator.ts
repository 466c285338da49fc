import { isObject, type Json } from '../../document/json.ts'
import type { Complaint, LintFunction } from '../rule.ts'

/** The property that a discriminator of Swagger 2.0 names is defined and required. */
const discriminator: LintFunction = (input, _options, { path }) => {
  if (!isObject(input) || typeof input.discriminator !== 'string') return []
  const name = input.discriminator
  const complaints: Complaint[] = []
  if (!isObject(input.properties) || !Object.hasOwn(input.properties, name))
    complaints.push({
      message: 'The discriminator property must be defined in this schema.',
      path: [...path, 'properties'],
    })
  if (!Array.isArray(input.required) || !(input.required as readonly Json[]).includes(name))
    complaints.push({
      message: 'The discriminator property must be in the required property list.',
      path: [...path, 'required'],
    })
  return complaints
}
export default discriminator
