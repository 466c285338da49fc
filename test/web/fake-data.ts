/** The fixed content of the fake service: shapes of the contracts, ids, times and texts that never change. */
import trainTravel from '@readme/oas-examples/3.1/json/train-travel.json'
import type { AgentKeyRecord } from '../../src/api/agent-keys.ts'
import type { ApiKeyRecord } from '../../src/api/application.ts'
import type { McpKeyRecord } from '../../src/api/mcp-keys.ts'
import type { InvitationRecord, MemberRecord } from '../../src/api/members.ts'
import type { ProjectRecord } from '../../src/api/projects.ts'
import type { AuditRecord, TenantInfo, TenantLicense } from '../../src/api/tenants.ts'
import type { Gate, VersionRecord } from '../../src/api/versions.ts'

export const at = '2026-11-01T09:30:00.000Z'
export const user = { id: 'u1', email: 'ada@example.com', name: 'Ada Lovelace' }

const version = (label: string, status: VersionRecord['status'], grade: string | null): VersionRecord => ({
  id: `v-${label}`,
  project_id: 'p1',
  joined: [],
  project_slug: 'train-travel',
  label,
  slug: label,
  status,
  visibility: 'private',
  title: 'Train Travel API',
  format: { kind: 'openapi', version: '3.1' },
  digest: `sha256:${'0'.repeat(64)}`,
  size_bytes: 45_678,
  grade,
  score: grade === null ? null : 87.4,
  operations_count: 1200,
  classes_count: 7,
  provenance: {
    source: 'train-travel.yaml',
    digest: `sha256:${'0'.repeat(64)}`,
    importer: 'openapi',
    imported_at: at,
    commit: status === 'draft' ? 'c0ffee0000000000000000000000000000000000' : null,
    warnings:
      status === 'draft'
        ? [{ code: 'format-lost', message: 'The format "money" has no meaning in 3.1.', pointer: '/components' }]
        : [],
  },
  created_by: 'user:u2',
  created_at: at,
  updated_at: at,
  published_at: status === 'draft' ? null : at,
  deprecated_at: status === 'deprecated' ? at : null,
  sunset_at: status === 'deprecated' ? '2027-06-01T00:00:00.000Z' : null,
  replacement: null,
  urls: { document: `/v1/schema/acme/train-travel/${label}`, page: `/v1/swagger/acme/train-travel/${label}` },
})

export const versions = [
  version('2.0.0', 'draft', 'B'),
  version('1.1.0', 'published', 'A'),
  version('1.0.0', 'deprecated', 'F'),
]

const project = (index: number): ProjectRecord => ({
  id: `p${index}`,
  slug: index === 1 ? 'train-travel' : `api-${index}`,
  name: index === 1 ? 'Train Travel API' : `Service number ${index}`,
  description: index % 2 === 0 ? 'What it is for, in one sentence.' : null,
  created_at: at,
  updated_at: at,
  versions_count: index === 1 ? 3 : 0,
  published_versions_count: index === 1 ? 1 : 0,
  latest_version: index === 1 ? (versions[1] ?? null) : null,
})
export const projects = Array.from({ length: 120 }, (_, index) => project(index + 1))

const documented = Object.entries(trainTravel.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, it]) =>
    typeof it === 'object' && 'operationId' in it
      ? [{ method: method.toUpperCase(), path, operation_id: String(it.operationId), summary: String(it.summary) }]
      : [],
  ),
)
export const operations = Array.from({ length: 1200 }, (_, index) => {
  const it = documented[index] ?? {
    method: ['GET', 'POST', 'PATCH', 'DELETE'][index % 4] ?? 'GET',
    path: `/resource-${index}/{id}`,
    operation_id: `operation${index}`,
    summary: `Does the thing number ${index}`,
  }
  return { ...it, ref: `${it.method} ${it.path}`, tags: ['All'], deprecated: index % 9 === 0 }
})

const place = { start: { line: 3, character: 2 }, end: { line: 3, character: 9 } }
export const findings = Array.from({ length: 340 }, (_, index) => ({
  code: index === 0 ? 'no-server-trailing-slash' : 'operation-description',
  severity: index === 0 ? ('error' as const) : ('warning' as const),
  message: index === 0 ? 'The server URL ends with a slash.' : `The operation has no description.`,
  path: ['paths', `/resource-${index}`],
  pointer: `/paths/~1resource-${index}`,
  source: 'train-travel.yaml',
  range: { start: { line: index * 3, character: 2 }, end: { line: index * 3, character: 9 } },
  fingerprint: `f${index}`,
  documentationUrl: null,
  fix: index === 0 ? { description: 'Take the slash away.', edits: [] } : null,
}))
export const grade = {
  grade: 'B' as const,
  score: 87.4,
  cap: null,
  counts: { error: 1, warning: 339, info: 0, hint: 0 },
  deductions: [
    { code: 'operation-description', severity: 'warning' as const, hits: 339, targets: 1200, points: 3 },
    { code: 'no-server-trailing-slash', severity: 'error' as const, hits: 1, targets: 2, points: 9.6 },
  ],
}

