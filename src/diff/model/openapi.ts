import { isObject } from '../../kernel/json.ts'
import { methods } from '../../kernel/methods.ts'
import { objectAt, textAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'
import type { Answer, Body, Callback, Header, Operation, Parameter } from './api.ts'
import { contentOf } from './media-type.ts'
import { serversOf } from './servers.ts'
import { bodyOfSwagger, contentOfSwagger, parameterOfSwagger, schemaOfSwagger, styleOfSwagger } from './swagger.ts'

const styles: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
  querystring: 'form',
}

const schemaOf = (place: PlacedValue): PlacedValue | null => {
  const raw = objectAt(place)
  return raw.schema === undefined ? null : { value: raw.schema, path: [...place.path, 'schema'] }
}

const parameterOf = (side: Side, place: PlacedValue): Parameter => {
  const raw = objectAt(place)
  const where = textAt(place, 'in') ?? 'query'
  const style = textAt(place, 'style') ?? styles[where] ?? 'form'
  return {
    place,
    // A reference that cannot be resolved is known by its text.
    name: textAt(place, 'name') ?? textAt(place, '$ref') ?? '',
    in: where,
    required: raw.required === true,
    style,
    explode: typeof raw.explode === 'boolean' ? raw.explode : style === 'form',
    allowReserved: raw.allowReserved === true,
    allowEmptyValue: raw.allowEmptyValue === true,
    deprecated: raw.deprecated === true,
    schema: schemaOf(place),
    content: contentOf(side, side.member(place, 'content')),
  }
}

/** The headers of a response, or of a part of a body, by their names in lower case. */
export const headersOf = (side: Side, place: PlacedValue | null): ReadonlyMap<string, Header> => {
  const headers = new Map<string, Header>()
  for (const [name, it] of side.members(place)) {
    // The media types say it: "If a response header is defined with the name "Content-Type", it SHALL be ignored".
    if (side.dialect !== 'swagger-2.0' && name.toLowerCase() === 'content-type') continue
    const raw = objectAt(it)
    headers.set(name.toLowerCase(), {
      place: it,
      name,
      required: raw.required === true,
      // In Swagger 2.0 a header is its own schema.
      schema: side.dialect === 'swagger-2.0' ? schemaOfSwagger(it) : schemaOf(it),
      ...(side.dialect === 'swagger-2.0'
        ? styleOfSwagger(it, 'header')
        : { style: 'simple', explode: raw.explode === true }),
      content: contentOf(side, side.member(it, 'content')),
    })
  }
  return headers
}

/** OpenAPI 3 describes them elsewhere: a header parameter of such a name "SHALL be ignored" (Parameter Object, `name`). */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** The names of the variables of a path template, in order. */
export const templateNames = (template: string): string[] => [...template.matchAll(/\{([^}]*)\}/g)].map((it) => it[1]!)

/**
 * Parameters by what makes them one: path parameters by their position in the template (one that the template does not name
 * takes the first position that no one claims), headers without regard to case, the others by name.
 */
const keyedParameters = (side: Side, read: readonly Parameter[], template: string): ReadonlyMap<string, Parameter> => {
  const names = templateNames(template)
  const declared = new Set(read.filter((it) => it.in === 'path').map((it) => it.name))
  const free = names.map((_, i) => i).filter((i) => !declared.has(names[i]!))
  const strays = new Map<string, number | undefined>()
  const result = new Map<string, Parameter>()
  for (const parameter of read) {
    if (parameter.in === 'body' || parameter.in === 'formData') continue
    if (side.dialect !== 'swagger-2.0' && parameter.in === 'header' && ignoredHeaders.has(parameter.name.toLowerCase()))
      continue
    let key = `${parameter.in} ${parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name}`
    if (parameter.in === 'path') {
      let position: number | undefined = names.indexOf(parameter.name)
      if (position < 0) {
        if (!strays.has(parameter.name)) strays.set(parameter.name, free.shift())
        position = strays.get(parameter.name)
      }
      if (position !== undefined) key = `path ${position}`
    }
    result.set(key, parameter)
  }
  return result
}

