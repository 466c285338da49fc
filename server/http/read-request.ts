import type { TSchema } from '@sinclair/typebox'
import { yieldToEventLoop } from '../../db/yield.ts'
import { type Endpoint, formType } from '../../src/api/endpoint.ts'
import { JsonFault, nulFault, readJson } from '../../src/document/json-steps.ts'
import { defaultLimits } from '../../src/document/limits.ts'
import { SvcError } from '../../src/errors.ts'
import { joinBytes } from '../../src/kernel/bytes.ts'
import { handedBytes, putTexts } from './long-texts.ts'
import { checkSent, type PartName } from './validation.ts'

const defaultBodyLimit = 2 * 1024 * 1024
const defaultBodyValues = 100_000
const unnamedType = 'application/octet-stream'

function queryOf(endpoint: Endpoint, url: URL): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  for (const name of new Set(url.searchParams.keys())) {
    const repeated = (endpoint.query?.properties[name] as { type?: string } | undefined)?.type === 'array'
    query[name] = repeated ? url.searchParams.getAll(name) : url.searchParams.get(name)
  }
  return query
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new SvcError('body-too-large', { limit_bytes: limit })
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = handedBytes(request)
  if (size > limit) throw tooLarge
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge
    chunks.push(chunk)
  }
  return joinBytes(chunks)
}

const isJsonType = (mediaType: string): boolean => mediaType === 'application/json' || mediaType.endsWith('+json')

const malformedBody = (fault: string): SvcError<'request-malformed'> =>
  new SvcError('request-malformed', { reason: `the body ${fault}` })

async function parseJson(request: Request, bytes: Uint8Array, maxValues: number): Promise<unknown> {
  try {
    const value = await readJson(bytes, { maxValues, maxDepth: defaultLimits.maxDepth }, yieldToEventLoop)
    return putTexts(request, value)
  } catch (error) {
    if (error instanceof JsonFault) throw malformedBody(error.message)
    throw error
  }
}

/**
 * The fields of a form that the schema declares. As RFC 6749 (3.1) asks: other fields are skipped, a field without a value is none, and
 * no field is given twice.
 */
function readForm({ body }: Endpoint, bytes: Uint8Array): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes))) {
    if (value === '' || !Object.hasOwn((body?.properties ?? {}) as object, name)) continue
    if (value.includes('\0')) throw malformedBody(nulFault().message)
    if (fields.has(name)) throw malformedBody(`gives the field "${name}" twice`)
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

async function bodyOf(endpoint: Endpoint, request: Request): Promise<{ body?: unknown; mediaType: string | null }> {
  if (endpoint.body === undefined) return { mediaType: null }
  const bytes = await readBytes(request, endpoint.bodyLimit ?? defaultBodyLimit)
  const named = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Bytes of no named type are bytes, where bytes are taken (RFC 9110, section 8.3).
  const mediaType = named === '' && endpoint.accepts?.includes(unnamedType) === true ? unnamedType : named
  if (bytes.byteLength === 0 && endpoint.bodyOptional === true) return { mediaType: null }
  if (mediaType !== '' && endpoint.accepts?.includes(mediaType) === true)
    return mediaType === formType ? { body: readForm(endpoint, bytes), mediaType: null } : { body: bytes, mediaType }
  if (mediaType !== '' && !isJsonType(mediaType))
    throw new SvcError('media-type-unsupported', {
      media_type: mediaType,
      accepted: ['application/json', ...(endpoint.accepts ?? [])],
    })
  return { body: await parseJson(request, bytes, endpoint.bodyValues ?? defaultBodyValues), mediaType: null }
}

/** A body with its other spellings as the schema declares them; where both are sent, the declared one counts. */
function spelled({ bodySpellings }: Endpoint, body: unknown): unknown {
  if (bodySpellings === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const entries = Object.entries(body)
  const nameOf = (key: string): string => (Object.hasOwn(bodySpellings, key) ? (bodySpellings[key] ?? key) : key)
  const declared = entries.filter(([key]) => nameOf(key) === key)
  return Object.fromEntries([...entries.map(([key, value]): [string, unknown] => [nameOf(key), value]), ...declared])
}

function headersOf(endpoint: Endpoint, request: Request): Record<string, unknown> {
  const headers: Record<string, unknown> = {}
  for (const name of Object.keys(endpoint.headers?.properties ?? {})) {
    const value = request.headers.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

/** A request whose address was read. */
export interface AddressedRequest {
  readonly request: Request
  readonly url: URL
  /** The values of the path's placeholders. */
  readonly params: Readonly<Record<string, string>>
}

/** What a request holds beside its address, by the names that handlers have for them. */
export interface RequestParts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  /** The value of a JSON body, the fields of a form, or the bytes of another one. */
  readonly body?: unknown
}

/** The parts of a request that an operation declares, as far as they are there. */
export interface ReadRequest {
  readonly input: RequestParts
  /** Media type of a raw body; null for JSON, a form or no body. */
  readonly mediaType: string | null
}

/**
 * Reads what an operation takes, the body up to its limit. Nothing is held against a schema yet.
 * @throws SvcError `body-too-large`, `media-type-unsupported`, `request-malformed`
 */
export async function readParts(endpoint: Endpoint, { request, url, params }: AddressedRequest): Promise<ReadRequest> {
  const { body, mediaType } = await bodyOf(endpoint, request)
  const input: { -readonly [K in keyof RequestParts]: RequestParts[K] } = {}
  if (endpoint.params) input.params = params
  if (endpoint.query) input.query = queryOf(endpoint, url)
  if (endpoint.headers) input.headers = headersOf(endpoint, request)
  if (body !== undefined) input.body = mediaType === null ? spelled(endpoint, body) : body
  return { input, mediaType }
}

/** The parts in the order in which the contract names what is wrong, with the word that an error has for each. */
const partNames = { params: 'path', query: 'query', headers: 'header', body: 'body' } as const

/** The schema of each part that an operation declares, in the order of their checks, with the word that an error has for it. */
export const declaredParts = (endpoint: Endpoint): { part: keyof RequestParts; where: PartName; schema: TSchema }[] =>
  Object.entries(partNames).flatMap(([name, where]) => {
    const part = name as keyof RequestParts
    const schema = endpoint[part]
    return schema === undefined ? [] : [{ part, where, schema }]
  })

/**
 * Reads what an operation takes and checks each part against its schema, for calls in this process; over HTTP Elysia asks for
 * the same checks.
 * @throws SvcError as `readParts`; ValidationError of the first part that is wrong: path, query, headers, body
 */
export async function readRequest(endpoint: Endpoint, addressed: AddressedRequest): Promise<ReadRequest> {
  const { input, mediaType } = await readParts(endpoint, addressed)
  const parts = declaredParts(endpoint).filter(({ part }) => part in input)
  return {
    input: Object.fromEntries(parts.map(({ part, where, schema }) => [part, checkSent(where, schema, input[part])])),
    mediaType,
  }
}
