import type { MediaType, Operation } from '../diff/model/api.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { pointerOf, textAt, type PlacedValue, type Side } from '../diff/side.ts'
import type { ReasonCode } from './contract.ts'
import { parseDataPath } from './data-path.ts'
import { findField, suggestField, type FoundField } from './field.ts'
import { answerFor, isJsonLike, schemasOf, type Specification } from './specification.ts'

/** Which body of an operation: what is sent, or what comes back with a status. */
export type BodyOf = { readonly location: 'request' } | { readonly location: 'response'; readonly status: string }

export type FieldLookup =
  | { readonly found: FoundField }
  | { readonly found: null; readonly reason: ReasonCode; readonly message: string }

const contentAt = (operation: Operation, body: BodyOf): ReadonlyMap<string, MediaType> | null =>
  body.location === 'request' ? (operation.body?.content ?? null) : (answerFor(operation, body.status)?.content ?? null)

/** The schemas of a body whose fields can be named; none where there is no such body or no such schema. */
export const bodySchemas = (
  operation: Operation,
  body: BodyOf,
  mediaType: string | null = null,
): readonly PlacedValue[] => schemasOf(contentAt(operation, body) ?? new Map<string, MediaType>(), mediaType)

const bodyName = (body: BodyOf): string => (body.location === 'request' ? 'the request' : `the response ${body.status}`)

/** Finds a field of a body. The answer says why there is none. */
export const lookField = (
  specification: Specification,
  operation: Operation,
  body: BodyOf,
  field: string,
  mediaType: string | null = null,
): FieldLookup => {
  const { side } = specification
  const roots = bodySchemas(operation, body, mediaType)
  const what = `${operation.method.toUpperCase()} ${operation.template}`
  if (roots.length === 0) {
    const types = [...(contentAt(operation, body)?.keys() ?? [])]
    const other = types.length > 0 && !types.some(isJsonLike)
    return other
      ? {
          found: null,
          reason: 'body-not-json',
          message: `${what}: ${bodyName(body)} is ${types.join(', ')}, which has no fields.`,
        }
      : { found: null, reason: 'body-schema-missing', message: `${what}: ${bodyName(body)} has no schema.` }
  }
  const steps = parseDataPath(field)
  const found = steps === null ? null : findField(side, roots, steps)
  if (found) return { found }
  const meant = suggestField(side, roots, field)
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`
  return {
    found: null,
    reason: 'field-not-found',
    message: `${what}: ${bodyName(body)} has no field "${field}".${hint}`,
  }
}

// The form parameters of Swagger 2.0 are read as one schema; each has a place of its own in the document.
const formPointer = (side: Side, path: PlacedValue['path']): string | null => {
  const at = path.findIndex((step, i) => step === 'parameters' && path[i + 1] === 'properties')
  if (side.dialect !== 'swagger-2.0' || at < 0) return null
  const operation = path.slice(0, at)
  for (const owner of [operation, operation.slice(0, -1)]) {
    const list = side.at([...owner, 'parameters'])
    const found = side
      .elements(list)
      .find((it) => textAt(it, 'name') === path[at + 2] && textAt(it, 'in') === 'formData')
    if (found) return pointerOf([...found.path, ...path.slice(at + 3)])
  }
  return null
}

/** Where the specification declares what was found, as JSON Pointers. */
export const pointersIn = (side: Side, places: readonly PlacedValue[]): readonly string[] => [
  ...new Set(places.map((it) => formPointer(side, it.path) ?? pointerOf(it.path))),
]

/** The names of query parameters that carry a key of an `apiKey` security scheme. */
export const keyParameters = (specification: Specification): ReadonlySet<string> => {
  const root = specification.side.root
  if (!isObject(root)) return new Set()
  const components = isObject(root.components) ? root.components.securitySchemes : root.securityDefinitions
  const schemes: readonly Json[] = isObject(components) ? Object.values(components) : []
  return new Set(
    schemes.flatMap((it) => (isObject(it) && it.type === 'apiKey' && typeof it.name === 'string' ? [it.name] : [])),
  )
}
