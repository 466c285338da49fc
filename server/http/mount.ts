import { Elysia } from 'elysia'
import { SvcError } from '../../src/errors.ts'
import type { Endpoint, Method } from '../../src/api/endpoint.ts'
import { ValidationError } from '../../src/api/wire.ts'
import { featurePlugin, routerPathOf, templatesOf } from './feature-plugin.ts'
import type { Observe } from './observe.ts'
import type { Operations } from './operations.ts'
import { requestIdOf } from './request-id.ts'
import { rememberRoute, routeOf } from './request-route.ts'
import { isOfSite, sitePlugin } from './site.ts'
import { checkPart } from './validation.ts'
import { finishAnswer } from './write-response.ts'

/** What a process answers: everything, the operations for keys of gateways, or no operation. */
export type Answered = 'all' | 'gateways' | 'none'

const isAnswered = ({ access }: Endpoint, answers: Answered): boolean =>
  answers === 'all' || (answers === 'gateways' && 'permission' in access && access.credentials.includes('gateway-key'))

/** A path of the service with the operations that it has. */
interface ServedPath {
  readonly template: string
  /** Of the path as Elysia has it: ":p3" is a parameter, "*" at the end all that follows. */
  readonly segments: readonly string[]
  readonly byMethod: Map<Method, Endpoint>
}

function pathsOf(endpoints: readonly Endpoint[]): Map<string, ServedPath> {
  const paths = new Map<string, ServedPath>()
  for (const endpoint of endpoints)
    for (const template of templatesOf(endpoint)) {
      const path = routerPathOf(template)
      const served = paths.get(path) ?? {
        template: endpoint.path,
        segments: path.split('/'),
        byMethod: new Map<Method, Endpoint>(),
      }
      if (served.byMethod.has(endpoint.method))
        throw new Error(`${endpoint.id}: ${endpoint.method} ${template} is declared twice`)
      served.byMethod.set(endpoint.method, endpoint)
      paths.set(path, served)
    }
  return paths
}

const hasRest = ({ segments }: ServedPath): boolean => segments.at(-1) === '*'

/** Whether every request to one path could also be read as a request to another, more general one of as many segments or a rest. */
const isWithin = (path: ServedPath, general: ServedPath): boolean =>
  path !== general &&
  general.segments.length <= path.segments.length &&
  general.segments.every((it, index) => it === path.segments[index] || it.startsWith(':') || it === '*')

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

/**
 * Answers 405 with Allow for the methods that a path does not have: Elysia answers 404 there, or runs the operation of a
 * more general path ("/projects/{slug}" for a GET of "/projects/bulk"). Such methods have a route of their own.
 */
function refuseOtherMethods(app: Elysia, paths: ReadonlyMap<string, ServedPath>): void {
  const byLength = Map.groupBy(paths.values(), ({ segments }) => segments.length)
  const open = [...paths.values()].filter(hasRest)
  for (const [path, own] of paths) {
    const { template, byMethod } = own
    const allow = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const refuse = ({ request }: { request: Request }): Promise<Response> | Response => {
      rememberRoute(request, template)
      if (request.method === 'OPTIONS' && byMethod.get('GET')?.anyOrigin === true)
        return finishAnswer(request, mayRead())
      throw new SvcError('method-not-allowed', { method: request.method, path: template, allow })
    }
    const general = [...(byLength.get(own.segments.length) ?? []), ...open].filter((it) => isWithin(own, it))
    const taken = new Set(general.flatMap((it) => [...it.byMethod.keys()]).filter((it) => !byMethod.has(it)))
    for (const method of taken) app.route(method, path, refuse, { parse: 'none' })
    app.all(path, refuse, { parse: 'none' })
  }
}

/** A request whose context an error hook sees: its parts are as they were read. */
interface FailedContext {
  readonly request: Request
  readonly params?: unknown
  readonly query?: unknown
}

/**
 * What is wrong with a request, by the contract: the path first, then the query, headers and the body. Elysia checks headers
 * before the path and stops at the first part that fails.
 */
function firstFailure(error: unknown, { params, query }: FailedContext, endpoint: Endpoint | undefined): unknown {
  if (!(error instanceof ValidationError) || error.entries[0]?.loc[0] !== 'header') return error
  try {
    if (endpoint?.params) checkPart('path', endpoint.params, params)
    if (endpoint?.query) checkPart('query', endpoint.query, query)
    return error
  } catch (earlier) {
    return earlier
  }
}

/**
 * An answer to HEAD: the headers of GET. Elysia drops the body where the path has a GET route, and says a length of 0 where
 * there was none to count (204, 304).
 */
async function headAnswer(answer: Response): Promise<Response> {
  const { headers, status } = answer
  if (answer.body !== null) headers.set('content-length', String((await answer.arrayBuffer()).byteLength))
  else if (headers.get('content-length') === '0') headers.delete('content-length')
  return new Response(null, { status, headers })
}

/** Observes each request around everything that Elysia does with it; files of the application are not observed. */
const observing =
  (observe: Observe, operations: Operations) =>
  (handle: (request: Request) => Promise<Response> | Response) =>
  (request: Request): Promise<Response> | Response => {
    if (isOfSite(request)) return handle(request)
    const facts = { request, requestId: requestIdOf(request), route: () => routeOf(request) }
    return observe(facts, async () => {
      // The error hook may fail itself, where the fault cannot be reported.
      const answer = await Promise.resolve(handle(request)).catch((error: unknown) => operations.fail(request, error))
      return request.method === 'HEAD' ? headAnswer(answer) : answer
    })
  }

/**
 * Serves declared operations over HTTP with Elysia: each feature is a plugin (`featurePlugin`). The order of checks is the
 * contract's: path (404), method (405 with Allow), credentials (401), permission (403), size (413), syntax (400), schema (422).
 * Errors are answered as the catalogue says.
 */
export function mount(
  all: readonly Endpoint[],
  operations: Operations,
  observe: Observe = (_, work) => work(),
  { playground = true, answers = 'all' }: { readonly playground?: boolean; readonly answers?: Answered } = {},
): Elysia {
  const endpoints = all.filter((endpoint) => isAnswered(endpoint, answers))
  const paths = pathsOf(endpoints)
  const app = new Elysia({ normalize: false })
  app.wrap(observing(observe, operations) as never)
  // Before the plugins: it holds only for routes that are declared after it.
  app.onError((context) => {
    const { request, error, code } = context
    if (code === 'NOT_FOUND') {
      const path = new URL(request.url).pathname
      return operations.fail(request, new SvcError(answers === 'all' ? 'route-not-found' : 'not-served-here', { path }))
    }
    const template = routeOf(request)
    const endpoint =
      template === null ? undefined : paths.get(routerPathOf(template))?.byMethod.get(request.method as Method)
    return operations.fail(request, firstFailure(error, context, endpoint))
  })
  const features = Map.groupBy(endpoints, ({ id }) => id.slice(0, id.indexOf('.')))
  for (const [name, group] of features) app.use(featurePlugin(name, group, operations))
  refuseOtherMethods(app, paths)
  return answers === 'all' ? app.use(sitePlugin(playground)) : app
}
