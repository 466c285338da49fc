import { and, asc, count, desc, eq, gt, lt, ne } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { newId } from '../../db/id.ts'
import { pollingQuotas, repositories, repositoryPolls } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { hourMs, limitsOf, pollsUsed } from '../license/door.ts'

const dayMs = 24 * hourMs
const mostRepositories = 20

type PollOutcome = (typeof repositoryPolls.$inferSelect)['outcome']

/**
 * How many polls an hour allows; null: any number.
 * @param own what the organization set: 0 is any number that the plan allows; undefined: nothing was set
 * @param max of the plan, which may have been reduced since; null: any number
 */
export function allowedPolls(own: number | undefined, max: number | null): number | null {
  if (own === undefined || own === 0) return max
  return max === null ? own : Math.min(own, max)
}

/** How many polls an hour the organization has, and the plan that limits them. */
async function allowedOf(
  deps: Deps,
  reader: Reader,
  tenantId: string,
): Promise<{ readonly perHour: number | null; readonly plan: string }> {
  const { quotas, slug } = await limitsOf(reader, deps.plans, tenantId)
  const [own] = await reader.select().from(pollingQuotas).where(inTenant(pollingQuotas, tenantId))
  const max = quotas.polls_per_hour
  return { perHour: allowedPolls(own?.pollsPerHour, max), plan: slug }
}

/**
 * Begins a poll where the polls of the last hour leave room for one. It counts from now on, so that polls at the same time keep to
 * the quota together.
 * @returns its id, or when the next one may be made
 */
export async function beginPoll(
  deps: Deps,
  { id: repositoryId, tenantId }: { readonly id: string; readonly tenantId: string },
): Promise<{ readonly id: string } | { readonly allowedAt: number }> {
  const now = deps.clock.now()
  return deps.db.inTransaction(async (tx) => {
    const { perHour } = await allowedOf(deps, tx, tenantId)
    const poll = { id: newId(), tenantId, repositoryId, at: isoOf(now), outcome: 'unchanged' as const }
    if (perHour !== null) {
      await tx.lock(`polls:${tenantId}`)
      const recent = inTenant(
        repositoryPolls,
        tenantId,
        gt(repositoryPolls.at, isoOf(now - hourMs)),
        ne(repositoryPolls.outcome, 'throttled'),
      )
      // The poll that leaves the window before there is room again.
      const [oldest] = await tx
        .select({ at: repositoryPolls.at })
        .from(repositoryPolls)
        .where(recent)
        .orderBy(desc(repositoryPolls.at))
        .limit(1)
        .offset(perHour - 1)
      if (oldest !== undefined) {
        await tx.insert(repositoryPolls).values({ ...poll, outcome: 'throttled' })
        return { allowedAt: Date.parse(oldest.at) + hourMs }
      }
    }
    await tx.insert(repositoryPolls).values(poll)
    return { id: poll.id }
  })
}

/** Writes how a poll ended; one that found nothing is written as that from its beginning. */
export async function recordPoll(tx: Transaction, tenantId: string, id: string, outcome: PollOutcome): Promise<void> {
  if (outcome === 'unchanged') return
  await tx
    .update(repositoryPolls)
    .set({ outcome })
    .where(inTenant(repositoryPolls, tenantId, eq(repositoryPolls.id, id)))
}

async function show(deps: Deps, reader: Reader, tenantId: string) {
  const now = deps.clock.now()
  const { perHour, plan } = await allowedOf(deps, reader, tenantId)
  const used = await pollsUsed(reader, tenantId, now)
  return {
    pollsPerHour: perHour ?? 0,
    used,
    windowStartedAt: isoOf(now - hourMs),
    remaining: perHour === null ? null : Math.max(0, perHour - used),
    plan,
  }
}

export const getQuota = async (deps: Deps, grant: Grant) => ({
  success: true,
  quota: await show(deps, deps.db.read, tenantOf(grant).id),
})

/** @throws SvcError `quota-exceeded` for more than the plan allows */
export async function setQuota(deps: Deps, grant: Grant, pollsPerHour: number) {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const max = (await limitsOf(tx, deps.plans, tenantId)).quotas.polls_per_hour
    if (max !== null && (pollsPerHour === 0 || pollsPerHour > max)) {
      const used = await pollsUsed(tx, tenantId, deps.clock.now())
      throw new SvcError('quota-exceeded', { quota: 'polls_per_hour', used, max })
    }
    await tx
      .insert(pollingQuotas)
      .values({ tenantId, pollsPerHour, updatedAt: at })
      .onConflictDoUpdate({ target: pollingQuotas.tenantId, set: { pollsPerHour, updatedAt: at } })
    const { principal: actor } = grant
    const detail = { polls_per_hour: pollsPerHour }
    await recordAudit(tx, { tenantId, actor, action: 'repository.polling-quota-set', detail, at })
    return { success: true, quota: await show(deps, tx, tenantId) }
  })
}

/** The polls of the last 24 hours, by the hour and by repository. */
export async function getTelemetry(deps: Deps, grant: Grant) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const now = deps.clock.now()
  const since = isoOf(now - dayMs)
  const rows = await read
    .select({ at: repositoryPolls.at, outcome: repositoryPolls.outcome })
    .from(repositoryPolls)
    .where(inTenant(repositoryPolls, tenantId, gt(repositoryPolls.at, since)))
    .orderBy(asc(repositoryPolls.at))
  const buckets = new Map<string, { at: string; polls: number; changed: number; throttled: number; failed: number }>()
  for (const { at, outcome } of rows) {
    const hour = isoOf(Math.floor(Date.parse(at) / hourMs) * hourMs)
    const bucket = buckets.get(hour) ?? { at: hour, polls: 0, changed: 0, throttled: 0, failed: 0 }
    if (outcome !== 'throttled') bucket.polls++
    if (outcome !== 'unchanged') bucket[outcome]++
    buckets.set(hour, bucket)
  }
  const polls = count()
  const byRepository = await read
    .select({ repository_id: repositories.id, full_name: repositories.fullName, polls })
    .from(repositoryPolls)
    .innerJoin(
      repositories,
      and(eq(repositories.id, repositoryPolls.repositoryId), eq(repositories.tenantId, tenantId)),
    )
    .where(inTenant(repositoryPolls, tenantId, gt(repositoryPolls.at, since), ne(repositoryPolls.outcome, 'throttled')))
    .groupBy(repositories.id, repositories.fullName)
    .orderBy(desc(polls), asc(repositories.fullName))
    .limit(mostRepositories)
  return {
    success: true,
    quota: await show(deps, read, tenantId),
    telemetry: { buckets: [...buckets.values()], byRepository },
  }
}

/** Removes polls that no window needs any more. */
export async function sweepPolls(db: Database, now: number): Promise<void> {
  await removeWhere(db, repositoryPolls, lt(repositoryPolls.at, isoOf(now - 2 * dayMs)))
}
