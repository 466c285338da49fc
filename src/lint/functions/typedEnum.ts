import { isObject, type Json } from '../../kernel/json.ts'
import { printValue } from '../message.ts'
import type { LintFunction } from '../rule.ts'

const typeOf = (value: Json, integers: boolean): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return integers && Number.isInteger(value) ? 'integer' : typeof value
}

/** Every value of `enum` is of the `type` that the same schema names. */
const typedEnum: LintFunction = (input, _options, { formats, path }) => {
  if (!isObject(input) || !Array.isArray(input.enum)) return []
  const { type } = input
  const written = Array.isArray(type) ? (type as readonly Json[]) : [type]
  if (!written.every((it) => typeof it === 'string')) return []
  const nullable =
    (input.nullable === true && formats.has('oas3_0')) || (input['x-nullable'] === true && formats.has('oas2'))
  const types = nullable ? [...written, 'null'] : written
  const integers = types.includes('integer')
  return (input.enum as readonly Json[]).flatMap((value, index) =>
    types.includes(typeOf(value, integers))
      ? []
      : [
          {
            message: `Enum value ${printValue(value)} must be "${types.join(',')}".`,
            path: [...path, 'enum', index],
          },
        ],
  )
}
export default typedEnum
