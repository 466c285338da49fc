/**
 * The operations that the application calls, answered from memory in the shapes of the contracts: what a browser test
 * needs to stand on, and nothing of the service itself. Ids, times and texts are fixed.
 */
import trainTravel from '@readme/oas-examples/3.1/json/train-travel.json'
import type { ApiKeyRecord } from '../../src/api/application.ts'
import { endpoints } from '../../src/api/contracts.gen.ts'
import type { Identity } from '../../src/api/auth.ts'
import type { WizardState } from '../../src/api/onboarding.ts'
import { permissionGrid, type Role, roleHolds, type Permission } from '../../src/api/permissions.ts'
import type { VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import type { Web } from '../../server/web/serve.ts'
import {
  agentKeys,
  at,
  auditEvents,
  license,
  changes,
  findings,
  grade,
  key,
  members,
  operations,
  projects,
  user,
  versions,
} from './fake-data.ts'

export const goodPassword = 'correct horse battery'
export const setupToken = 'set-up-token'
export const csrf = 'csrf-of-the-session'

/** What the state of one fake is, for a test to look at and to turn. */
export interface State {
  claimed: boolean
  signedIn: boolean
  role: Role
  keys: ApiKeyRecord[]
  wizard: WizardState | null
  /** Operations that are refused with this code instead of answered. */
  readonly refusals: Map<string, SvcError>
  readonly calls: { readonly id: string; readonly csrf: string | null; readonly body: unknown }[]
}

const page = <T>(
  all: readonly T[],
  query: URLSearchParams,
): { items: T[]; total: number; limit: number; offset: number } => {
  const limit = Number(query.get('limit') ?? 50)
  const offset = Number(query.get('offset') ?? 0)
  return { items: all.slice(offset, offset + limit), total: all.length, limit, offset }
}

type Given = {
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}
type Answerer = (state: State, given: Given) => unknown

const identity = (state: State): Identity => ({
  kind: 'user',
  user,
  key: null,
  memberships: [
    {
      tenant_id: 't1',
      slug: 'acme',
      name: 'Acme',
      role: state.role,
      status: 'active',
      permissions: (Object.keys(permissionGrid) as Permission[]).filter((it) => roleHolds(state.role, it)),
    },
  ],
})
const session = (state: State) => ({
  claimed: state.claimed,
  user: state.signedIn ? user : null,
  csrf_token: state.signedIn ? csrf : null,
})
const versionOf = (ref: string | undefined): VersionRecord => {
  const found = versions.find((it) => it.slug === ref)
  if (!found) throw new SvcError('version-not-found', { version: ref ?? '', project: 'train-travel' })
  return found
}
const keyOf = (state: State, id: string | undefined): ApiKeyRecord => {
  const found = state.keys.find((it) => it.id === id)
  if (!found) throw new SvcError('api-key-not-found', { key: id ?? '' })
  return found
}
const contains = (text: string, query: URLSearchParams): boolean =>
  text.toLowerCase().includes((query.get('q') ?? '').toLowerCase())

const answerers: Record<string, Answerer> = {
  'app.session': session,
  'app.login': (state, { body }) => {
    if (body['password'] !== goodPassword)
      throw new SvcError('credentials-invalid', { reason: 'e-mail address or password is wrong' })
    state.signedIn = true
    return session(state)
  },
  'app.claim': (state, { body }) => {
    if (body['token'] !== setupToken) throw new SvcError('setup-token-invalid')
    state.claimed = true
    state.signedIn = true
    return session(state)
  },
  'app.logout': (state) => {
    state.signedIn = false
    return null
  },
  'app.invitation': (_, { body }) => ({
    email: 'grace@example.com',
    tenant_name: 'Acme',
    role: 'editor',
    has_account: body['token'] === 'known',
  }),
  'app.invitation.accept': (state) => {
    state.signedIn = true
    return session(state)
  },
  'onboarding.wizard-state.get': (state) => state.wizard,
  'onboarding.wizard-state.put': (state, { body }) => {
    state.wizard = {
      step: String(body['step']),
      org_name: (body['org_name'] ?? null) as string | null,
      slug: (body['slug'] ?? null) as string | null,
      updated_at: at,
    }
    return null
  },
  'onboarding.wizard-state.delete': (state) => {
    state.wizard = null
    return null
  },
  'onboarding.first-tenant': (_, { body }) => {
    if (body['slug'] === 'taken') throw new SvcError('tenant-slug-taken', { slug: 'taken' })
    return {
      tenant: { id: 't2', slug: 'acme', name: String(body['name']), plan: null, created_at: at },
      sample_project_id: 'p1',
    }
  },
  'auth.me': identity,
  'projects.list': (_, { query }) =>
    page(
      projects.filter((it) => contains(it.name + it.slug, query)),
      query,
    ),
  'projects.get': (_, { params }) => {
    const found = projects.find((it) => it.slug === params['project_ref'])
    if (!found) throw new SvcError('project-not-found', { project: params['project_ref'] ?? '' })
    return found
  },
  'versions.list': (_, { query, params }) => page(params['project_ref'] === 'train-travel' ? versions : [], query),
  'versions.get': (_, { params }) => versionOf(params['version_ref']),
  'versions.operations': (_, { query }) =>
    page(
      operations.filter((it) => contains(it.path + it.summary, query)),
      query,
    ),
  'versions.document': () => JSON.stringify(trainTravel, null, 2),
  'versions.publish-readiness': () => ({
    ready: true,
    gates: [
      { id: 'document-valid', status: 'pass', message: 'The document is valid.', evidence_url: null },
      { id: 'breaking-guardrail', status: 'warn', message: '2 breaking changes since 1.1.0.', evidence_url: null },
      { id: 'compat', status: 'unknown', message: 'One change could not be decided.', evidence_url: null },
      { id: 'approval', status: 'skipped', message: 'There are no reviews here.', evidence_url: null },
    ],
  }),
  'versions.publish': (_, { params }) => ({ version: versionOf(params['version_ref']), gates: [] }),
  'documents.openapi': () => trainTravel,
  'lint.version': () => ({ version_id: 'v', guide: 'recommended', grade, findings }),
  'diff.classified': () => ({
    changes,
    counts: { breaking: 2, 'non-breaking': 1, 'docs-only': 1 },
    maxSeverity: 'breaking',
    base: { kind: 'stored', project_id: 'p1', version_id: 'v1', label: '1.1.0', digest: 'x' },
    head: { kind: 'stored', project_id: 'p1', version_id: 'v2', label: '2.0.0', digest: 'y' },
    consumers: null,
  }),
  'app.api-keys.list': (state, { query }) =>
    page(
      state.keys.filter((it) => contains(it.name, query)),
      query,
    ),
  'app.api-keys.create': (state, { body }) => {
    const made = key(`k${state.keys.length + 1}`, String(body['name']), { scopes: body['scopes'] as string[] })
    state.keys = [made, ...state.keys]
    return { ...made, key: 'svk_0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s' }
  },
  'app.api-keys.update': (state, { params, body }) => {
    const found = keyOf(state, params['key_id'])
    const enabled = body['enabled'] === true
    const changed: ApiKeyRecord = { ...found, enabled, status: enabled ? 'active' : 'disabled' }
    state.keys = state.keys.map((it) => (it.id === found.id ? changed : it))
    return changed
  },
  'app.api-keys.delete': (state, { params }) => {
    const found = keyOf(state, params['key_id'])
    state.keys = state.keys.filter((it) => it !== found)
    return null
  },
  'agent-keys.list': (_, { query }) => page(agentKeys, query),
  'agent-keys.create': (_, { body }) => ({
    ...agentKeys[0],
    label: String(body['label']),
    key: 'sva_0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s',
  }),
  'tenants.license': () => license,
  'tenants.audit': (_, { query }) => page(auditEvents, query),
  'tenants.update': (_, { body }) => ({ slug: 'acme', name: body['name'] }),
  'auth.password': () => null,
  'members.list': (_, { query }) =>
    page(
      members.filter((it) => contains(it.name + it.email, query)),
      query,
    ),
  'invitations.list': () => ({ items: [], total: 0, limit: 50, offset: 0 }),
}

const patterns = endpoints
  .map((endpoint) => ({
    endpoint,
    literal: endpoint.path.replaceAll(/\{\w+\}/g, '').length,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  .toSorted((a, b) => b.literal - a.literal)

const reply = async (state: State, request: Request): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url)
  for (const { endpoint, pattern } of patterns) {
    const match = endpoint.method === request.method ? pattern.exec(pathname) : null
    const answerer = match && answerers[endpoint.id]
    if (!answerer) continue
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    const body = (await request.json().catch(() => ({}))) as Record<string, unknown>
    const token = request.headers.get('x-csrf-token')
    state.calls.push({ id: endpoint.id, csrf: token, body })
    try {
      const refusal = state.refusals.get(endpoint.id)
      if (refusal) throw refusal
      if (!('anonymous' in endpoint.access) && !state.signedIn) throw new SvcError('credentials-missing')
      if (!('anonymous' in endpoint.access) && endpoint.method !== 'GET' && token !== csrf)
        throw new SvcError('csrf-token-invalid')
      const answer = answerer(state, { params, query: searchParams, body })
      if (endpoint.status === 204 || answer === null) return new Response(null, { status: 204 })
      return typeof answer === 'string'
        ? new Response(answer)
        : Response.json(answer, { status: endpoint.status ?? 200 })
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      const { code, message, status, detail } = error
      return Response.json({ detail: { code, message, ...(detail as object) } }, { status })
    }
  }
  return Response.json({ detail: { code: 'route-not-found', message: `No ${pathname}` } }, { status: 404 })
}

/** Starts a fake on a free port of the loopback interface. The caller stops it. */
export const startFake = (web: Web): { server: ReturnType<typeof Bun.serve>; state: State; reset: () => void } => {
  const fresh = (): Omit<State, 'refusals' | 'calls'> => ({
    claimed: true,
    signedIn: true,
    role: 'owner',
    wizard: null,
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
