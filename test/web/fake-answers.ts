/** How the fake service answers each operation that the application calls. */
import trainTravel from '@readme/oas-examples/3.1/json/train-travel.json'
import type { ApiKeyRecord } from '../../src/api/application.ts'
import type { Identity } from '../../src/api/auth.ts'
import type { McpCapabilities, McpKeyRecord } from '../../src/api/mcp-keys.ts'
import type { MigrationPlan } from '../../src/api/migration-plans.ts'
import type { WizardState } from '../../src/api/onboarding.ts'
import { permissionGrid, type Role, roleHolds, type Permission } from '../../src/api/permissions.ts'
import type { Gate, VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import {
  agentKeys,
  at,
  auditEvents,
  changes,
  findings,
  grade,
  invitations,
  key,
  license,
  members,
  operations,
  projects,
  tenant,
  user,
  versions,
} from './fake-data.ts'
import { styleGuideAnswerers } from './fake-style-guides.ts'
import { governance } from './fake-governance.ts'

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
  /** Name of the issuer that people sign in at. */
  issuer: string | null
  /** The gates of the draft. */
  gates: readonly Gate[]
  /** The draft's document, where it is not the sample. */
  document: string | null
  mcpKeys: readonly McpKeyRecord[]
  /** Migration rules of the class Passenger. */
  rules: MigrationPlan['rules']
  capabilities: McpCapabilities
  /** Operations that are refused with this code instead of answered. */
  readonly refusals: Map<string, SvcError>
  /** Operations that are answered only once this is over. */
  readonly held: Map<string, Promise<void>>
  /** Answers that were not what their operation declares. */
  readonly violations: string[]
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

export type Given = {
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
  readonly headers: Headers
}
export type Answerer = (state: State, given: Given) => unknown

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
const mcpKeyOf = (state: State, id: string | undefined): McpKeyRecord => {
  const found = state.mcpKeys.find((it) => it.id === id)
  if (!found) throw new SvcError('api-key-not-found', { key: id ?? '' })
  return found
}
const sample = JSON.stringify(trainTravel, null, 2)
const contains = (text: string, query: URLSearchParams): boolean =>
  text.toLowerCase().includes((query.get('q') ?? '').toLowerCase())

export const answerers: Record<string, Answerer> = {
  ...styleGuideAnswerers,
  ...governance,
  'app.session': session,
  'app.sign-in-methods': ({ issuer }) => ({
    password: true,
    oidc: issuer === null ? null : { name: issuer, start_url: '/_app/oidc/start' },
  }),
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
  'versions.document': (state) => state.document ?? sample,
  'versions.put-document': (state, { params, body, headers }) => {
    const now = `"${Bun.hash(state.document ?? sample)}"`
    const expected = headers.get('if-match') ?? ''
    if (expected !== now) throw new SvcError('document-changed', { expected, actual: now })
    state.document = typeof body['text'] === 'string' ? body['text'] : JSON.stringify(body)
    return versionOf(params['version_ref'])
  },
  'versions.publish-readiness': ({ gates }) => ({ ready: gates.every((it) => it.status !== 'fail'), gates }),
  'versions.deprecate': (_, { params }) => versionOf(params['version_ref']),
  'versions.retire': (_, { params }) => versionOf(params['version_ref']),
  'versions.update': (_, { params }) => versionOf(params['version_ref']),
  'versions.remove': () => null,
  'versions.create': () => versionOf('2.0.0'),
  'versions.publish': (_, { params }) => ({ version: versionOf(params['version_ref']), gates: [] }),
  'documents.openapi': () => trainTravel,
  'lint.version': () => ({
    version_id: 'v',
    guide: 'svc:recommended',
    guide_id: 'svc-recommended',
    grade,
    findings,
    unmatched_rules: ['oas3-server-variables'],
    skipped_rules: [{ code: 'own-check', reason: 'its function is JavaScript, which a server does not run' }],
  }),
  'diff.classified': () => ({
    changes,
    counts: { breaking: 2, 'non-breaking': 1, 'docs-only': 1 },
    maxSeverity: 'breaking',
    base: {
      kind: 'stored',
      project_id: 'p1',
      version_id: 'v1',
      label: '1.1.0',
      document_version: '1.1.0',
      digest: 'x',
    },
    head: {
      kind: 'stored',
      project_id: 'p1',
      version_id: 'v2',
      label: '2.0.0',
      document_version: '2.0.0',
      digest: 'y',
    },
    consumers: {
      counts: { broken: 1, unknown: 0, touched: 0, unaffected: 0 },
      consumers: [
        {
          handle: 'ticket-app',
          name: 'Ticket app',
          revision: 2,
          declared_against: '1.1.0',
          status: 'broken',
          reasons: [],
          changes: ['c1'],
        },
      ],
    },
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
    const enabled = body['enabled'] === undefined ? found.enabled : body['enabled'] === true
    const name = String(body['name'] ?? found.name)
    const changed: ApiKeyRecord = { ...found, name, enabled, status: enabled ? 'active' : 'disabled' }
    state.keys = state.keys.map((it) => (it.id === found.id ? changed : it))
    return changed
  },
  'app.api-keys.rotate': (state, { params }) => {
    const found = keyOf(state, params['key_id'])
    const made = key(`k${state.keys.length + 1}`, found.name, { scopes: found.scopes, replaces_id: found.id })
    state.keys = [made, ...state.keys]
    return { ...made, key: 'svk_0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s' }
  },
  'app.api-keys.delete': (state, { params }) => {
    const found = keyOf(state, params['key_id'])
    state.keys = state.keys.filter((it) => it !== found)
    return null
  },
  'agent-keys.list': (_, { query }) => page(agentKeys, query),
  'agent-keys.revoke': () => null,
  'agent-keys.create': (_, { body }) => ({
    ...agentKeys[0],
    label: String(body['label']),
    key: 'sva_0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s',
  }),
  'mcp-keys.list': (state, { query }) => page(state.mcpKeys, query),
  'mcp-keys.create': (state, { body }) => {
    const [first] = state.mcpKeys
    const made = { ...first, id: 'm9', label: String(body['label']), mode: 'inherit' } as McpKeyRecord
    state.mcpKeys = [made, ...state.mcpKeys]
    return { ...made, key: 'svm_0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s' }
  },
  'mcp-keys.capabilities': (state, { params, body }) => {
    const found = mcpKeyOf(state, params['key_id'])
    const tools = (body['tools'] ?? []) as string[]
    const changed = { ...found, tools, effective_tools: tools, mode: body['mode'] } as McpKeyRecord
    state.mcpKeys = state.mcpKeys.map((it) => (it === found ? changed : it))
    return changed
  },
  'mcp-keys.delete': (state, { params }) => {
    const found = mcpKeyOf(state, params['key_id'])
    state.mcpKeys = state.mcpKeys.filter((it) => it !== found)
    return null
  },
  'mcp-capabilities.get': ({ capabilities }) => capabilities,
  'mcp-capabilities.put': (state, { body }) => (state.capabilities = body as unknown as McpCapabilities),
  'app.device.lookup': (_, { body }) => {
    if (body['user_code'] !== 'BCDF-GHJK') throw new SvcError('device-code-unknown')
    return { user_code: 'BCDF-GHJK', client_name: 'svc', address: '127.0.0.1', created_at: at, expires_at: at }
  },
  'app.device.decide': (_, { body }) => ({ status: body['approve'] === true ? 'approved' : 'denied' }),
  'tenants.get': () => tenant,
  'tenants.delete': () => null,
  'tenants.license': () => license,
  'tenants.audit': (_, { query }) => {
    const kind = (query.get('action') ?? '').replace('*', '')
    const actor = query.get('actor')
    return page(
      auditEvents.filter((it) => it.action.startsWith(kind) && (actor === null || it.actor_id === actor)),
      query,
    )
  },
  'tenants.update': (_, { body }) => ({ ...tenant, name: String(body['name']) }),
  'auth.password': () => null,
  'members.list': (_, { query }) =>
    page(
      members.filter((it) => contains(it.name + it.email, query)),
      query,
    ),
  'members.update': () => members[1],
  'members.remove': () => null,
  'invitations.list': (_, { query }) => page(invitations, query),
  'invitations.create': () => ({ ...invitations[0], token: 'invitation-token' }),
  'invitations.delete': () => null,
}
