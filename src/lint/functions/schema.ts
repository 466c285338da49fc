import type { Json, JsonObject } from '../../kernel/json.ts'
import { notChecked } from '../check-budget.ts'
import { dialects, type Dialect } from '../../schema/validate.ts'
import { describeErrors } from '../schema-errors.ts'
import type { LintFunction } from '../rule.ts'

const named: Readonly<Record<string, Dialect>> = {
  draft4: 'draft-04',
  draft6: 'draft-06',
  draft7: 'draft-07',
  'draft2019-09': '2019-09',
  'draft2020-12': '2020-12',
}

/** The dialect of the option `schema`: the one that `dialect` asks for, else the one that the schema names. */
export function dialectOf(schema: JsonObject, asked: Json | undefined): Dialect {
  if (typeof asked === 'string' && asked !== 'auto') return named[asked] ?? 'draft-07'
  const uri = typeof schema.$schema === 'string' ? schema.$schema : ''
  return dialects.find((it) => uri.includes(it)) ?? 'draft-07'
}

/** The value is valid against the JSON Schema `schema`; `allErrors` continues after the first error. An absent value is invalid. */
const schema: LintFunction = (input, { schema: wanted, dialect, allErrors }, { path, deref, budget }) => {
  if (input === undefined) return [{ message: '#{{print("property")}}must exist' }]
  const against = (wanted ?? {}) as JsonObject
  const errors = budget.validate(against, input, {
    dialect: dialectOf(against, dialect),
    all: allErrors === true,
    refSiblings: true,
    instance: deref,
  })
  if (errors === null) return [{ message: `#{{print("property")}}${notChecked}` }]
  return describeErrors(errors, input, path).map(({ message, path: at }) => ({ message, path: [...path, ...at] }))
}
export default schema

export const options = {
  type: 'object',
  additionalProperties: false,
  required: ['schema'],
  properties: {
    schema: { type: 'object' },
    dialect: { enum: ['auto', ...Object.keys(named)] },
    allErrors: { type: 'boolean' },
  },
}
