/** Whether an API description accepts a message: what it says about the address, parameters, credentials, headers and bodies. */
import { isObject, type Json, type Message, type RequestMessage, type ResponseMessage } from '../case.ts'
import type { Standalone } from '../checker/validators.ts'
import { listOf, objectOf, resolved, textOf, type Api, type Content, type Operation, type Parameter } from './model.ts'
import { standalone, type Sent } from './dialect.ts'
import { readFields, readText } from './texts.ts'

/** Decides whether a value is valid against a schema that needs no other document. */
export type Judge = (schema: Standalone, value: Json) => boolean

type Fields = readonly (readonly [string, string])[]

interface Reader {
  readonly api: Api
  readonly judge: Judge
  readonly sent: Sent
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const fieldsOf = (text: string, separator: string): Fields =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...rest] = part.split('=')
      const read = (coded: string) => decoded(separator === '&' ? coded.replaceAll('+', ' ') : coded)
      return [read(name), read(rest.join('='))] as const
    })

/** Why a description refuses a message; null where it accepts it. */
export function refusalOf(api: Api, message: Message, judge: Judge): string | null {
  if ('request' in message) return refusedRequest({ api, judge, sent: 'request' }, message.request)
  return refusedResponse({ api, judge, sent: 'response' }, message.response)
}

interface Found {
  readonly operation: Operation
  /** The text of each placeholder. */
  readonly texts: ReadonlyMap<string, string>
}

/** The path below each server's URL; a message that names no host is compared with the path of the server. */
function pathsBelow(operation: Operation, url: string): string[] {
  return operation.servers.flatMap((server) => {
    const path = url.startsWith('/') ? server.replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, '') : server
    const prefix = path.replace(/\/$/, '')
    return url.startsWith(`${prefix}/`) ? [url.slice(prefix.length)] : []
  })
}

/** The operation that a method and URL reach: of paths that match, the one with the fewest placeholders (Paths Object). */
export function operationAt(api: Api, method: string, url: string): Found | null {
  const address = url.split('?')[0] ?? ''
  const found = api.operations.flatMap((operation) => {
    if (operation.method !== method) return []
    const parts = operation.path.split(/(\{[^{}]+\})/)
    const names = parts.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1))
    const pattern = parts.map((part) => (part.startsWith('{') ? '([^/]+)' : RegExp.escape(part))).join('')
    return pathsBelow(operation, address).flatMap((path) => {
      const match = new RegExp(`^${pattern}$`).exec(path)
      if (match === null) return []
      return [{ operation, texts: new Map(names.map((name, at) => [name, decoded(match[at + 1] ?? '')])) }]
    })
  })
  return found.sort((one, other) => one.texts.size - other.texts.size)[0] ?? null
}

const isMediaType = (range: string, type: string): boolean => {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

/** The entry of a content for a media type, the most specific first. */
function contentFor(content: ReadonlyMap<string, Content>, type: string): Content | null {
  const known = [...content].filter(([range]) => isMediaType(range, type.split(';')[0]?.trim() ?? ''))
  return known.sort(([one], [other]) => one.split('*').length - other.split('*').length)[0]?.[1] ?? null
}

export const isJsonType = (type: string): boolean => /^application\/([\w.+-]+\+)?json\b/.test(type)

/** The names of the properties of a schema, those of its parts included. */
function propertiesOf(api: Api, schema: Json): string[] {
  const found = objectOf(resolved(api.document, schema))
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => [...listOf(found[keyword])])
  return [...Object.keys(objectOf(found['properties'])), ...parts.flatMap((part) => propertiesOf(api, part))]
}

