import { SvcError } from '../../src/errors.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { projectIn, projectWayOf } from '../../src/api/project-access.ts'
import { withinProjects } from '../../db/limits.ts'
import type { Gatekeeper, Grant } from '../auth/door.ts'
import type { Context, Route } from './handler.ts'
import { type AddressedRequest, readRequest, type ReadRequest } from './read-request.ts'
import { requestIdOf } from './request-id.ts'
import { wantsPage } from './wants-page.ts'
import { answerFailure, answerResult, finishAnswer } from './write-response.ts'

/** Operations whose code is loaded by the first call of one of them. */
export interface Feature {
  /** Whether the operation of this id belongs to it. */
  readonly has: (id: string) => boolean
  readonly load: () => Promise<readonly Route[]>
}

/** A feature of routes that are loaded already. */
export const featureOf = (routes: readonly Route[]): Feature => ({
  has: (id) => routes.some(({ endpoint }) => endpoint.id === id),
  load: () => Promise.resolve(routes),
})

export interface OperationsOptions {
  readonly gatekeeper: Gatekeeper
  /** Called with every fault: something thrown that is not a `SvcError`. */
  readonly onFault: (fault: unknown, requestId: string) => void
}

/** As nginx says it in its log; nobody receives it. */
const clientGone = 499

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new SvcError('request-malformed', { reason: `the path segment "${segment}" is not valid percent-encoding` })
  }
}

/** The name of the placeholder of each segment of a path template; null for a segment that is not one. */
export const placeholdersOf = (template: string): readonly (string | null)[] =>
  template.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1] ?? null)

/** Whether a placeholder at the end of a path takes the slashes that follow too. */
export const isRest = (name: string | null): boolean => name?.endsWith('_path') === true

/**
 * The values of the placeholders of a path.
 * @throws SvcError `request-malformed` for a segment that is not valid percent-encoding
 */
export function paramsOf(names: readonly (string | null)[], pathname: string): Record<string, string> {
  const params: Record<string, string> = {}
  const segments = pathname.split('/')
  for (const [index, name] of names.entries()) {
    if (name === null) continue
    // A path of its own takes all segments that are left.
    const own = isRest(name) ? segments.slice(index) : [segments[index] ?? '']
    params[name] = own.map(decodeSegment).join('/')
  }
  return params
}

/** The tenant that a person names where the path has none; it never widens what credentials reach. */
function tenantInQuery({ query }: Endpoint, url: URL): string | null {
  if (query?.properties.tenantSlug === undefined) return null
  const named = url.searchParams.get('tenantSlug')
  return named === '' ? null : named
}

/** The operations of a service, over HTTP and in this process: the same checks, in the same order. */
export class Operations {
  readonly #features: readonly Feature[]
  readonly #options: OperationsOptions
  readonly #loaded = new Map<Feature, Promise<ReadonlyMap<string, Route>>>()

  constructor(features: readonly Feature[], options: OperationsOptions) {
    this.#features = features
    this.#options = options
  }

  #routesOf(feature: Feature): Promise<ReadonlyMap<string, Route>> {
    const known = this.#loaded.get(feature)
    if (known !== undefined) return known
    const loading = feature.load().then((routes) => new Map(routes.map((route) => [route.endpoint.id, route])))
    this.#loaded.set(feature, loading)
    return loading
  }

  async #routeOf({ id }: Endpoint): Promise<Route> {
    const feature = this.#features.find((it) => it.has(id))
    const route = feature && (await this.#routesOf(feature)).get(id)
    if (!route) throw new Error(`The operation ${id} has no handler`)
    return route
  }

  /** Loads the code of all features, so that no request waits for it, and returns the ids of their operations. */
  async load(): Promise<readonly string[]> {
    const loaded = await Promise.all(this.#features.map((feature) => this.#routesOf(feature)))
    return loaded.flatMap((routes) => [...routes.keys()])
  }

  /**
   * Lets the sender of a request reach an operation: credentials (401), then permission (403).
   * @throws SvcError what the operation answers
   */
  async admit(endpoint: Endpoint, { request, url, params }: AddressedRequest): Promise<Grant> {
    const { gatekeeper } = this.#options
    const { access } = endpoint
    const takesCredentials = access.anonymous !== true || access.credentials === 'optional'
    const queryKey = endpoint.query?.properties.api_key !== undefined
    const principal = takesCredentials ? await gatekeeper.authenticate(request, { queryKey }) : null
    return gatekeeper.authorize(principal, access, {
      tenant: params.tenant_slug ?? tenantInQuery(endpoint, url),
      way: projectWayOf(endpoint),
      project: projectIn(params),
    })
  }

  /** Calls the handler of an operation with input that was checked, and answers with its result. */
  async answer(
    endpoint: Endpoint,
    { request, grant, input, mediaType }: ReadRequest & { readonly request: Request; readonly grant: Grant },
  ): Promise<Response> {
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
    const { handle } = await this.#routeOf(endpoint)
    const work = async () => answerResult(endpoint, await handle(input as never, context), request)
    return finishAnswer(request, await withinProjects(grant.projects ?? null, work))
  }

  /**
   * The answer to a request that failed: an `SvcError` as the catalogue says; anything else, and what has the status 500, is reported, but for what ended because
   * the caller is gone: nobody reads that answer, and strangers must not fill the log of faults.
   */
  async fail(request: Request, error: unknown): Promise<Response> {
    if (request.signal.aborted && (error as Error | null)?.name === 'AbortError')
      return finishAnswer(request, new Response(null, { status: clientGone }))
    if (!(error instanceof SvcError) || error.status === 500) this.#options.onFault(error, requestIdOf(request))
    const failure =
      error instanceof SvcError && wantsPage(request)
        ? await (await import('../web/door.ts')).failurePage(error, request)
        : answerFailure(request, error)
    return finishAnswer(request, failure)
  }

  /** Answers a request to one operation in this process: the checks of a request over HTTP, in the same order. */
  async respond(endpoint: Endpoint, request: Request): Promise<Response> {
    try {
      const url = new URL(request.url)
      const addressed = { request, url, params: paramsOf(placeholdersOf(endpoint.path), url.pathname) }
      const grant = await this.admit(endpoint, addressed)
      return await this.answer(endpoint, { request, grant, ...(await readRequest(endpoint, addressed)) })
    } catch (error) {
      return this.fail(request, error)
    }
  }
}
