import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { repositories, repositoryHooks } from '../../db/tables.gen.ts'
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

/** What is less than well: with reading it, or with reporting on its pull requests. */
const reasonsOf = ({ healthReasons, reportsRefused }: RepositoryRow): HealthReason[] =>
  reportsRefused === null ? healthReasons : [...healthReasons, reportsRefused]

function badgeOf(row: RepositoryRow): Repository['health']['badge'] {
  const reasons = reasonsOf(row)
  if (reasons.some(({ code }) => failing.has(code))) return 'failing'
  if (row.lastScannedAt === null) return 'unknown'
  return reasons.length > 0 ? 'degraded' : 'healthy'
}

/** Reasons with the instant since when each of them holds: one that was there before keeps its own. */
export const reasonsSince = (
  before: readonly HealthReason[],
  now: readonly Pick<HealthReason, 'code' | 'message'>[],
  at: string,
): HealthReason[] =>
  now.map(({ code, message }) => ({ code, message, since: before.find((one) => one.code === code)?.since ?? at }))

/** A repository with the state of its webhook. */
function toRepository(row: RepositoryRow, hook: Repository['webhook']['state']): Repository {
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
    pull_request_reports: row.pullRequestReports === true,
    conflict_policy: row.conflictPolicy,
    health: { badge: badgeOf(row), reasons: reasonsOf(row) },
    branches_indexed: row.branchesIndexed,
    files_indexed: row.filesIndexed,
    last_scanned_at: row.lastScannedAt,
    last_commit_sha: row.lastCommitSha,
    next_poll_at: row.nextPollAt,
    webhook: { state: hook },
    created_by: row.createdBy,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** Repositories as callers see them, with the states of their webhooks. */
export async function toRepositories(
  reader: Reader,
  tenantId: string,
  rows: readonly RepositoryRow[],
): Promise<Repository[]> {
  if (rows.length === 0) return []
  const [only] = rows
  const one = rows.length === 1 && only !== undefined ? eq(repositoryHooks.repositoryId, only.id) : undefined
  const hooks = await reader
    .select({ id: repositoryHooks.repositoryId, state: repositoryHooks.state })
    .from(repositoryHooks)
    .where(inTenant(repositoryHooks, tenantId, one))
  const states = new Map(hooks.map(({ id, state }) => [id, state]))
  return rows.map((row) => toRepository(row, states.get(row.id) ?? 'none'))
}

/** One repository as callers see it. */
export async function describeRepository(reader: Reader, row: RepositoryRow): Promise<Repository> {
  const [found] = await toRepositories(reader, row.tenantId, [row])
  return found ?? toRepository(row, 'none')
}

/** @throws SvcError `repository-not-found` */
export async function findRepository(reader: Reader, tenantId: string, id: string): Promise<RepositoryRow> {
  const own = inTenant(repositories, tenantId, eq(repositories.id, id))
  const [row] = await reader.select().from(repositories).where(own)
  if (!row) throw new SvcError('repository-not-found', { repository: id })
  return row
}
