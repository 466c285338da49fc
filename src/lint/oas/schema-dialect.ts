import { isObject, type Json } from '../../kernel/json.ts'
import type { Dialect } from '../../schema/validate.ts'
import type { FormatName } from '../formats.ts'

/** The dialect of the schemas inside an OpenAPI document. */
export function schemaDialect(formats: ReadonlySet<FormatName>, root: Json): Dialect {
  if (formats.has('oas2')) return 'openapi-2.0'
  if (!formats.has('oas3_1') && !formats.has('oas3_2')) return 'openapi-3.0'
  const named = isObject(root) && typeof root.jsonSchemaDialect === 'string' ? root.jsonSchemaDialect : ''
  const draft = /draft-0?([467])/.exec(named)?.[1]
  if (draft !== undefined) return `draft-0${draft}` as Dialect
  return named.includes('2019-09') ? '2019-09' : '2020-12'
}