const change = {
  id: 'response-property-removed',
  severity: 'breaking' as const,
  classification: 'breaking' as const,
  method: 'GET',
  path: '/stations',
  direction: 'response' as const,
  base: { pointer: '/paths/~1stations', range: place },
  head: null,
  before: 'string',
  after: null,
  message: 'The response no longer has the property "timezone".',
  witness: { value: { id: 's1' }, acceptedBy: 'head', reason: 'it has no timezone' },
  operations: ['GET /stations', 'GET /trips'],
  consumers: ['ticket-app'],
  fingerprint: 'c1',
}
export const changes = [
  change,
  {
    ...change,
    id: 'request-pattern-changed',
    classification: 'unknown' as const,
    direction: 'request' as const,
    message: 'The pattern changed; which values it takes now cannot be decided.',
    before: '^a+$',
    after: '^(a|b)+$',
    witness: null,
    operations: ['POST /bookings'],
    consumers: [],
    fingerprint: 'c2',
  },
  {
    ...change,
    id: 'operation-added',
    severity: 'non-breaking' as const,
    classification: 'safe' as const,
    method: 'POST',
    path: '/refunds',
    direction: null,
    message: 'The operation was added.',
    before: null,
    after: null,
    witness: null,
    operations: ['POST /refunds'],
    consumers: [],
    fingerprint: 'c3',
  },
  {
    ...change,
    id: 'description-changed',
    severity: 'docs-only' as const,
    classification: 'safe' as const,
    method: null,
    path: null,
    direction: null,
    message: 'The description changed.',
    before: 'Old words.',
    after: 'New words.',
    witness: null,
    operations: [],
    consumers: [],
    fingerprint: 'c4',
  },
]

export const key = (id: string, name: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id,
  name,
  description: '',
  prefix: 'svk_0a1b2c3d',
  scopes: ['*'],
  status: 'active',
  enabled: true,
  expires_soon: false,
  replaces_id: null,
  created_by: 'u1',
  created_at: at,
  expires_at: null,
  last_used_at: null,
  ...more,
})

export const members: MemberRecord[] = [
  { user_id: 'u1', email: user.email, name: user.name, role: 'owner', status: 'active', created_at: at },
  {
    user_id: 'u2',
    email: 'grace@example.com',
    name: 'Grace Hopper',
    role: 'editor',
    status: 'suspended',
    created_at: at,
  },
]

export const agentKeys: AgentKeyRecord[] = [
  {
    id: 'a1',
    label: 'reader',
    prefix: 'sva_0a1b2c3d',
    toolset: 'catalog-read',
    tools: ['ping', 'project.list', 'spec.list'],
    status: 'active',
    created_by: 'u1',
    created_at: at,
    expires_at: '2026-12-01T00:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
  },
]

const none = { used: 0, max: null }
export const license: TenantLicense = {
  plan: { slug: 'team', name: 'Team', status: 'active', attached_at: at, renews_at: null },
  seats: { used: 2, pending: 1, max: 25 },
  quotas: {
    projects: { used: 100, max: 100 },
    versions: none,
    storage_bytes: { used: 45_000_000, max: 20_000_000_000 },
    repositories: none,
    webhooks: none,
    api_keys: { used: 2, max: 50 },
    mcp_keys: none,
    polls_per_hour: { used: 0, max: 600 },
  },
  features: [{ key: 'sso', label: 'Single sign-on', enabled: false }],
}

export const auditEvents: AuditRecord[] = Array.from({ length: 120 }, (_, index) => ({
  id: `e${index}`,
  actor_kind: 'user',
  actor_id: index % 2 === 0 ? 'u1' : 'u2',
  actor_name: index % 2 === 0 ? 'Ada Lovelace' : 'Grace Hopper',
  action: index % 3 === 0 ? 'member.suspended' : 'api-key.created',
  target_id: 'u2',
  detail: { number: index, reason: null },
  created_at: at,
}))

export const mcpKeys: McpKeyRecord[] = [
  {
    id: 'm1',
    label: 'team server',
    prefix: 'svm_0a1b2c3d',
    mode: 'explicit',
    tools: ['ping', 'spec.export'],
    effective_tools: ['ping', 'spec.export'],
    created_by: 'u1',
    created_at: at,
    last_used_at: at,
  },
]

export const invitations: InvitationRecord[] = [
  { id: 'i1', email: 'new@example.com', role: 'viewer', invited_by: 'u1', created_at: at, expires_at: at },
]

export const tenant: TenantInfo = {
  slug: 'acme',
  name: 'Acme',
  plan: 'team',
  created_at: at,
  members_count: 2,
  projects_count: 100,
  versions_count: 3,
  published_versions_count: 1,
  storage_used_bytes: 45_000_000,
  storage_quota_bytes: 20_000_000_000,
}

const gate = (id: string, status: Gate['status'], message: string, evidence_url: string | null = null): Gate => ({
  id,
  status,
  message,
  evidence_url,
})
export const gates: readonly Gate[] = [
  gate('document-valid', 'pass', 'The document is valid.', '/v1/lint/acme/catalog/train-travel/2.0.0'),
  gate('breaking-guardrail', 'warn', '2 breaking changes since 1.1.0.', '/v1/diff/acme/classified'),
  gate('compat', 'unknown', 'One change could not be decided.'),
  gate('approval', 'skipped', 'There are no reviews here.'),
]
