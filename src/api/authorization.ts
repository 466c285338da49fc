import type { Code } from '../errors.ts'
import type { Access, Endpoint } from './endpoint.ts'
import { decideOnProject, isOfTenant, projectWayOf } from './project-access.ts'
import { catalogReaches, keyPermissions, type KeyScope, readPermissions, type Role, roleHolds } from './permissions.ts'

/**
 * The kinds of callers that the authorization matrix has a column for. The guest has no role on the project of the path. Those from
 * "foreign" on have the strongest role or scope, but in another tenant than the one of the path.
 */
export const callers = [
  'none',
  'owner',
  'admin',
  'editor',
  'viewer',
  'guest',
  'key-full',
  'key-diff',
  'key-lint',
  'key-read',
  'key-import',
  'key-publish',
  'agent-key',
  'mcp-key',
  'gateway-key',
  'suspended',
  'foreign-owner',
  'foreign-key-full',
] as const
export type Caller = (typeof callers)[number]

/** What a caller gets: in, or the code of the refusal. */
export type Verdict = 'allowed' | Code

type Rule = Exclude<Access, { readonly anonymous: true }>

const roleOf: Partial<Record<Caller, Role>> = {
  owner: 'owner',
  admin: 'admin',
  editor: 'editor',
  viewer: 'viewer',
  guest: 'guest',
  'foreign-owner': 'owner',
}
const kindOf = (caller: Caller) => {
  if (caller === 'agent-key' || caller === 'mcp-key' || caller === 'gateway-key') return caller
  return caller.includes('key') ? 'api-key' : 'user'
}
const scopeOf: Partial<Record<Caller, KeyScope>> = {
  'key-diff': 'diff:read',
  'key-lint': 'lint:read',
  'key-read': 'catalog:read',
  'key-import': 'catalog:import',
  'key-publish': 'catalog:publish',
}

/** The error code for a kind or scope of credentials that may never call the operation, in any tenant. */
function refusalOfKind(rule: Rule, caller: Caller): Code | null {
  // The agent key of the matrix has every tool.
  if (caller === 'agent-key' && rule.agentTool !== undefined) return null
  if (!rule.credentials.includes(kindOf(caller)))
    return rule.credentials.every((kind) => kind === 'user') ? 'person-required' : 'scope-denied'
  const scope = scopeOf[caller]
  if (scope === undefined) return null
  return rule.keyScope === scope || catalogReaches([scope], rule) ? null : 'scope-denied'
}

function holds(rule: Rule, caller: Caller): boolean {
  const { permission } = rule
  if (permission === null) return true
  const role = roleOf[caller]
  if (role !== undefined) return roleHolds(role, permission)
  if (caller === 'key-full' || caller === 'foreign-key-full') return keyPermissions.has(permission)
  if (caller === 'agent-key' && rule.agentTool !== undefined) return true
  // A narrow scope brings what the operations that it reaches need.
  if (scopeOf[caller] !== undefined) return true
  return readPermissions.has(permission)
}

/**
 * What a caller gets from an operation before its input is looked at, by the rule of its contract alone. The generated
 * page and the tests both read it; the tests compare it with what the service does.
 */
export function verdictOf(endpoint: Pick<Endpoint, 'access' | 'path'>, caller: Caller): Verdict {
  const { access, path } = endpoint
  if (access.anonymous === true)
    return caller === 'gateway-key' && access.credentials === 'optional' ? 'scope-denied' : 'allowed'
  if (caller === 'none') return 'credentials-missing'
  const refusal = refusalOfKind(access, caller)
  if (refusal !== null) return refusal
  const inTenant = path.includes('{tenant_slug}')
  const isDecorative = access.tenancy === 'credential'
  if (inTenant && !isDecorative && caller.startsWith('foreign')) return 'tenant-access-denied'
  if (caller === 'suspended') {
    if (inTenant || isDecorative) return 'membership-suspended'
    return access.permission === null ? 'allowed' : 'permission-denied'
  }
  if (caller === 'guest' && (isOfTenant(access, path) || access.permission !== null)) {
    const way = projectWayOf(endpoint)
    return (
      decideOnProject({ role: 'guest', editorsEditOwn: false, way, projectRole: null, permission: access.permission })
        .refused ?? 'allowed'
    )
  }
  return holds(access, caller) ? 'allowed' : 'permission-denied'
}