const operationOf = (
  side: Side,
  place: PlacedValue,
  items: readonly PlacedValue[],
  method: string,
  template: string,
  depth: number,
): Operation => {
  const raw = objectAt(place)
  const swagger = side.dialect === 'swagger-2.0'
  // Later ones win: those of the operation over those of its path item, its own over what it refers to.
  const elements = [...items].reverse().flatMap((item) => side.elements(side.member(item, 'parameters')))
  elements.push(...side.elements(side.member(place, 'parameters')))
  const read = elements.map((it) => (swagger ? parameterOfSwagger(it) : parameterOf(side, it)))
  const requestBody = side.member(place, 'requestBody')
  const body: Body | null = swagger
    ? bodyOfSwagger(side, place, read)
    : requestBody && {
        place: requestBody,
        required: objectAt(requestBody).required === true,
        content: contentOf(side, side.member(requestBody, 'content')),
      }
  return {
    place,
    method,
    template,
    parameters: keyedParameters(side, read, template),
    body,
    answers: answersOf(side, place),
    security:
      raw.security === undefined ? side.at(['security']) : { value: raw.security, path: [...place.path, 'security'] },
    servers: serversOf(side, [place, ...items]),
    deprecated: raw.deprecated === true,
    callbacks: depth > 3 ? [] : callbacksOf(side, place, depth),
  }
}

const answersOf = (side: Side, operation: PlacedValue): ReadonlyMap<string, Answer> => {
  const answers = new Map<string, Answer>()
  for (const [status, it] of side.members(side.member(operation, 'responses'))) {
    if (status.startsWith('x-')) continue
    answers.set(status.toUpperCase(), {
      place: it,
      status: status.toUpperCase(),
      headers: headersOf(side, side.member(it, 'headers')),
      content:
        side.dialect === 'swagger-2.0'
          ? contentOfSwagger(side, operation, it)
          : contentOf(side, side.member(it, 'content')),
      links: new Map(side.members(side.member(it, 'links'))),
    })
  }
  return answers
}

const callbacksOf = (side: Side, place: PlacedValue, depth: number): readonly Callback[] =>
  side
    .members(side.member(place, 'callbacks'))
    .flatMap(([key, callback]) =>
      pathItemsAt(callback).flatMap(([expression, item]) =>
        operationsOf(side, item, expression, depth + 1).map((operation) => ({ key, expression, operation })),
      ),
    )

/** The path items of a map, as they are written: what they refer to is joined with what is beside the reference. */
const pathItemsAt = (place: PlacedValue): readonly (readonly [string, PlacedValue])[] =>
  isObject(place.value)
    ? Object.entries(place.value)
        .filter(([name]) => !name.startsWith('x-'))
        .map(([name, value]) => [name, { value, path: [...place.path, name] }])
    : []

/**
 * A path item and what it refers to, its own fields first: `$ref` allows fields beside it, and only a field that both have is
 * undefined (Path Item Object).
 */
export const partsOf = (side: Side, item: PlacedValue): readonly PlacedValue[] => {
  const parts = [item]
  for (let at = item; parts.length < 50;) {
    const { $ref: ref } = objectAt(at)
    const next = typeof ref === 'string' ? side.find(ref) : null
    if (!next || parts.includes(next)) break
    parts.push(next)
    at = next
  }
  return parts
}

/** The operations of a path item, in the order of the specification. */
export const operationsOf = (side: Side, item: PlacedValue, template: string, depth = 0): readonly Operation[] => {
  const items = partsOf(side, item)
  const member = (key: string): PlacedValue | null => {
    for (const it of items) {
      const found = side.member(it, key)
      if (found) return found
    }
    return null
  }
  const found: Operation[] = []
  for (const method of methods) {
    const place = member(method)
    if (place && isObject(place.value))
      found.push(operationOf(side, place, items, method.toUpperCase(), template, depth))
  }
  const seen = new Set(found.map((it) => it.method))
  for (const it of items)
    for (const [method, place] of side.members(side.member(it, 'additionalOperations'))) {
      if (seen.has(method) || !isObject(place.value)) continue
      seen.add(method)
      found.push(operationOf(side, place, items, method, template, depth))
    }
  return found
}

const pathsKnown = new WeakMap<Side, ReadonlyMap<string, PlacedValue>>()

/** The path items of the document, by template. */
export const pathsOf = (side: Side): ReadonlyMap<string, PlacedValue> => {
  const known = pathsKnown.get(side)
  if (known) return known
  const paths = side.at(['paths'])
  const made = new Map(paths ? pathItemsAt(paths) : [])
  pathsKnown.set(side, made)
  return made
}

/** The webhooks of the document, by name. */
export const webhooksOf = (side: Side): ReadonlyMap<string, PlacedValue> => {
  const found = side.at(['webhooks']) ?? side.at(['x-webhooks'])
  return new Map(found ? pathItemsAt(found) : [])
}

/** A template without the names of its parameters: what decides which requests it matches. */
export const shapeOf = (template: string): string => template.replaceAll(/\{[^}]*\}/g, '{}')

export const titleOf = (operation: Operation): string => `${operation.method} ${operation.template}`
