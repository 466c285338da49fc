import { count, ne, sum } from 'drizzle-orm'
import { inTenant, type TenantTable } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { apiKeys, contents, mcpKeys, projects, versions } from '../../db/tables.gen.ts'

/** How much a tenant holds. */
export interface Usage {
  readonly projects: number
  readonly versions: number
  readonly publishedVersions: number
  readonly storageBytes: number
  readonly apiKeys: number
  readonly mcpKeys: number
}

async function countRows(reader: Reader, table: TenantTable, condition?: ReturnType<typeof ne>): Promise<number> {
  const [row] = await reader.select({ n: count() }).from(table).where(condition)
  return row?.n ?? 0
}

/** Counts what a tenant holds. Bytes are those of the documents as they were sent; a document kept twice counts once. */
export async function usageOf(reader: Reader, tenantId: string): Promise<Usage> {
  const [stored] = await reader
    .select({ bytes: sum(contents.sizeBytes) })
    .from(contents)
    .where(inTenant(contents, tenantId))
  const rows = (table: TenantTable, condition?: ReturnType<typeof ne>) =>
    countRows(reader, table, inTenant(table, tenantId, condition))
  return {
    projects: await rows(projects),
    versions: await rows(versions),
    publishedVersions: await rows(versions, ne(versions.status, 'draft')),
    storageBytes: Number(stored?.bytes ?? 0),
    apiKeys: await rows(apiKeys),
    mcpKeys: await rows(mcpKeys),
  }
}
