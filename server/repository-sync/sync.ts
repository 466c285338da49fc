import { and, eq, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { repositories, repositoryHooks } from '../../db/tables.gen.ts'
import type { HealthReason } from '../../db/tables/repositories.ts'
import { SvcError } from '../../src/errors.ts'
import { checkBindings } from '../bindings/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Refs } from '../hosting/door.ts'
import { schedule } from '../schedule/door.ts'
import {
  beginPoll,
  findRepository,
  notice,
  reasonsSince,
  recordPoll,
  remoteOf,
  type RepositoryRow,
  Unreadable,
  unreadableOf,
} from '../repositories/door.ts'
import {
  chosenBranches,
  readBranches,
  storedBranches,
  storedCommits,
  writeBranches,
  type IndexedBranch,
} from './index-branches.ts'
import { hasMoved, isNewFailure, pauseAfterFailure, pauseBeforePoll } from './polling.ts'
import { refreshBranches } from './refresh.ts'

const minuteMs = 60_000

/** When a repository is polled next. */
async function nextPoll(deps: Deps, row: RepositoryRow): Promise<number> {
  const active = and(eq(repositoryHooks.repositoryId, row.id), eq(repositoryHooks.state, 'active'))
  const hooks = await deps.db.read
    .select({ id: repositoryHooks.id })
    .from(repositoryHooks)
    .where(inTenant(repositoryHooks, row.tenantId, active))
  return deps.clock.now() + pauseBeforePoll(hooks.length > 0, Math.random())
}

async function find(deps: Deps, tenantId: string, id: string): Promise<RepositoryRow | null> {
  try {
    return await findRepository(deps.db.read, tenantId, id)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'repository-not-found') return null
    throw error
  }
}

async function update(tx: Transaction, row: RepositoryRow, set: Partial<RepositoryRow>): Promise<void> {
  await tx
    .update(repositories)
    .set(set)
    .where(inTenant(repositories, row.tenantId, eq(repositories.id, row.id)))
}

/** Why a repository that was read is less than healthy. */
function remarksOn(refs: Refs, read: readonly IndexedBranch[]): Pick<HealthReason, 'code' | 'message'>[] {
  const truncated = read.filter(({ isTruncated }) => isTruncated).map(({ branch }) => branch)
  return [
    ...(refs.branches.size === 0 ? [{ code: 'repository-empty', message: 'it has no branch' }] : []),
    ...(truncated.length === 0
      ? []
      : [{ code: 'files-truncated', message: `more than 100,000 files on ${truncated.join(', ')}` }]),
  ]
}

/** Writes that a repository could not be read. */
async function writeFailure(deps: Deps, row: RepositoryRow, { reason }: Unreadable): Promise<void> {
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    const healthReasons = reasonsSince(row.healthReasons, [reason], at)
    await update(tx, row, { healthReasons, failures: row.failures + 1, updatedAt: at })
    if (isNewFailure(row.failures)) await notice(deps, tx, row, 'scan.failed', `it cannot be read: ${reason.message}`)
  })
}

/**
 * Reads all branches that are indexed and writes what is in them.
 * @throws Unreadable
 */
async function readAll(deps: Deps, row: RepositoryRow, signal: AbortSignal): Promise<readonly IndexedBranch[]> {
  const stored = await storedBranches(deps, row)
  try {
    const remote = await remoteOf(deps, row)
    const { refs, read } = await deps.hosting.mirrors.use(remote, signal, async (mirror, found) => ({
      refs: found,
      read: await readBranches(mirror, found, await chosenBranches(deps, row, found), stored),
    }))
    const at = deps.clock.iso()
    await deps.db.inTransaction(async (tx) => {
      await writeBranches(tx, row, read, refs.head, at)
      await update(tx, row, {
        defaultBranch: refs.head,
        healthReasons: reasonsSince(row.healthReasons, remarksOn(refs, read), at),
        branchesIndexed: read.length,
        filesIndexed: read.reduce((sum, { files }) => sum + files.length, 0),
        lastScannedAt: at,
        lastCommitSha: read.find(({ branch }) => branch === refs.head)?.commit ?? null,
        failures: 0,
        updatedAt: at,
      })
    })
    return read
  } catch (error) {
    throw asUnreadable(error)
  }
}

// What the guard refuses is a fact of the repository here: no one waits for an answer.
const asUnreadable = (error: unknown): Unreadable =>
  error instanceof SvcError && error.code === 'egress-denied'
    ? new Unreadable('unreachable', error.message)
    : unreadableOf(error)

/**
 * Indexes a repository.
 * @returns when it is polled first; null: never
 */
export async function scanRepository(
  deps: Deps,
  tenantId: string,
  id: string,
  signal: AbortSignal,
): Promise<number | null> {
  const row = await find(deps, tenantId, id)
  if (row === null) return null
  let isRead = true
  try {
    const read = await readAll(deps, row, signal)
    const files = read.reduce((sum, branch) => sum + branch.files.length, 0)
    await deps.db.inTransaction((tx) =>
      notice(deps, tx, row, 'scan.completed', `${read.length} branches with ${files} files were indexed`),
    )
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    await writeFailure(deps, row, error)
    isRead = false
  }
  if (!row.autoRefreshEnabled) return null
  const at = isRead ? await nextPoll(deps, row) : deps.clock.now() + pauseAfterFailure(0)
  await deps.db.inTransaction((tx) => update(tx, row, { nextPollAt: isoOf(at) }))
  return at
}

