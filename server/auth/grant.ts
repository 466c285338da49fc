import type { Access } from '../../src/api/endpoint.ts'
import type { Permission, Role } from '../../src/api/permissions.ts'
import type { Principal } from './principal.ts'

/** The tenant a request runs in. */
export interface GrantedTenant {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly plan: string | null
}

/** What a caller may do in the tenant of this request, read again for each request. */
export interface Grant {
  /** Null for an anonymous caller. */
  readonly principal: Principal | null
  readonly tenant: GrantedTenant | null
  readonly role: Role | null
  readonly permissions: ReadonlySet<Permission>
}

/** Verifies credentials and decides access; the one implementation reads the database. */
export interface Gatekeeper {
  /** Null where the request carries no credentials; raises `credentials-invalid` for wrong ones. */
  authenticate(request: Request, options?: { readonly queryKey?: boolean }): Promise<Principal | null>
  /**
   * @throws SvcError `credentials-missing`, `permission-denied`, `scope-denied`, `person-required`,
   *   `tenant-access-denied`, `tenant-not-found`, `membership-suspended` or `second-factor-setup-required`
   */
  authorize(principal: Principal | null, access: Access, tenantSlug: string | null): Promise<Grant>
}
