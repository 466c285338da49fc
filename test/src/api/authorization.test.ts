/** The authorization matrix as a table: what each kind of caller gets from each kind of operation. */
import { expect, test } from 'bun:test'
import { callers, verdictOf } from '../../../src/api/authorization.ts'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import type { Access } from '../../../src/api/endpoint.ts'
import {
  effectiveRole,
  keyPermissions,
  type Permission,
  personPermissions,
  readPermissions,
} from '../../../src/api/permissions.ts'

const verdicts = (access: Access, path = '/v1/tenants/{tenant_slug}/x'): Record<string, string> =>
  Object.fromEntries(callers.map((caller) => [caller, verdictOf({ access, path }, caller)]))
const everybody = ['user', 'api-key', 'agent-key', 'mcp-key'] as const
const same = (names: readonly string[], verdict: string) => Object.fromEntries(names.map((name) => [name, verdict]))

test('nobody is refused where no credentials are needed', () => {
  expect(verdicts({ anonymous: true, reason: 'a test' })).toEqual(same(callers, 'allowed'))
})

test('the key of a gateway reaches what names its kind alone', () => {
  const optional = { anonymous: true, reason: 'a test', credentials: 'optional' } as const
  expect(verdicts(optional)).toEqual({ ...same(callers, 'allowed'), 'gateway-key': 'scope-denied' })
  expect(verdicts({ credentials: ['gateway-key'], permission: null }, '/v1/x')).toEqual({
    ...same(callers, 'scope-denied'),
    none: 'credentials-missing',
    'gateway-key': 'allowed',
  })
})

test('a permission to read: every role and every key that its operation is open to', () => {
  const expected = {
    none: 'credentials-missing',
    ...same(['owner', 'admin', 'editor', 'viewer', 'key-full', 'agent-key', 'mcp-key'], 'allowed'),
    guest: 'permission-denied',
    ...same(['key-read', 'key-import', 'key-publish'], 'allowed'),
    ...same(['key-diff', 'key-lint', 'gateway-key'], 'scope-denied'),
    suspended: 'membership-suspended',
    ...same(['foreign-owner', 'foreign-key-full'], 'tenant-access-denied'),
  }
  expect(verdicts({ credentials: everybody, permission: 'versions:view' })).toEqual(expected)
  expect(verdicts({ credentials: everybody, permission: 'versions:view', keyScope: 'diff:read' })).toEqual({
    ...expected,
    'key-diff': 'allowed',
  })
})

test('a permission to write: keys that read do not hold it, a narrow scope brings what its operation needs', () => {
  const access = { credentials: everybody, permission: 'versions:publish', keyScope: 'lint:read' } as const
  expect(verdicts(access)).toMatchObject({
    ...same(['owner', 'admin', 'editor', 'key-full', 'key-lint'], 'allowed'),
    ...same(['viewer', 'agent-key', 'mcp-key'], 'permission-denied'),
    'key-diff': 'scope-denied',
  })
})

test('a permission of persons alone is held by no key, whatever its scope', () => {
  expect(verdicts({ credentials: everybody, permission: 'tenant:delete' }, '/v1/x')).toMatchObject({
    ...same(['owner', 'foreign-owner'], 'allowed'),
    ...same(['admin', 'editor', 'viewer', 'key-full', 'foreign-key-full', 'agent-key', 'mcp-key'], 'permission-denied'),
    suspended: 'permission-denied',
  })
})

test('operations of persons alone, and of some kinds of credentials', () => {
  expect(verdicts({ credentials: ['user'], permission: null })).toMatchObject({
    ...same(['owner', 'viewer'], 'allowed'),
    ...same(['key-full', 'key-diff', 'agent-key', 'mcp-key', 'foreign-key-full'], 'person-required'),
  })
  expect(verdicts({ credentials: ['user', 'api-key'], permission: null })).toMatchObject({
    ...same(['viewer', 'key-full'], 'allowed'),
    ...same(['agent-key', 'mcp-key'], 'scope-denied'),
  })
})

test('a path without organization: a suspended member is authenticated, without any permission', () => {
  expect(verdicts({ credentials: everybody, permission: null }, '/v1/x')).toMatchObject({
    none: 'credentials-missing',
    ...same(['suspended', 'foreign-owner', 'foreign-key-full'], 'allowed'),
  })
})

test('scopes of the catalog: each includes the one before it, and a key that reads changes nothing', () => {
  const catalog = ['key-read', 'key-import', 'key-publish']
  const got = (permission: Permission | null, more: { writes?: true } = {}) => {
    const all = verdicts({ credentials: ['user', 'api-key'], permission, ...more })
    return catalog.map((caller) => all[caller])
  }
  expect(got('versions:view')).toEqual(['allowed', 'allowed', 'allowed'])
  expect(got('versions:edit')).toEqual(['scope-denied', 'allowed', 'allowed'])
  expect(got('versions:publish')).toEqual(['scope-denied', 'scope-denied', 'allowed'])
  expect(got('versions:publish_force')).toEqual(['scope-denied', 'scope-denied', 'scope-denied'])
  expect(got('webhooks:view')).toEqual(['scope-denied', 'scope-denied', 'scope-denied'])
  expect(got(null)).toEqual(['allowed', 'allowed', 'allowed'])
  expect(got(null, { writes: true })).toEqual(['scope-denied', 'allowed', 'allowed'])
  // What a key that reads may send bodies to: a new one is looked at before it is added here, or says `writes`.
  const sends = endpoints.filter(
    (it) => it.method !== 'GET' && it.access.anonymous !== true && verdictOf(it, 'key-read') === 'allowed',
  )
  expect(sends.map((it) => it.id).sort()).toEqual([
    'bindings.merge-with',
    'compatibility.check',
    'diff.classified',
    'edits.outline',
    'edits.overlay',
    'lint.preflight',
    'mcp-servers.preview',
    'primitives.compare',
    'primitives.impact',
    'primitives.review',
    'primitives.suggestions',
    'project-bulk.export',
    'style-guides.preview-custom-rules',
  ])
})

test('what a role of the database means', () => {
  expect(['owner', 'administrator', 'admin', 'editor', 'viewer', 'wizard', ''].map(effectiveRole)).toEqual([
    'owner',
    'owner',
    'admin',
    'editor',
    'viewer',
    'editor',
    'editor',
  ])
})

test('keys never hold what needs a person, and keys that read hold nothing else', () => {
  for (const permission of personPermissions) expect(keyPermissions.has(permission)).toBe(false)
  for (const permission of readPermissions) expect(permission).toEndWith(':view')
})
