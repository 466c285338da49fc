import { eq } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { tenants } from '../../db/tables.gen.ts'

/** The slug of a tenant, or null. */
export async function tenantSlugOf(read: Reader, tenantId: string): Promise<string | null> {
  const [row] = await read.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId)).limit(1)
  return row?.slug ?? null
}
