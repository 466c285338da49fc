import type { Json, JsonObject } from '../../kernel/json.ts'
import { validate } from '../../schema/validate.ts'
import { describeErrors } from '../schema-errors.ts'
import type { LintFunction } from '../rule.ts'

const unique: JsonObject = { type: 'array', uniqueItems: true }

/** Nearly every enumeration: decided without the validator. */
const areDistinctStrings = (input: Json): boolean =>
  Array.isArray(input) && input.every((it) => typeof it === 'string') && new Set(input).size === input.length

/** A list without two equal items. */
const uniqueEnum: LintFunction = (input, _options, { path, deref }) => {
  if (input === undefined || areDistinctStrings(input)) return []
  const errors = validate(unique, input, { instance: deref, dialect: 'draft-07' })
  return describeErrors(errors, input, path).map(({ message }) => ({ message }))
}
export default uniqueEnum
