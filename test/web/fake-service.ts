/**
 * The operations that the application calls, answered from memory: what a browser test needs, and nothing of the
 * service itself. Every answer is checked against the schema that the operation declares. Ids, times and texts are fixed.
 */
import { FormatRegistry, type TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { endpoints } from '../../src/api/contracts.gen.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
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

FormatRegistry.Set('date-time', (text) => !Number.isNaN(Date.parse(text)) && text.includes('T'))
FormatRegistry.Set('uri', (text) => URL.canParse(text))

/** Compiled once: lists of hundreds of rows are answered often. */
const checks = new Map<Endpoint, TypeCheck<TSchema>>()
const checkOf = (endpoint: Endpoint): TypeCheck<TSchema> => {
  const check = checks.get(endpoint) ?? TypeCompiler.Compile(endpoint.response)
  checks.set(endpoint, check)
  return check
}

/** Where an answer is not what the operation declares; null where it is. Documents and reports are handed out as they are. */
const violationOf = (endpoint: Endpoint, answer: unknown): string | null => {
  if (endpoint.status === 204 || endpoint.verbatim === true || answer === null || typeof answer === 'string')
    return null
  const error = checkOf(endpoint).Errors(answer).First()
  return error ? `${endpoint.id} ${error.path}: ${error.message}, not ${JSON.stringify(error.value)}` : null
}

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
    await state.held.get(endpoint.id)
    try {
      const refusal = state.refusals.get(endpoint.id)
      if (refusal) throw refusal
      if (!('anonymous' in endpoint.access) && !state.signedIn) throw new SvcError('credentials-missing')
      if (!('anonymous' in endpoint.access) && endpoint.method !== 'GET' && token !== csrf)
        throw new SvcError('csrf-token-invalid')
      const answer = answerer(state, { params, query: searchParams, body, headers: request.headers })
      const wrong = violationOf(endpoint, answer)
      if (wrong !== null) {
        state.violations.push(wrong)
        return new Response(wrong, { status: 500 })
      }
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
  const fresh = (): Omit<State, 'refusals' | 'calls' | 'violations' | 'held'> => ({
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
  const state: State = { ...fresh(), refusals: new Map(), calls: [], violations: [], held: new Map() }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => web.serve(request) ?? reply(state, request),
  })
  const reset = (): void => {
    Object.assign(state, fresh())
    state.refusals.clear()
    state.held.clear()
    state.calls.length = 0
    state.violations.length = 0
  }
  return { server, state, reset }
}
