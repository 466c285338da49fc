import type { JsonObject } from '../../document/json.ts'
import { validate } from '../../schema/validate.ts'
import { describeErrors } from '../schema-errors.ts'
import type { LintFunction } from '../rule.ts'

const unique: JsonObject = { type: 'array', uniqueItems: true }

/** A list without two equal items. */
const uniqueEnum: LintFunction = (input, _options, { path, deref }) => {
  if (input === undefined) return []
  const errors = validate(unique, input, { instance: deref, dialect: 'draft-07' })
  return describeErrors(errors, input, path).map(({ message }) => ({ message }))
}
export default uniqueEnum
