import type { SQL } from 'drizzle-orm'
import type { Access } from '../../src/api/endpoint.ts'
import type { Permission, Role } from '../../src/api/permissions.ts'
import type { ProjectWay } from '../../src/api/project-access.ts'
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
  /** The projects that the request sees, as a list of a statement; absent: all of the organization. */
  readonly projects?: SQL
}

/** What a request names: the organization, and where its operation is about one project, that. */
export interface Whereabouts {
  readonly tenant: string | null
  /** How the operation says which projects it is about. */
  readonly way: ProjectWay
  /** An id or slug; null where the path names none. */
  readonly project: string | null
}

/** The organization as a whole, without any project of it; null: none is named. */
export const wholeOf = (tenant: string | null): Whereabouts => ({ tenant, way: 'closed', project: null })

/** Verifies credentials and decides access; the one implementation reads the database. */
export interface Gatekeeper {
  /** Null where the request carries no credentials; raises `credentials-invalid` for wrong ones. */
  authenticate(request: Request, options?: { readonly queryKey?: boolean }): Promise<Principal | null>
  /**
   * @throws SvcError `credentials-missing`, `permission-denied`, `scope-denied`, `person-required`,
   *   `tenant-access-denied`, `tenant-not-found`, `membership-suspended`, `second-factor-setup-required` or `project-not-found`
   */
  authorize(principal: Principal | null, access: Access, place: Whereabouts): Promise<Grant>
}
