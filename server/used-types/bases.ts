import { eq } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { tenants } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'

type Addresses = Pick<Deps, 'publicUrls'>

const basesAt = (deps: Addresses, slug: string): readonly string[] =>
  deps.publicUrls().map((url) => `${url}/v1/types/${slug}/`)

/** The addresses below which references find the types of the tenant of a caller: of this service and of its former hosts. */
export const basesOf = (deps: Addresses, grant: Grant): readonly string[] => basesAt(deps, tenantOf(grant).slug)

/** The same for a tenant whose slug is not known; it is read where one of the references may need it. */
export async function registryBases(
  deps: Addresses,
  read: Reader,
  tenantId: string,
  refs: readonly string[],
): Promise<readonly string[]> {
  const roots = deps.publicUrls().map((url) => `${url}/v1/types/`)
  return refs.some((ref) => roots.some((root) => ref.startsWith(root))) ? basesOfTenant(deps, read, tenantId) : []
}

/** The addresses below which references find the types of a tenant. */
export async function basesOfTenant(deps: Addresses, read: Reader, tenantId: string): Promise<readonly string[]> {
  const [tenant] = await read.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId))
  return tenant === undefined ? [] : basesAt(deps, tenant.slug)
}