/** Whether a branch that is indexed, or is to be, moved since. */
async function movedSince(deps: Deps, row: RepositoryRow, refs: Refs): Promise<boolean> {
  const chosen = await chosenBranches(deps, row, refs)
  const before = { defaultBranch: row.defaultBranch, commits: await storedCommits(deps, row) }
  const commits = new Map(chosen.map((branch) => [branch, refs.branches.get(branch)]))
  return hasMoved(before, { defaultBranch: refs.head, commits })
}

/** The refs as they are now. @throws Unreadable */
async function refsOf(deps: Deps, row: RepositoryRow, signal: AbortSignal): Promise<Refs> {
  try {
    return await deps.hosting.mirrors.refs({ ...(await remoteOf(deps, row)), isPatient: true }, signal)
  } catch (error) {
    throw asUnreadable(error)
  }
}

/** Has pull requests looked at by themselves: what a provider takes or not delays no reading. */
async function reportSoon(deps: Deps, { id: subjectId, tenantId }: RepositoryRow): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    await schedule(tx, 'repository.reports', { subjectId, tenantId, at: deps.clock.now() })
    tx.afterCommit(deps.wake)
  })
}

/** Indexes, refreshes and checks what moved. @throws Unreadable */
async function followRefs(
  deps: Deps,
  row: RepositoryRow,
  trigger: 'poll' | 'webhook',
  signal: AbortSignal,
): Promise<boolean> {
  const refs = await refsOf(deps, row, signal)
  const moved = await movedSince(deps, row, refs)
  // After a failure it is read again too: what was less than well before is found again, as that it is empty.
  if (moved || row.failures > 0) {
    const read = await readAll(deps, row, signal)
    if (moved) await refreshBranches(deps, row, read, trigger)
  }
  await checkBindings(deps, row, refs, trigger, signal).catch((error: unknown) => {
    throw asUnreadable(error)
  })
  if (row.pullRequestReports === true) await reportSoon(deps, row)
  return moved
}

/** How long a delivery may have been under way before a poll found its push. */
const deliveryMs = 10 * minuteMs

/** A poll found a push: a webhook that reported nothing lately does not work, and polls do not wait for it. */
async function doubtHook(deps: Deps, { id, tenantId }: RepositoryRow): Promise<void> {
  const silent = and(
    eq(repositoryHooks.repositoryId, id),
    eq(repositoryHooks.state, 'active'),
    lt(repositoryHooks.lastDeliveryAt, isoOf(deps.clock.now() - deliveryMs)),
  )
  await deps.db.inTransaction((tx) =>
    tx
      .update(repositoryHooks)
      .set({ state: 'failing' })
      .where(inTenant(repositoryHooks, tenantId, silent)),
  )
}

/** Writes how a poll ended, and when the next one is due. */
async function endPoll(
  deps: Deps,
  row: RepositoryRow,
  poll: { readonly id: string; readonly outcome: 'unchanged' | 'changed' | 'failed' } | null,
  next: number,
): Promise<number> {
  await deps.db.inTransaction(async (tx) => {
    if (poll !== null) await recordPoll(tx, row.tenantId, poll.id, poll.outcome)
    await update(tx, row, { nextPollAt: isoOf(next) })
  })
  return next
}

/**
 * Polls a repository within the quota of its organization: asks for its refs, and indexes and refreshes what moved.
 * @returns when it is polled next; null: never
 */
export async function pollRepository(
  deps: Deps,
  tenantId: string,
  id: string,
  signal: AbortSignal,
): Promise<number | null> {
  const row = await find(deps, tenantId, id)
  if (row === null || !row.autoRefreshEnabled) return null
  const begun = await beginPoll(deps, row)
  // Not all that were throttled ask at the same instant then.
  if ('allowedAt' in begun) return endPoll(deps, row, null, begun.allowedAt + Math.random() * minuteMs)
  const { id: poll } = begun
  try {
    const moved = await followRefs(deps, row, 'poll', signal)
    if (moved) await doubtHook(deps, row)
    return await endPoll(deps, row, { id: poll, outcome: moved ? 'changed' : 'unchanged' }, await nextPoll(deps, row))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    await writeFailure(deps, row, error)
    const next = deps.clock.now() + pauseAfterFailure(row.failures)
    return endPoll(deps, row, { id: poll, outcome: 'failed' }, next)
  }
}

/**
 * Reads a repository now, whatever the schedule says.
 * @throws Unreadable
 */
export async function readNow(deps: Deps, row: RepositoryRow, signal: AbortSignal): Promise<readonly IndexedBranch[]> {
  return readAll(deps, row, signal)
}

/** Does what follows from a push that a provider reported: it spends no poll. */
export async function followPush(deps: Deps, tenantId: string, id: string, signal: AbortSignal): Promise<void> {
  const row = await find(deps, tenantId, id)
  if (row === null) return
  try {
    await followRefs(deps, row, 'webhook', signal)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    await writeFailure(deps, row, error)
  }
}
