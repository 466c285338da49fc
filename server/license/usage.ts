import { gt, ne } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, type TenantTable } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import {
  apiKeys,
  mcpKeys,
  projects,
  repositories,
  repositoryPolls,
  versions,
  webhookSubscriptions,
} from '../../db/tables.gen.ts'
import { bytesOf } from './quota.ts'

/** How much a tenant holds. */
export interface Usage {
  readonly projects: number
  readonly versions: number
  readonly publishedVersions: number
  readonly storageBytes: number
  readonly apiKeys: number
  readonly mcpKeys: number
  readonly webhooks: number
  readonly repositories: number
}

async function countRows(reader: Reader, table: TenantTable, condition?: ReturnType<typeof ne>): Promise<number> {
  return reader.$count(table, condition)
}

/** Counts what a tenant holds. Bytes are those of the documents as they were sent; a document kept twice counts once, and what waits to be imported counts. */
export async function usageOf(reader: Reader, tenantId: string): Promise<Usage> {
  const rows = (table: TenantTable, condition?: ReturnType<typeof ne>) =>
    countRows(reader, table, inTenant(table, tenantId, condition))
  return {
    projects: await rows(projects),
    versions: await rows(versions),
    publishedVersions: await rows(versions, ne(versions.status, 'draft')),
    storageBytes: await bytesOf(reader, tenantId),
    apiKeys: await rows(apiKeys),
    mcpKeys: await rows(mcpKeys),
    webhooks: await rows(webhookSubscriptions),
    repositories: await rows(repositories),
  }
}

/** The window that polls are counted in. */
export const hourMs = 3_600_000

/** Polls of the last hour that asked a repository. */
export async function pollsUsed(reader: Reader, tenantId: string, now: number): Promise<number> {
  const recent = inTenant(
    repositoryPolls,
    tenantId,
    gt(repositoryPolls.at, isoOf(now - hourMs)),
    ne(repositoryPolls.outcome, 'throttled'),
  )
  return reader.$count(repositoryPolls, recent)
}
