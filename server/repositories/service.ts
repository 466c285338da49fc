import { desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { repositories } from '../../db/tables.gen.ts'
import { ValidationError } from '../../src/api/wire.ts'
import type { Repository, RepositoryCreate, RepositoryUpdate } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Refs } from '../hosting/door.ts'
import { assertRoom, limitsOf } from '../license/door.ts'
import { findAccount } from '../linked-accounts/door.ts'
import { schedule, unschedule } from '../schedule/door.ts'
import { refusalOf, remoteOf } from './access.ts'
import { cloneUrlOf, readCloneUrl, webUrlOf, type RepositoryPlace } from './address.ts'
import { describeRepository, findRepository, toRepositories, type RepositoryRow } from './record.ts'

/** The registered repositories, newest first. */
export async function listRepositories(deps: Deps, grant: Grant): Promise<Repository[]> {
  const rows = await deps.db.read
    .select()
    .from(repositories)
    .where(inTenant(repositories, tenantOf(grant).id))
    .orderBy(desc(repositories.createdAt), desc(repositories.id))
  return toRepositories(deps.db.read, tenantOf(grant).id, rows)
}

/** @throws SvcError `repository-not-found` */
export const getRepository = async (deps: Deps, grant: Grant, id: string): Promise<Repository> =>
  describeRepository(deps.db.read, await findRepository(deps.db.read, tenantOf(grant).id, id))

const missing = (name: string, source: string) =>
  new ValidationError([{ loc: ['body', name], msg: `Field required where source is ${source}`, type: 'missing' }])

type Found = Pick<RepositoryRow, 'provider' | 'linkedAccountId'> & { readonly place: RepositoryPlace }

/** Where a repository is and who hosts it, by what the request says. */
async function locate(deps: Deps, grant: Grant, input: RepositoryCreate, signal: AbortSignal): Promise<Found> {
  const { hosts, detect } = deps.hosting
  if (input.source === 'linked_account') {
    const { linkedAccountId, repositoryFullName } = input
    if (linkedAccountId === null || linkedAccountId === undefined) throw missing('linkedAccountId', input.source)
    if (repositoryFullName === null || repositoryFullName === undefined)
      throw missing('repositoryFullName', input.source)
    const account = await findAccount(deps.db.read, grant, linkedAccountId)
    const url = cloneUrlOf(account.provider, hosts.originOf(account.host), repositoryFullName)
    return { provider: account.provider, linkedAccountId, place: readCloneUrl(input.cloneUrl ?? url) }
  }
  if (input.cloneUrl === null || input.cloneUrl === undefined) throw missing('cloneUrl', input.source)
  const place = readCloneUrl(input.cloneUrl)
  const provider = hosts.providerOf(place.host) ?? (await detect(place.origin, signal))
  if (provider === null)
    throw new SvcError('provider-unsupported', {
      host: place.host,
      reason: 'it answers like none of the supported providers',
    })
  return { provider, linkedAccountId: null, place }
}

/** Reads the refs: the check of whether the repository may be read, and by everyone. */
async function readable(
  deps: Deps,
  tenantId: string,
  { place, linkedAccountId }: Found,
  signal: AbortSignal,
): Promise<{ readonly refs: Refs; readonly isPrivate: boolean }> {
  const { cloneUrl, fullName } = place
  const { mirrors } = deps.hosting
  try {
    const remote = await remoteOf(deps, { tenantId, cloneUrl, linkedAccountId })
    const refs = await mirrors.refs(remote, signal)
    if (remote.authorization === null) return { refs, isPrivate: false }
    const isPublic = await mirrors.refs({ ...remote, authorization: null }, signal).then(
      () => true,
      () => false,
    )
    return { refs, isPrivate: !isPublic }
  } catch (error) {
    throw refusalOf(error, fullName)
  }
}

/**
 * Registers a repository after it was read, and queues the first scan.
 * @throws SvcError `repository-exists`, `repository-unreadable`, `provider-unsupported`, `source-refused`, `linked-account-not-found`,
 *   `quota-exceeded`, `egress-denied`; `ValidationError`
 */
