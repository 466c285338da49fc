import { isObject } from '../../document/json.ts'
import { objectAt, textAt } from '../side.ts'
import type { Place, Side } from '../side.ts'
import type { Answer, Body, Header, MediaType, Operation, Parameter } from './api.ts'
import { bodyOfSwagger, contentOfSwagger, parameterOfSwagger, schemaOfSwagger } from './swagger.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

const styles: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
  querystring: 'form',
}

/** `application/json; charset=utf-8` and `application/json` are one type: the parameters go, the case goes. */
export const mediaTypeName = (name: string): string => name.split(';')[0]!.trim().toLowerCase()

export const contentOf = (side: Side, place: Place | null): ReadonlyMap<string, MediaType> => {
  const content = new Map<string, MediaType>()
  for (const [name, it] of side.members(place)) {
    const key = mediaTypeName(name)
    if (content.has(key)) continue
    const raw = objectAt(it)
    content.set(key, {
      place: it,
      schema: raw.schema === undefined ? null : { value: raw.schema, path: [...it.path, 'schema'] },
      encoding: raw.encoding === undefined ? null : { value: raw.encoding, path: [...it.path, 'encoding'] },
    })
  }
  return content
}

const schemaOf = (place: Place): Place | null => {
  const raw = objectAt(place)
  return raw.schema === undefined ? null : { value: raw.schema, path: [...place.path, 'schema'] }
}

const parameterOf = (side: Side, place: Place): Parameter => {
  const raw = objectAt(place)
  const where = textAt(place, 'in') ?? 'query'
  const style = textAt(place, 'style') ?? styles[where] ?? 'form'
  return {
    place,
    // A reference that leads nowhere is known by its text.
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

const headersOf = (side: Side, place: Place | null): ReadonlyMap<string, Header> => {
  const headers = new Map<string, Header>()
  for (const [name, it] of side.members(place)) {
    const raw = objectAt(it)
    headers.set(name.toLowerCase(), {
      place: it,
      name,
      required: raw.required === true,
      // In Swagger 2.0 a header is its own schema.
      schema: side.dialect === 'swagger-2.0' ? schemaOfSwagger(it) : schemaOf(it),
      content: contentOf(side, side.member(it, 'content')),
    })
  }
  return headers
}

const templateNames = (template: string): string[] => [...template.matchAll(/\{([^}]*)\}/g)].map((it) => it[1]!)

/**
 * Parameters by what makes them one: path parameters by their position in the template (one that the template does not name
 * stands for the first position that nobody claims), headers without regard to case, the others by name.
 */
const keyedParameters = (read: readonly Parameter[], template: string): ReadonlyMap<string, Parameter> => {
  const names = templateNames(template)
  const declared = new Set(read.filter((it) => it.in === 'path').map((it) => it.name))
  const free = names.map((_, i) => i).filter((i) => !declared.has(names[i]!))
  const strays = new Map<string, number | undefined>()
  const result = new Map<string, Parameter>()
  for (const parameter of read) {
    if (parameter.in === 'body' || parameter.in === 'formData') continue
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
  place: Place,
  item: Place,
  method: string,
  template: string,
  depth: number,
): Operation => {
  const raw = objectAt(place)
  const swagger = side.dialect === 'swagger-2.0'
  const elements = [
    ...side.elements(side.member(item, 'parameters')),
    ...side.elements(side.member(place, 'parameters')),
  ]
  const read = elements.map((it) => (swagger ? parameterOfSwagger(it) : parameterOf(side, it)))
  const requestBody = side.member(place, 'requestBody')
  const body: Body | null = swagger
    ? bodyOfSwagger(side, place, read)
    : requestBody && {
        place: requestBody,
        required: objectAt(requestBody).required === true,
        content: contentOf(side, side.member(requestBody, 'content')),
      }
  const answers = new Map<string, Answer>()
  for (const [status, it] of side.members(side.member(place, 'responses'))) {
    if (status.startsWith('x-')) continue
    answers.set(status.toUpperCase(), {
      place: it,
      status: status.toUpperCase(),
      headers: headersOf(side, side.member(it, 'headers')),
      content: swagger ? contentOfSwagger(side, place, it) : contentOf(side, side.member(it, 'content')),
      links: new Map(side.members(side.member(it, 'links'))),
    })
  }
  return {
    place,
    method,
    template,
    item,
    parameters: keyedParameters(read, template),
    body,
    answers,
    security:
      raw.security === undefined ? side.at(['security']) : { value: raw.security, path: [...place.path, 'security'] },
    servers: serversOf(place, item),
    deprecated: raw.deprecated === true,
    callbacks: depth > 3 ? new Map() : callbacksOf(side, place, depth),
  }
}

const serversOf = (place: Place, item: Place): Place | null => {
  for (const owner of [place, item]) {
    const raw = objectAt(owner)
    if (raw.servers !== undefined) return { value: raw.servers, path: [...owner.path, 'servers'] }
  }
  return null
}

const callbacksOf = (
  side: Side,
  place: Place,
  depth: number,
): ReadonlyMap<string, ReadonlyMap<string, readonly Operation[]>> =>
  new Map(
    side
      .members(side.member(place, 'callbacks'))
      .map(([name, callback]) => [
        name,
        new Map(
          side
            .members(callback)
            .map(([expression, item]) => [expression, operationsOf(side, item, expression, depth + 1)]),
        ),
      ]),
  )

/** The operations of a path item, in the order of the specification. */
export const operationsOf = (side: Side, item: Place, template: string, depth = 0): readonly Operation[] => {
  const found: Operation[] = []
  for (const method of methods) {
    const place = side.member(item, method)
    if (place && isObject(place.value)) found.push(operationOf(side, place, item, method, template, depth))
  }
  for (const [method, place] of side.members(side.member(item, 'additionalOperations'))) {
    if (isObject(place.value)) found.push(operationOf(side, place, item, method.toLowerCase(), template, depth))
  }
  return found
}

/** The path items of the document, by template. */
export const pathsOf = (side: Side): ReadonlyMap<string, Place> => {
  const paths = side.at(['paths'])
  return new Map(paths ? side.members(paths).filter(([template]) => !template.startsWith('x-')) : [])
}

/** The webhooks of the document, by name. */
export const webhooksOf = (side: Side): ReadonlyMap<string, Place> => {
  const found = side.at(['webhooks']) ?? side.at(['x-webhooks'])
  return new Map(found ? side.members(found).filter(([name]) => !name.startsWith('x-')) : [])
}

/** A template without the names of its parameters: what decides which requests it matches. */
export const shapeOf = (template: string): string => template.replaceAll(/\{[^}]*\}/g, '{}')

export const titleOf = (operation: Operation): string => `${operation.method.toUpperCase()} ${operation.template}`
