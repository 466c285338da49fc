import { Elysia } from 'elysia'
import { SvcError } from '../../src/errors.ts'
import type { Gatekeeper } from '../auth/grant.ts'
import type { Context, Route } from './handler.ts'
import type { Observe } from './observe.ts'
import { readRequest } from './read-request.ts'
import { requestIdOf } from './request-id.ts'
import { answerFailure, answerResult, finishAnswer } from './write-response.ts'

export interface MountOptions {
  readonly gatekeeper: Gatekeeper
  readonly observe?: Observe
  /** Told of every fault: something thrown that is no `SvcError`. */
  readonly onFault: (fault: unknown, requestId: string) => void
}

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

/** One request to one operation: credentials (401), permission (403), size (413), parsing (400), schema (422), handler. */
async function run(route: Route, table: PathTable, request: Request, options: MountOptions): Promise<Response> {
  const { endpoint } = route
  const url = new URL(request.url)
  const params = paramsOf(table, url.pathname)
  const { access } = endpoint
  const takesCredentials = access.anonymous !== true || access.credentials === 'optional'
  const queryKey = endpoint.query?.properties.api_key !== undefined
  const principal = takesCredentials ? await options.gatekeeper.authenticate(request, { queryKey }) : null
  const grant = await options.gatekeeper.authorize(principal, access, params.tenant_slug ?? null)
  const { input, mediaType } = await readRequest(endpoint, request, url, params)
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
  return answerResult(endpoint, await route.handle(input as never, context))
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
 * Serves declared operations: path (404), method (405 with Allow), then each operation as `run` has it. Errors are answered
 * as the catalogue says. Elysia finds the path and nothing else: its own validation runs before credentials are looked at,
 * drops unknown fields, and answers 404 for 405.
 */
export function mount(routes: readonly Route[], options: MountOptions): Elysia {
  const app = new Elysia()
  const observe: Observe = options.observe ?? ((_, work) => work())
  const respond = (request: Request, route: string | null, work: () => Promise<Response>): Promise<Response> =>
    observe({ request, requestId: requestIdOf(request), route }, async () => {
      try {
        return await finishAnswer(request, await work())
      } catch (error) {
        if (!(error instanceof SvcError)) options.onFault(error, requestIdOf(request))
        return finishAnswer(request, answerFailure(request, error))
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
