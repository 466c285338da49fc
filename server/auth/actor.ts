import type { Grant, GrantedTenant } from './grant.ts'

/** The tenant of a grant on a route that has one. */
export function tenantOf(grant: Grant): GrantedTenant {
  if (grant.tenant === null) throw new Error('a route of a tenant was granted without one')
  return grant.tenant
}

/** Who did it, for created_by and the audit trail: "user:<id>", "api-key:<id>"; null for nobody known. */
export function actorOf(grant: Grant): string | null {
  const { principal } = grant
  if (principal === null) return null
  return principal.kind === 'user' ? `user:${principal.userId}` : `${principal.kind}:${principal.keyId}`
}
