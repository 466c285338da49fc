import { Elysia } from 'elysia'
import type { Endpoint, Input, Output } from '../src/api/endpoint.ts'
import { nestsDeeperThan } from '../src/document/json-depth.ts'
import { defaultLimits } from '../src/document/limits.ts'
import { SvcError } from '../src/errors.ts'
import { checkPart } from './validation.ts'
import { answerError, type ErrorFormat } from './error-answer.ts'
import { Reply } from './reply.ts'
import type { Gatekeeper, Grant } from './auth/grant.ts'

/** The version of the interface, sent with every answer. */
export const apiVersion = '1.204.1'
/** What every answer carries beside its request id. */
export const commonHeaders = { 'x-api-version': apiVersion, 'x-content-type-options': 'nosniff' }
const defaultBodyLimit = 12 * 1024 * 1024
const unnamedType = 'application/octet-stream'

/** What a handler knows of the request beside its input. */
export interface Context {
  readonly endpoint: Endpoint
  readonly grant: Grant
  readonly requestId: string
  /** The Accept header, "" when absent. */
  readonly accept: string
  readonly ifNoneMatch: string | null
  readonly ifMatch: string | null
  readonly idempotencyKey: string | null
  /** Media type of a raw body without parameters; null for a JSON or no body. */
  readonly mediaType: string | null
  /** The request itself, for what depends on its connection (address, cookies): server/auth only. */
  readonly request: Request
  readonly signal: AbortSignal
}

export type Handler<E extends Endpoint> = (
  input: Input<E>,
  context: Context,
) => Promise<Output<E> | Reply> | Output<E> | Reply
/** A function for each operation of a contract. A missing one does not compile. */
export type Handlers<C extends Readonly<Record<string, Endpoint>>> = { readonly [K in keyof C]: Handler<C[K]> }

/** An operation with the function that answers it. */
export interface Route {
  readonly endpoint: Endpoint
  readonly handle: (input: never, context: Context) => unknown
}

/** Binds the operations of a contract to their handlers. */
export const routesOf = <C extends Readonly<Record<string, Endpoint>>>(contract: C, handlers: Handlers<C>): Route[] =>
  Object.entries(contract).map(([name, endpoint]) => ({
    endpoint,
    handle: handlers[name as keyof C] as Route['handle'],
  }))

/** Runs around every request: logs, metrics and traces. `route` is the path template, or null where nothing matched. */
export type Observe = (
  facts: { readonly request: Request; readonly requestId: string; readonly route: string | null },
  run: () => Promise<Response>,
) => Promise<Response>

/** Told of a request that was answered at once, in place of `Observe`: the same log line, the same count. */
export type Note = (facts: {
  readonly method: string
  readonly path: string
  readonly requestId: string
  readonly route: string | null
  readonly status: number
  /** `performance.now()` when it came. */
  readonly begun: number
  readonly traceId?: string
}) => void

export interface MountOptions {
  readonly gatekeeper: Gatekeeper
  readonly observe?: Observe
  /** Told of every fault: something thrown that is no `SvcError`. */
  readonly onFault: (fault: unknown, requestId: string) => void
}

const requestIds = new WeakMap<Request, string>()

/** An id that a caller sent, where it is a harmless one; else a fresh one. */
export const requestIdFrom = (given: string | null): string =>
  given !== null && /^[\w.-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()

/** The id of a request: the caller's own where it sent a harmless one, else a fresh one. */
export function requestIdOf(request: Request): string {
  let id = requestIds.get(request)
  if (!id) {
    id = requestIdFrom(request.headers.get('x-request-id'))
    requestIds.set(request, id)
  }
  return id
}

/** Which shape of error body the caller asked for (RFC 9457 only when Accept names it). */
export const errorFormatOf = (request: Request): ErrorFormat =>
  request.headers.get('accept')?.includes('application/problem+json') === true ? 'problem' : 'detail'

interface PathTable {
  readonly names: readonly (string | null)[]
  readonly byMethod: Map<string, Route>
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new SvcError('request-malformed', { reason: `the path segment "${segment}" is not valid percent-encoding` })
  }
}