const isAnyValid = (reader: Reader, schema: Json, values: readonly Json[]): boolean => {
  const whole = standalone(reader.api, schema, reader.sent)
  return values.some((value) => reader.judge(whole, value))
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function textRefused(reader: Reader, parameter: Parameter, text: string): boolean {
  if (parameter.mediaType === undefined) return !isAnyValid(reader, parameter.schema, readText(parameter, text))
  if (!isJsonType(parameter.mediaType)) return !isAnyValid(reader, parameter.schema, [text])
  const value = parsed(text)
  return value === undefined || !isAnyValid(reader, parameter.schema, [value])
}

function fieldRefused(reader: Reader, parameter: Parameter, fields: Fields): string | null {
  const { name, required, schema, mediaType } = parameter
  if (mediaType !== undefined) {
    const text = fields.find(([field]) => field === name)?.[1]
    if (text === undefined) return required ? `the parameter ${name} is missing` : null
    return textRefused(reader, parameter, text) ? `the parameter ${name} is not valid` : null
  }
  const values = readFields(parameter, fields, propertiesOf(reader.api, schema))
  if (values === null) return required ? `the parameter ${name} is missing` : null
  if (parameter.allowEmptyValue === true && values.includes('')) return null
  return isAnyValid(reader, schema, values) ? null : `the parameter ${name} is not valid`
}

function parameterRefused(
  reader: Reader,
  parameter: Parameter,
  request: RequestMessage,
  texts: Found['texts'],
): string | null {
  const query = request.url.split('?').slice(1).join('?')
  const headers = request.headers ?? {}
  const { name, required } = parameter
  if (parameter.in === 'query') return fieldRefused(reader, parameter, fieldsOf(query, '&'))
  if (parameter.in === 'cookie') return fieldRefused(reader, parameter, fieldsOf(headers['cookie'] ?? '', ';'))
  if (parameter.in === 'querystring') {
    const value = Object.fromEntries(
      fieldsOf(query, '&').map(([field, text]) => [field, primitives(reader, parameter, field, text)]),
    )
    return isAnyValid(reader, parameter.schema, [value]) ? null : 'the query is not valid'
  }
  const text = parameter.in === 'path' ? texts.get(name) : headers[name.toLowerCase()]
  if (text === undefined) return required ? `the parameter ${name} is missing` : null
  return textRefused(reader, parameter, text) ? `the parameter ${name} is not valid` : null
}

/** What the text of a field is, by the type that its property has: a number where the property is one. */
function primitives(reader: Reader, parameter: Parameter, field: string, text: string): Json {
  const properties = objectOf(objectOf(resolved(reader.api.document, parameter.schema))['properties'])
  const type = objectOf(resolved(reader.api.document, properties[field]))['type']
  const isNumber = type === 'integer' || type === 'number'
  return isNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The values that the text of a form may be: its fields by the encodings of the content. */
function formRefused(reader: Reader, { schema, encoding }: Content, text: string): boolean {
  const fields = fieldsOf(text, '&')
  const properties = objectOf(objectOf(resolved(reader.api.document, schema))['properties'])
  const names = [...new Set([...propertiesOf(reader.api, schema), ...fields.map(([name]) => name)])]
  let candidates: Json[] = [{}]
  for (const name of names) {
    const own = objectOf(encoding[name])
    const style = textOf(own['style'], 'form')
    const explode = typeof own['explode'] === 'boolean' ? own['explode'] : style === 'form'
    const inner = propertiesOf(reader.api, properties[name] ?? {})
    const values = readFields({ name, style, explode }, fields, inner)
    if (values === null) continue
    const part = properties[name]
    const fitting = part === undefined ? values : values.filter((value) => isAnyValid(reader, part, [value]))
    // None fits: the whole is refused with whatever was sent.
    const tried = (fitting.length > 0 ? fitting : values).slice(0, 4)
    candidates = candidates.flatMap((made) => tried.map((value) => ({ ...objectOf(made), [name]: value }))).slice(0, 64)
  }
  return !isAnyValid(reader, schema, candidates)
}

/** Parts of a multipart body are given as an object of their values, a sequence as the list of its items. */
function bodyRefused(reader: Reader, content: Content, type: string, body: Json): boolean {
  if (content.itemSchema !== undefined && Array.isArray(body))
    return body.some((item: Json) => !isAnyValid(reader, content.itemSchema ?? {}, [item]))
  if (isJsonType(type) || type.startsWith('multipart/')) return !isAnyValid(reader, content.schema, [body])
  if (typeof body !== 'string') throw new Error(`A body of ${type} is given as its text`)
  if (type.startsWith('application/x-www-form-urlencoded')) return formRefused(reader, content, body)
  if (type.startsWith('text/plain'))
    return !isAnyValid(reader, content.schema, body === '' ? [body] : readText(plainText, body))
  return false
}

const plainText = { name: '', style: 'simple', explode: false }

function refusedRequest(reader: Reader, request: RequestMessage): string | null {
  const found = operationAt(reader.api, request.method, request.url)
  if (found === null) return `no operation is at ${request.method} ${request.url}`
  const { operation, texts } = found
  for (const parameter of operation.parameters) {
    const refusal = parameterRefused(reader, parameter, request, texts)
    if (refusal !== null) return refusal
  }
  if (!isAuthorized(operation, request)) return 'the credentials are not sufficient'
  if (request.body === undefined) return operation.body?.required === true ? 'the body is missing' : null
  if (operation.body === null) return null
  const type = request.headers?.['content-type'] ?? 'application/json'
  const content = contentFor(operation.body.content, type)
  if (content === null) return `the media type ${type} is not described`
  return bodyRefused(reader, content, type, request.body) ? 'the body is not valid' : null
}

function isAuthorized(operation: Operation, request: RequestMessage): boolean {
  if (operation.security.length === 0) return true
  return operation.security.some((requirement) =>
    requirement.every(({ scheme, scopes }) => isSatisfied(scheme, scopes, request)),
  )
}

function isSatisfied(
  scheme: Readonly<Record<string, Json>>,
  scopes: readonly string[],
  request: RequestMessage,
): boolean {
  const headers = request.headers ?? {}
  const authorization = (headers['authorization'] ?? '').toLowerCase()
  const type = textOf(scheme['type'])
  if (type === 'apiKey') {
    const name = textOf(scheme['name'])
    if (scheme['in'] === 'header') return headers[name.toLowerCase()] !== undefined
    const fields =
      scheme['in'] === 'cookie'
        ? fieldsOf(headers['cookie'] ?? '', ';')
        : fieldsOf(request.url.split('?')[1] ?? '', '&')
    return fields.some(([field]) => field === name)
  }
  if (type === 'basic') return authorization.startsWith('basic ')
  if (type === 'http') return authorization.startsWith(`${textOf(scheme['scheme']).toLowerCase()} `)
  if (type === 'mutualTLS') return headers['x-client-certificate'] !== undefined
  return authorization.startsWith('bearer ') && scopes.every((scope) => request.scopes?.includes(scope) === true)
}

/** The description of a status: itself, its range, or the default. */
const answerOf = (operation: Operation, status: number) =>
  operation.answers.get(String(status)) ??
  operation.answers.get(`${String(status)[0]}XX`) ??
  operation.answers.get('default') ??
  null

function refusedResponse(reader: Reader, response: ResponseMessage): string | null {
  const operation = operationAt(reader.api, response.method, response.url)?.operation
  if (operation === undefined) return `no operation is at ${response.method} ${response.url}`
  const answer = answerOf(operation, response.status)
  if (answer === null) return `the status ${response.status} is not described`
  for (const header of answer.headers) {
    // Described by the content, so a header of this name says nothing (Response Object, headers).
    if (header.name.toLowerCase() === 'content-type') continue
    const text = response.headers?.[header.name.toLowerCase()]
    if (text === undefined && header.required) return `the header ${header.name} is missing`
    if (text !== undefined && textRefused(reader, header, text)) return `the header ${header.name} is not valid`
  }
  if (response.body === undefined || answer.content.size === 0) return null
  const type = response.headers?.['content-type'] ?? 'application/json'
  const content = contentFor(answer.content, type)
  if (content === null) return `the media type ${type} is not described`
  return bodyRefused(reader, content, type, response.body) ? 'the body is not valid' : null
}

/**
 * The schema of the JSON body of the only operation, of what is sent. The service sends the requests of webhooks and callbacks.
 * @throws Error where there are several or none.
 */
export function onlyBody(api: Api, sent: Sent): Json {
  const requests = (operations: readonly Operation[]) => operations.map((operation) => operation.body?.content)
  const answers = (operations: readonly Operation[]) =>
    operations.flatMap((operation) => [...operation.answers.values()].map((answer) => answer.content))
  const contents =
    sent === 'request'
      ? [...requests(api.operations), ...answers(api.outgoing)]
      : [...answers(api.operations), ...requests(api.outgoing)]
  const found = contents.flatMap((content) =>
    [...(content ?? [])].filter(([type]) => isJsonType(type)).map(([, media]) => media.schema),
  )
  if (found.length !== 1 || found[0] === undefined) throw new Error(`There are ${found.length} JSON bodies, not one`)
  return isObject(found[0]) || typeof found[0] === 'boolean' ? found[0] : {}
}
