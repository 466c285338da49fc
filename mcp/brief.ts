import { isObject, type Json, type JsonObject, listOf, entriesOf } from '../src/kernel/json.ts'
import { cutTo } from '../src/kernel/text.ts'

type Referenced = Readonly<Record<string, unknown>>

/** What a reference leads to, as far as it came along; anything else is itself. */
function follow(value: Json | undefined, referenced: Referenced): Json | undefined {
  if (!isObject(value) || typeof value.$ref !== 'string') return value
  return (referenced[value.$ref] as Json | undefined) ?? value
}

const nameOf = (ref: string): string => decodeURIComponent(ref.split('/').at(-1) ?? ref).replaceAll('~1', '/')

/** A schema in a word: "Pet", "string[]", "integer", "active | closed". */
function typeOf(schema: Json | undefined): string {
  if (!isObject(schema)) return 'any'
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref)
  if (Array.isArray(schema.enum)) return cutTo((schema.enum as readonly Json[]).map(String).join(' | '), 80)
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`
  if (Array.isArray(schema.type)) return (schema.type as readonly Json[]).map(String).join(' | ')
  for (const kind of ['oneOf', 'anyOf', 'allOf'] as const) {
    const branches = schema[kind]
    if (Array.isArray(branches))
      return cutTo((branches as readonly Json[]).map(typeOf).join(kind === 'allOf' ? ' & ' : ' | '), 120)
  }
  return typeof schema.type === 'string' ? schema.type : 'any'
}

const text = (value: Json | undefined, length: number): string | undefined =>
  typeof value === 'string' && value !== '' ? cutTo(value, length) : undefined

/** Fields of a schema as `{name: "type"}`; a required one is marked. */
function fieldsOf(schema: Json | undefined, referenced: Referenced): JsonObject | undefined {
  const target = follow(schema, referenced)
  const properties = isObject(target) ? entriesOf(target.properties) : []
  if (properties.length === 0) return undefined
  const required = new Set(listOf(isObject(target) ? target.required : undefined))
  return Object.fromEntries(
    properties.map(([name, it]) => [name, `${typeOf(it)}${required.has(name) ? ', required' : ''}`]),
  )
}

const contentOf = (value: Json | undefined, referenced: Referenced): JsonObject =>
  Object.fromEntries(
    entriesOf(value).map(([media, it]) => {
      const schema = isObject(it) ? it.schema : undefined
      const fields = fieldsOf(schema, referenced)
      return [media, { type: typeOf(schema), ...(fields && { fields }) }]
    }),
  )

function parameterLine(value: Json, referenced: Referenced): Json {
  const it = follow(value, referenced)
  if (!isObject(it)) return value
  const required = it.required === true ? ', required' : ''
  return `${String(it.name)} (${String(it.in)}${required}): ${typeOf(it.schema ?? it)}`
}

function responsesOf(value: Json | undefined, referenced: Referenced): JsonObject {
  return Object.fromEntries(
    entriesOf(value).map(([status, response]) => {
      const it = follow(response, referenced)
      if (!isObject(it)) return [status, '']
      const types = [
        ...new Set(entriesOf(it.content).map(([, media]) => typeOf(isObject(media) ? media.schema : undefined))),
      ]
      // Swagger 2.0 names the schema of an answer beside its description.
      const type = it.schema === undefined ? types.join(' | ') : typeOf(it.schema)
      return [status, [text(it.description, 120), type].filter(Boolean).join(': ')]
    }),
  )
}

/**
 * The short form of a definition: of an operation its parameters, the fields of its body one level deep and its answers
 * by status, each in a line; of a schema its fields.
 *
 * @param referenced what the definition refers to, by "$ref" text
 */
export function briefOf(value: Json, referenced: Referenced): Json {
  if (!isObject(value)) return value
  if (!isObject(value.responses)) {
    const fields = fieldsOf(value, referenced)
    return { type: typeOf(value), ...described(value), ...(fields && { fields }) }
  }
  const body = follow(value.requestBody, referenced)
  const security = listOf(value.security).flatMap((one) => (isObject(one) ? [Object.keys(one).join(' + ')] : []))
  return {
    ...(typeof value.operationId === 'string' && { operationId: value.operationId }),
    ...described(value),
    ...(value.deprecated === true && { deprecated: true }),
    parameters: listOf(value.parameters).map((it) => parameterLine(it, referenced)),
    ...(isObject(body) && {
      body: { ...(body.required === true && { required: true }), ...contentOf(body.content, referenced) },
    }),
    responses: responsesOf(value.responses, referenced),
    ...(security.length > 0 && { security: security.slice(0, 10) }),
  }
}

function described(value: JsonObject): JsonObject {
  const summary = text(value.summary, 200)
  const description = text(value.description, 300)
  return { ...(summary && { summary }), ...(description && { description }) }
}