function paramsOf(table: PathTable, pathname: string): Record<string, string> {
  const params: Record<string, string> = {}
  const segments = pathname.split('/')
  for (const [index, name] of table.names.entries())
    if (name !== null) params[name] = decodeSegment(segments[index] ?? '')
  return params
}

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
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? new Uint8Array(chunks[0]) : new Uint8Array(Buffer.concat(chunks))
}

const isJsonType = (mediaType: string): boolean => mediaType === 'application/json' || mediaType.endsWith('+json')

function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SvcError('request-malformed', { reason: 'the body is not UTF-8' })
  }
  if (nestsDeeperThan(bytes, defaultLimits.maxDepth))
    throw new SvcError('request-malformed', {
      reason: `the body nests arrays and objects deeper than ${defaultLimits.maxDepth} levels`,
    })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new SvcError('request-malformed', { reason: `the body is not JSON (${(error as Error).message})` })
  }
  // One engine refuses NUL in text and the other keeps it: neither may ever see one.
  if (text.includes('\\u0000') || text.includes('\u0000'))
    throw new SvcError('request-malformed', { reason: 'the body holds a NUL character (U+0000), which no text may' })
  return value
}

async function bodyOf(endpoint: Endpoint, request: Request): Promise<{ body?: unknown; mediaType: string | null }> {
  if (endpoint.body === undefined) return { mediaType: null }
  const bytes = await readBytes(request, endpoint.bodyLimit ?? defaultBodyLimit)
  const named = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Bytes of no named type are bytes, where bytes are taken (RFC 9110, section 8.3).
  const mediaType = named === '' && endpoint.accepts?.includes(unnamedType) === true ? unnamedType : named
  if (bytes.byteLength === 0 && endpoint.bodyOptional === true) return { mediaType: null }
  if (mediaType !== '' && endpoint.accepts?.includes(mediaType) === true) return { body: bytes, mediaType }
  if (mediaType !== '' && !isJsonType(mediaType))
    throw new SvcError('media-type-unsupported', {
      media_type: mediaType,
      accepted: ['application/json', ...(endpoint.accepts ?? [])],
    })
  return { body: parseJson(bytes), mediaType: null }
}

