import { Type } from '@sinclair/typebox'

/** Arguments and answers that several tools share; described once and short, since every host reads all definitions. */
export const cursor = Type.Optional(Type.String({ description: 'next_cursor of the last answer' }))
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200 }))
export const maxTokens = Type.Optional(Type.Integer({ minimum: 500, maximum: 50_000, description: 'Default 8000' }))
export const spec = Type.String({ description: 'tenant/project or tenant/project/version' })
export const q = Type.Optional(Type.String({ maxLength: 200, description: 'All words must occur' }))

/** A document to be checked; described once, in the description of its first tool. */
export const checkedDocument = Type.Object(
  { text: Type.Optional(Type.String()), spec: Type.Optional(Type.String()), version: Type.Optional(Type.String()) },
  { additionalProperties: false, description: '{text} (JSON or YAML), or {spec, version}' },
)

/** What every answer says about its own completeness. */
export const bounds = {
  total: Type.Integer(),
  truncated: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
}

/** Arguments of a tool: those it does not declare are refused. */
export const argumentsOf = <P extends import('@sinclair/typebox').TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
