/** Keywords of JSON Schema 2020-12 said with those that OpenAPI 3.0 and earlier drafts have, without a loss. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'

const not = (schema: Json): JsonObject => ({ not: schema })

/**
 * `if`, `then` and `else` (core, section 10.2.2) as conditions that hold together: "then" is "not if, or then", "else" is "if, or else".
 */
export const conditionsOf = ({ if: condition, then: yes, else: no }: JsonObject): readonly JsonObject[] => {
  if (condition === undefined) return []
  return [
    ...(yes === undefined ? [] : [{ anyOf: [not(condition), yes] }]),
    ...(no === undefined ? [] : [{ anyOf: [condition, no] }]),
  ]
}

/** `dependentRequired` and `dependentSchemas` (validation, section 6.5.4; core, section 10.2.2.4): "has no such property, or …". */
export const dependenciesOf = ({ dependentRequired, dependentSchemas }: JsonObject): readonly JsonObject[] => {
  const without = (name: string): JsonObject => not({ type: 'object', required: [name] })
  return [
    ...(isObject(dependentRequired) ? Object.entries(dependentRequired) : []).flatMap(([name, names]) =>
      Array.isArray(names) && names.length > 0 ? [{ anyOf: [without(name), { required: names }] }] : [],
    ),
    ...(isObject(dependentSchemas) ? Object.entries(dependentSchemas) : []).map(([name, schema]) => ({
      anyOf: [without(name), schema],
    })),
  ]
}

/** `contains` (core, section 10.3.1.3) without counts: "no array, or not all items are other than that". */
export const containsOf = (schema: Json): JsonObject => ({
  anyOf: [not({ type: 'array', items: {} }), not({ items: not(schema) })],
})
