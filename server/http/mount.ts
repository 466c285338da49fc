import { Elysia } from 'elysia'
import { SvcError } from '../../src/errors.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import type { Observe } from './observe.ts'
import { isRest, type Operations, placeholdersOf } from './operations.ts'
import { requestIdOf } from './request-id.ts'

interface PathTable {
  readonly names: readonly (string | null)[]
  readonly byMethod: Map<string, Endpoint>
}

function tablesOf(endpoints: readonly Endpoint[]): Map<string, PathTable> {
  const tables = new Map<string, PathTable>()
  for (const endpoint of endpoints)
    for (const template of [endpoint.path, endpoint.formerPath ?? []].flat()) {
      // Parameters are named by position, because the router wants one name for one place over all paths.
      const path = template.replaceAll(/\{\w+\}/g, ':')
      const table = tables.get(path) ?? { names: placeholdersOf(template), byMethod: new Map<string, Endpoint>() }
      if (table.byMethod.has(endpoint.method))
        throw new Error(`${endpoint.id}: ${endpoint.method} ${template} is declared twice`)
      table.byMethod.set(endpoint.method, endpoint)
      tables.set(path, table)
    }
  return tables
}

/** The answer to a browser that asks whether a page of another origin may read. */
const mayRead = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, if-none-match',
      'access-control-max-age': '86400',
    },
  })

const positional = (path: string, names: readonly (string | null)[]): string =>
  path
    .split('/')
    .map((segment, index) => (segment !== ':' ? segment : isRest(names[index] ?? null) ? '*' : `:p${index}`))
    .join('/')

/**
 * Serves declared operations: path (404), method (405 with Allow), then each operation as `Operations` has it. Errors are
 * answered as the catalogue says. Elysia finds the path and nothing else: its own validation runs before credentials are
 * looked at, drops unknown fields, and answers 404 for 405.
 */
export function mount(
  endpoints: readonly Endpoint[],
  operations: Operations,
  observe: Observe = (_, work) => work(),
): Elysia {
  const app = new Elysia()
  const respond = (request: Request, route: string | null, work: () => Promise<Response>): Promise<Response> =>
    observe({ request, requestId: requestIdOf(request), route }, () => operations.respond(request, work))
  // Before the routes: it holds only for those that are declared after it.
  app.onError(({ request, error, code }) =>
    respond(request, null, () => {
      if (code === 'NOT_FOUND') throw new SvcError('route-not-found', { path: new URL(request.url).pathname })
      throw error
    }),
  )
  for (const [path, { names, byMethod }] of tablesOf(endpoints)) {
    const template = byMethod.values().next().value?.path ?? path
    app.all(
      positional(path, names),
      ({ request }) =>
        respond(request, template, async () => {
          const endpoint = byMethod.get(request.method === 'HEAD' ? 'GET' : request.method)
          if (endpoint) return operations.run(endpoint, names, request)
          if (request.method === 'OPTIONS' && byMethod.get('GET')?.anyOrigin === true) return mayRead()
          const allow = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
          throw new SvcError('method-not-allowed', { method: request.method, path: template, allow })
        }),
      { parse: 'none' },
    )
  }
  return app
}
