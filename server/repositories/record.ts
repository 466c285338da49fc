import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { repositories } from '../../db/tables.gen.ts'
import type { HealthReason } from '../../db/tables/repositories.ts'
import type { Repository } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'

export type RepositoryRow = typeof repositories.$inferSelect

/** Identifies a file of a repository: paths are longer than an index takes. */
export const keyOf = (repositoryId: string, branch: string, path: string): string =>
  createHash('sha256')
    .update(JSON.stringify([repositoryId, branch, path]))
    .digest('hex')

/** Reasons that keep a repository from being read; with any other one it is read, but something is missing. */
const failing = new Set([
  'repository-missing',
  'credentials-refused',
  'unreachable',
  'account-missing',
  'account-owner-left',
  'account-expired',
  'account-revoked',
])

function badgeOf({ healthReasons, lastScannedAt }: RepositoryRow): Repository['health']['badge'] {
  if (healthReasons.some(({ code }) => failing.has(code))) return 'failing'
  if (lastScannedAt === null) return 'unknown'
  return healthReasons.length > 0 ? 'degraded' : 'healthy'
}

/** Reasons with the instant since when each of them holds: one that was there before keeps its own. */
export const reasonsSince = (
  before: readonly HealthReason[],
  now: readonly Pick<HealthReason, 'code' | 'message'>[],
  at: string,
): HealthReason[] =>
  now.map(({ code, message }) => ({ code, message, since: before.find((one) => one.code === code)?.since ?? at }))

/** A repository as callers see it. */
export function toRepository(row: RepositoryRow): Repository {
  return {
    id: row.id,
    provider: row.provider,
    host: row.host,
    source: row.source,
    full_name: row.fullName,
    clone_url: row.cloneUrl,
    web_url: row.webUrl,
    default_branch: row.defaultBranch,
    private: row.isPrivate,
    linked_account_id: row.linkedAccountId,
    auto_refresh_enabled: row.autoRefreshEnabled,
    conflict_policy: row.conflictPolicy,
    health: { badge: badgeOf(row), reasons: row.healthReasons },
    branches_indexed: row.branchesIndexed,
    files_indexed: row.filesIndexed,
    last_scanned_at: row.lastScannedAt,
    last_commit_sha: row.lastCommitSha,
    next_poll_at: row.nextPollAt,
    created_by: row.createdBy,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** @throws SvcError `repository-not-found` */
export async function findRepository(reader: Reader, tenantId: string, id: string): Promise<RepositoryRow> {
  const own = inTenant(repositories, tenantId, eq(repositories.id, id))
  const [row] = await reader.select().from(repositories).where(own)
  if (!row) throw new SvcError('repository-not-found', { repository: id })
  return row
}
