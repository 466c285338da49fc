/**
 * The operations that the application calls, answered from memory in the shapes of the contracts: what a browser test
 * needs to stand on, and nothing of the service itself. Ids, times and texts are fixed.
 */
import { endpoints } from '../../src/api/contracts.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Web } from '../../server/web/serve.ts'
import { answerers, csrf, type State } from './fake-answers.ts'
import { at, gates, key, mcpKeys } from './fake-data.ts'

const patterns = endpoints
  .map((endpoint) => ({
    endpoint,
    literal: endpoint.path.replaceAll(/\{\w+\}/g, '').length,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  .toSorted((a, b) => b.literal - a.literal)

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return text === '' ? {} : { text }
  }
}

const reply = async (state: State, request: Request): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url)
  for (const { endpoint, pattern } of patterns) {
    const match = endpoint.method === request.method ? pattern.exec(pathname) : null
    const answerer = match && answerers[endpoint.id]
    if (!answerer) continue
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    const text = await request.text()
    const body = parsed(text)
    const token = request.headers.get('x-csrf-token')
    state.calls.push({ id: endpoint.id, csrf: token, body })
    try {
      const refusal = state.refusals.get(endpoint.id)
      if (refusal) throw refusal
      if (!('anonymous' in endpoint.access) && !state.signedIn) throw new SvcError('credentials-missing')
      if (!('anonymous' in endpoint.access) && endpoint.method !== 'GET' && token !== csrf)
        throw new SvcError('csrf-token-invalid')
      const answer = answerer(state, { params, query: searchParams, body, headers: request.headers })
      if (endpoint.status === 204 || answer === null) return new Response(null, { status: 204 })
      return typeof answer === 'string'
        ? new Response(answer, { headers: { etag: `"${Bun.hash(answer)}"`, 'content-type': 'application/json' } })
        : Response.json(answer, { status: endpoint.status ?? 200 })
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      const { code, message, status, detail } = error
      return Response.json({ detail: { code, message, ...detail } }, { status })
    }
  }
  return Response.json({ detail: { code: 'route-not-found', message: `No ${pathname}` } }, { status: 404 })
}

/** Starts a fake on a free port of the loopback interface. The caller stops it. */
export const startFake = (web: Web): { server: ReturnType<typeof Bun.serve>; state: State; reset: () => void } => {
  const fresh = (): Omit<State, 'refusals' | 'calls'> => ({
    signedIn: true,
    role: 'owner',
    wizard: null,
    gates,
    document: null,
    issuer: null,
    mcpKeys,
    rules: {},
    capabilities: { ceiling: ['ping', 'project.list', 'spec.list', 'spec.export'], defaults: ['ping', 'spec.list'] },
    claimed: true,
    keys: [
      key('k1', 'pipeline', {
        scopes: ['diff:read', 'lint:read'],
        expires_at: '2026-12-01T00:00:00.000Z',
        expires_soon: true,
      }),
      key('k2', 'old', { status: 'expired', expires_at: '2026-10-01T00:00:00.000Z', last_used_at: at }),
    ],
  })
  const state: State = { ...fresh(), refusals: new Map(), calls: [] }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => web.serve(request) ?? reply(state, request),
  })
  const reset = (): void => {
    Object.assign(state, fresh())
    state.refusals.clear()
    state.calls.length = 0
  }
  return { server, state, reset }
}
