import { isExact, isInteger, isNumeric } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'

const typeFits = (value: Json, type: string): boolean => {
  switch (type) {
    case 'object':
      return isObject(value) && !isExact(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return isNumeric(value) && isInteger(value)
    case 'number':
      return isNumeric(value)
    default:
      return typeof value === type
  }
}

/** Whether a value is of a type that a schema names. `nullable` is a keyword of the dialects before OpenAPI 3.1. */
export function allowsType(dialect: string, schema: JsonObject, value: Json): boolean {
  const type = schema.type as Json
  const announced = dialect === 'openapi-3.0' || dialect === 'openapi-2.0'
  if (announced && value === null && (schema.nullable === true || schema['x-nullable'] === true)) return true
  return Array.isArray(type) ? type.some((it) => typeFits(value, String(it))) : typeFits(value, String(type))
}