function headersOf(endpoint: Endpoint, request: Request): Record<string, unknown> {
  const headers: Record<string, unknown> = {}
  for (const name of Object.keys(endpoint.headers?.properties ?? {})) {
    const value = request.headers.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

async function inputOf(endpoint: Endpoint, request: Request, url: URL, params: Record<string, string>) {
  const { body, mediaType } = await bodyOf(endpoint, request)
  const input: Record<string, unknown> = {}
  if (endpoint.params) input.params = checkPart('path', endpoint.params, params)
  if (endpoint.query) input.query = checkPart('query', endpoint.query, queryOf(endpoint, url))
  if (endpoint.headers) input.headers = checkPart('header', endpoint.headers, headersOf(endpoint, request))
  if (endpoint.body && mediaType !== null) input.body = body
  else if (endpoint.body && body !== undefined) input.body = checkPart('body', endpoint.body, body)
  return { input, mediaType }
}

function answer(endpoint: Endpoint, result: unknown): Response {
  const status = endpoint.status ?? 200
  if (result instanceof Reply) {
    const headers = new Headers(result.headers)
    for (const cookie of result.cookies) headers.append('set-cookie', cookie)
    return new Response(result.body, { status: result.status ?? status, headers })
  }
  if (status === 204) return new Response(null, { status })
  return new Response(JSON.stringify(result), { status, headers: { 'content-type': 'application/json' } })
}

async function run(route: Route, table: PathTable, request: Request, options: MountOptions): Promise<Response> {
  const { endpoint } = route
  const url = new URL(request.url)
  const params = paramsOf(table, url.pathname)
  const { access } = endpoint
  const looks = access.anonymous !== true || access.credentials === 'optional'
  const queryKey = endpoint.query?.properties.api_key !== undefined
  const principal = looks ? await options.gatekeeper.authenticate(request, { queryKey }) : null
  const grant = await options.gatekeeper.authorize(principal, access, params.tenant_slug ?? null)
  const { input, mediaType } = await inputOf(endpoint, request, url, params)
  const context: Context = {
    endpoint,
    grant,
    requestId: requestIdOf(request),
    accept: request.headers.get('accept') ?? '',
    ifNoneMatch: request.headers.get('if-none-match'),
    ifMatch: request.headers.get('if-match'),
    idempotencyKey: request.headers.get('idempotency-key'),
    mediaType,
    request,
    signal: request.signal,
  }
  return answer(endpoint, await route.handle(input as never, context))
}

/** Adds what every answer carries; HEAD keeps the headers of GET and drops its body. */
async function finish(request: Request, response: Response): Promise<Response> {
  const { headers } = response
  headers.set('x-request-id', requestIdOf(request))
  for (const [name, value] of Object.entries(commonHeaders)) headers.set(name, value)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  const bare = request.method === 'HEAD' || response.status === 204 || response.status === 304
  if (bare && request.method === 'HEAD' && response.body !== null)
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  // Whoever takes the body of an answer makes a stream of it; as it is, its bytes are sent at once.
  return bare ? new Response(null, { status: response.status, headers }) : response
}

function tablesOf(routes: readonly Route[]): Map<string, PathTable> {
  const tables = new Map<string, PathTable>()
  for (const route of routes) {
    // Parameters are named by position, because the router wants one name for one place over all paths.
    const path = route.endpoint.path.replaceAll(/\{\w+\}/g, ':')
    const names = route.endpoint.path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1] ?? null)
    const table = tables.get(path) ?? { names, byMethod: new Map<string, Route>() }
    if (table.byMethod.has(route.endpoint.method))
      throw new Error(`${route.endpoint.id}: ${route.endpoint.method} ${route.endpoint.path} is declared twice`)
    table.byMethod.set(route.endpoint.method, route)
    tables.set(path, table)
  }
  return tables
}

const positional = (path: string): string =>
  path
    .split('/')
    .map((segment, index) => (segment === ':' ? `:p${index}` : segment))
    .join('/')

/**
 * Serves declared operations through one pipeline: path (404), method (405 with Allow), credentials (401), permission
 * (403), size (413), parsing (400), schema (422), handler. Errors are answered as the catalogue says.
 */
export function mount(routes: readonly Route[], options: MountOptions): Elysia {
  const app = new Elysia()
  const observe: Observe = options.observe ?? ((_, work) => work())
  const respond = (request: Request, route: string | null, work: () => Promise<Response>): Promise<Response> =>
    observe({ request, requestId: requestIdOf(request), route }, async () => {
      try {
        return await finish(request, await work())
      } catch (error) {
        const requestId = requestIdOf(request)
        if (!(error instanceof SvcError)) options.onFault(error, requestId)
        return finish(request, answerError(error, requestId, errorFormatOf(request)))
      }
    })
  for (const [path, table] of tablesOf(routes)) {
    const template = table.byMethod.values().next().value?.endpoint.path ?? path
    app.all(
      positional(path),
      ({ request }) =>
        respond(request, template, async () => {
          const route = table.byMethod.get(request.method === 'HEAD' ? 'GET' : request.method)
          if (route) return run(route, table, request, options)
          const allow = [...table.byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
          throw new SvcError('method-not-allowed', { method: request.method, path: template, allow })
        }),
      { parse: 'none' },
    )
  }
  app.onError(({ request, error, code }) =>
    respond(request, null, () => {
      if (code === 'NOT_FOUND') throw new SvcError('route-not-found', { path: new URL(request.url).pathname })
      throw error
    }),
  )
  return app
}
