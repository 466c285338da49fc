import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import type { MediaType, Body, Parameter, Serialisation } from './api.ts'
import { mediaTypeName, plainMediaType } from './media-type.ts'
import { objectAt, textAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** `collectionFormat` as the style and explode of OpenAPI 3. */
const collections: Readonly<Record<string, readonly [string, boolean]>> = {
  csv: ['form', false],
  ssv: ['spaceDelimited', false],
  tsv: ['tabDelimited', false],
  pipes: ['pipeDelimited', false],
  multi: ['form', true],
}

/** What a parameter or header says about itself, not about its value. */
const ownWords = new Set(['in', 'name', 'required', 'collectionFormat', 'allowEmptyValue', 'description', 'deprecated'])

/** The schema of a parameter or a header of Swagger 2.0, which are their own schemas. */
export const schemaOfSwagger = (place: PlacedValue): PlacedValue => ({
  value: Object.fromEntries(
    Object.entries(objectAt(place)).filter(
      ([word]) => word === 'x-nullable' || (!ownWords.has(word) && !word.startsWith('x-')),
    ),
  ),
  path: place.path,
})

/** How Swagger 2.0 writes lists; it says nothing about objects. */
export const styleOfSwagger = (place: PlacedValue, where: string): Serialisation => {
  const raw = objectAt(place)
  const [style, explode] = collections[textAt(place, 'collectionFormat') ?? 'csv'] ?? ['form', false]
  const simple = where === 'path' || where === 'header'
  return { style: simple && style === 'form' ? 'simple' : style, explode: raw.type === 'array' ? explode : !simple }
}

/** A parameter of Swagger 2.0, which is its own schema unless it is the body. */
export const parameterOfSwagger = (place: PlacedValue): Parameter => {
  const raw = objectAt(place)
  const where = textAt(place, 'in') ?? 'query'
  return {
    place,
    name: textAt(place, 'name') ?? textAt(place, '$ref') ?? '',
    in: where,
    required: raw.required === true,
    ...styleOfSwagger(place, where),
    allowReserved: false,
    allowEmptyValue: raw.allowEmptyValue === true,
    deprecated: raw['x-deprecated'] === true || raw.deprecated === true,
    schema:
      where === 'body'
        ? raw.schema === undefined
          ? null
          : { value: raw.schema, path: [...place.path, 'schema'] }
        : schemaOfSwagger(place),
    content: new Map(),
  }
}

/** The media types of a list (`consumes`, `produces`) of the operation or of the document; JSON where no one says any. */
const mediaTypes = (
  side: Side,
  operation: PlacedValue,
  word: 'consumes' | 'produces',
  fallback: readonly string[],
): readonly string[] => {
  const own = objectAt(operation)[word] ?? side.at([word])?.value
  const names = Array.isArray(own) ? own.filter((it) => typeof it === 'string') : []
  return names.length > 0 ? names.map(mediaTypeName) : fallback
}

/** The body of Swagger 2.0: the body parameter, or the form parameters taken together. */
export const bodyOfSwagger = (side: Side, operation: PlacedValue, parameters: readonly Parameter[]): Body | null => {
  const body = parameters.find((it) => it.in === 'body')
  const form = parameters.filter((it) => it.in === 'formData')
  if (!body && form.length === 0) return null
  const file = form.some((it) => objectAt(it.place).type === 'file')
  const types = mediaTypes(side, operation, 'consumes', [
    body ? 'application/json' : file ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
  ])
  if (body) {
    const place = { value: {}, path: body.place.path }
    return {
      place: body.place,
      required: body.required,
      content: new Map(types.map((name) => [name, plainMediaType(name, place, body.schema)])),
    }
  }
  const properties: Record<string, Json> = {}
  for (const it of form) properties[it.name] = withoutRequired(it.place.value)
  const schema: Json = { type: 'object', properties, required: form.filter((it) => it.required).map((it) => it.name) }
  const path = [...operation.path, 'parameters']
  const lists = form.filter((it) => objectAt(it.place).type === 'array')
  const encoding: PlacedValue | null =
    lists.length === 0
      ? null
      : { value: Object.fromEntries(lists.map(({ name, style, explode }) => [name, { style, explode }])), path }
  return {
    place: { value: schema, path },
    required: form.some((it) => it.required),
    content: new Map(
      types.map((name) => [
        name,
        { ...plainMediaType(name, { value: schema, path }, { value: schema, path }), encoding },
      ]),
    ),
  }
}

const parameterWords = new Set(['in', 'name', 'required', 'collectionFormat', 'allowEmptyValue'])

const withoutRequired = (value: Json): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !parameterWords.has(key)))
    : value

/** What an answer of Swagger 2.0 holds, in every media type that the operation produces. */
export const contentOfSwagger = (
  side: Side,
  operation: PlacedValue,
  answer: PlacedValue,
): ReadonlyMap<string, MediaType> => {
  const raw = objectAt(answer)
  if (raw.schema === undefined) {
    // Examples show that there is a body, although nothing describes it.
    const bare: PlacedValue = { value: {}, path: answer.path }
    return new Map(
      Object.keys(isObject(raw.examples) ? raw.examples : {}).map((name) => [
        mediaTypeName(name),
        plainMediaType(name, bare, null),
      ]),
    )
  }
  const place: PlacedValue = { value: {}, path: answer.path }
  const schema: PlacedValue = { value: raw.schema, path: [...answer.path, 'schema'] }
  return new Map(
    mediaTypes(side, operation, 'produces', ['application/json']).map((name) => [
      name,
      plainMediaType(name, place, schema),
    ]),
  )
}
