import { count, gt, ne, sum } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, type TenantTable } from '../../db/conditions.ts'
import type { Database, Reader } from '../../db/database.ts'
import { summarizeStale } from '../../db/projects/summary.ts'
import { apiKeys, mcpKeys, projects, repositories, repositoryPolls, webhookSubscriptions } from '../../db/tables.gen.ts'
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

/** Counts what a tenant holds, its versions by the summaries of its projects. Bytes are those of the documents as they were sent; a document kept twice counts once, and what waits to be imported counts. */
export async function usageOf(db: Database, tenantId: string): Promise<Usage> {
  await summarizeStale(db, tenantId)
  const reader = db.read
  const rows = (table: TenantTable) => reader.$count(table, inTenant(table, tenantId))
  const [held] = await reader
    .select({
      projects: count(),
      versions: sum(projects.versionsCount).mapWith(Number),
      drafts: sum(projects.draftsCount).mapWith(Number),
    })
    .from(projects)
    .where(inTenant(projects, tenantId))
  const versions = held?.versions ?? 0
  return {
    projects: held?.projects ?? 0,
    versions,
    publishedVersions: versions - (held?.drafts ?? 0),
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
