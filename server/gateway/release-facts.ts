/** What of a release decides what its events mean. */
import { and, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewayReleases } from '../../db/tables.gen.ts'
import { inParts } from '../auth/door.ts'
import type { EnvironmentRow } from '../gateway-policy/door.ts'

export interface ReleaseFacts {
  readonly id: string
  readonly policyVersion: number
  /** The version of the document that requests are compared with; null: none. */
  readonly versionId: string | null
}

/** The releases of an environment among these ids. */
export async function releasesOf(
  read: Reader,
  { id, tenantId }: Pick<EnvironmentRow, 'id' | 'tenantId'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReleaseFacts>> {
  const found = new Map<string, ReleaseFacts>()
  for (const part of inParts([...new Set(ids)])) {
    const mine = and(eq(gatewayReleases.environmentId, id), inArray(gatewayReleases.id, part))
    const rows = await read
      .select({
        id: gatewayReleases.id,
        policyVersion: gatewayReleases.policyVersion,
        versionId: gatewayReleases.versionId,
      })
      .from(gatewayReleases)
      .where(inTenant(gatewayReleases, tenantId, mine))
    for (const row of rows) found.set(row.id, row)
  }
  return found
}
