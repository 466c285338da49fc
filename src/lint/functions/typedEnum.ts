import { isObject, type Json } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

const tests: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => isObject(value),
}

/** Every value of `enum` is of the `type` beside it. */
const typedEnum: LintFunction = (input, _, { path }) => {
  if (!isObject(input) || !Array.isArray(input.enum)) return []
  const types = (Array.isArray(input.type) ? input.type : [input.type]).map(String)
  if (input.nullable === true || input['x-nullable'] === true) types.push('null')
  if (!types.every((type) => Object.hasOwn(tests, type))) return []
  return input.enum.flatMap((value: Json, index: number) =>
    types.some((type) => tests[type]?.(value) === true)
      ? []
      : [
          {
            message: `Enum value ${JSON.stringify(value)} must be "${types.join('" or "')}".`,
            path: [...path, 'enum', index],
          },
        ],
  )
}

export default typedEnum