export async function createRepository(
  deps: Deps,
  grant: Grant,
  input: RepositoryCreate,
  signal: AbortSignal,
): Promise<Repository> {
  const { id: tenantId } = tenantOf(grant)
  const found = await locate(deps, grant, input, signal)
  const { refs, isPrivate } = await readable(deps, tenantId, found, signal)
  const at = deps.clock.iso()
  const { place, provider, linkedAccountId } = found
  const row: RepositoryRow = {
    id: newId(),
    tenantId,
    provider,
    host: place.host,
    source: input.source,
    fullName: place.fullName,
    cloneUrl: place.cloneUrl,
    webUrl: webUrlOf(provider, place.cloneUrl),
    defaultBranch: refs.head,
    isPrivate,
    linkedAccountId,
    autoRefreshEnabled: true,
    pullRequestReports: null,
    reportsRefused: null,
    reportedRefs: null,
    reportedAt: null,
    conflictPolicy: 'hold-for-review',
    healthReasons: [],
    branchesIndexed: 0,
    filesIndexed: 0,
    lastScannedAt: null,
    lastCommitSha: null,
    nextPollAt: null,
    failures: 0,
    createdBy: actorOf(grant),
    createdAt: at,
    updatedAt: at,
  }
  return deps.db.inTransaction(async (tx) => {
    await assertRepositoryRoom(deps, tx, tenantId)
    try {
      await tx.savepoint((inner) => inner.insert(repositories).values(row))
    } catch (error) {
      if (isUniqueViolation(error))
        throw new SvcError('repository-exists', { repository: place.fullName, host: place.host })
      throw error
    }
    await queueScan(deps, tx, row)
    await audit(tx, grant, row, 'repository.registered', at)
    return describeRepository(tx, row)
  })
}

/** @throws SvcError `quota-exceeded` */
async function assertRepositoryRoom(deps: Deps, tx: Transaction, tenantId: string): Promise<void> {
  const { quotas } = await limitsOf(tx, deps.plans, tenantId)
  if (quotas.repositories === null) return
  await tx.lock(`repositories:${tenantId}`)
  const used = await tx.$count(repositories, inTenant(repositories, tenantId))
  assertRoom('repositories', used, quotas.repositories)
}

/** Has the files of a repository listed as soon as a worker is free. */
async function queueScan(deps: Deps, tx: Transaction, { id, tenantId }: RepositoryRow): Promise<void> {
  await schedule(tx, 'repository.scan', { subjectId: id, tenantId, at: deps.clock.now() })
  tx.afterCommit(deps.wake)
}

const audit = (
  tx: Transaction,
  { principal: actor }: Grant,
  { id: targetId, tenantId, host, fullName }: RepositoryRow,
  action: 'repository.registered' | 'repository.updated',
  at: string,
): Promise<void> => recordAudit(tx, { tenantId, actor, action, targetId, detail: { host, repository: fullName }, at })

/**
 * Changes what is given.
 * @throws SvcError `repository-not-found`, `linked-account-not-found`, `source-refused` for an account of another host
 */
export async function updateRepository(
  deps: Deps,
  grant: Grant,
  id: string,
  patch: RepositoryUpdate,
): Promise<Repository> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const row = await findRepository(tx, tenantId, id)
    const account = patch.linked_account_id
    if (account !== undefined && account !== null) {
      const { host } = await findAccount(tx, grant, account)
      if (host !== row.host)
        throw new SvcError('source-refused', {
          source: row.fullName,
          reason: `it is not on ${host}, the host of the account`,
        })
    }
    const autoRefreshEnabled = patch.auto_refresh_enabled ?? row.autoRefreshEnabled
    const [next = row] = await tx
      .update(repositories)
      .set({
        autoRefreshEnabled,
        ...(patch.pull_request_reports === undefined
          ? {}
          : // What was refused may be permitted now, and is tried again.
            { pullRequestReports: patch.pull_request_reports, reportsRefused: null, reportedRefs: null }),
        ...(account === undefined
          ? {}
          : {
              linkedAccountId: account,
              source: account === null ? ('public_url' as const) : ('linked_account' as const),
            }),
        ...(autoRefreshEnabled ? {} : { nextPollAt: null }),
        updatedAt: at,
      })
      .where(inTenant(repositories, tenantId, eq(repositories.id, id)))
      .returning()
    if (!autoRefreshEnabled) await unschedule(tx, 'repository.poll', id)
    else if (!row.autoRefreshEnabled || account !== undefined) await queueScan(deps, tx, next)
    if (patch.pull_request_reports === true) {
      await schedule(tx, 'repository.reports', { subjectId: id, tenantId, at: deps.clock.now() })
      tx.afterCommit(deps.wake)
    }
    await audit(tx, grant, next, 'repository.updated', at)
    return describeRepository(tx, next)
  })
}

/** @throws SvcError `repository-not-found` */
export async function scanSoon(deps: Deps, grant: Grant, id: string): Promise<Repository> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    const row = await findRepository(tx, tenantId, id)
    await queueScan(deps, tx, row)
    return describeRepository(tx, row)
  })
}
