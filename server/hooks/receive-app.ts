/** Deliveries of the GitHub App of the service, which reports for all repositories that it is installed for. */
import { and, eq, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { gitAppDeliveries, gitApps, linkedAccounts, repositories } from '../../db/tables.gen.ts'
import { movesRefs, readDelivery } from '../../src/hooks/verify.ts'
import { SvcError } from '../../src/errors.ts'
import { addressOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { type AppRow, openHookSecret } from '../providers/door.ts'
import { schedule } from '../schedule/door.ts'
import { providerVerdict, sourceVerdict } from './allowlist.ts'
import { Check, passBy } from './body.ts'
import { assertHeard, countRefused } from './refuse.ts'

const dayMs = 24 * 3_600_000
/** Repositories and accounts that one delivery is about; organizations may have registered the same one. */
const mostSubjects = 1000

/** The App whose deliveries come to an address; null where there is none. */
export async function appOf(deps: Deps, token: string): Promise<AppRow | null> {
  const [row] = await deps.db.read.select().from(gitApps).where(eq(gitApps.hookToken, token))
  return row ?? null
}

/** The repository that a body is about: a hint, as all of it. */
export const fullNameIn = (beginning: string): string | null =>
  /"full_name"\s*:\s*"([\w.-]{1,100}\/[\w.-]{1,100})"/.exec(beginning)?.[1]?.toLowerCase() ?? null

/** The installation that a body begins with. */
export const installationIn = (beginning: string): string | null =>
  /"installation"\s*:\s*\{\s*"id"\s*:\s*(\d{1,16})\b/.exec(beginning)?.[1] ?? null

interface Sender {
  readonly peer: string | null
  readonly forwardedFor: string | null
}

/** The repositories of a name that are read with an installation of the App, without those whose organization blocks the sender. */
async function pushed(deps: Deps, { host }: AppRow, beginning: string, sender: Sender) {
  const fullName = fullNameIn(beginning)
  if (fullName === null) return []
  // Of every organization that registered it: the App is of the service.
  const rows = await deps.db.read
    .select({ tenantId: repositories.tenantId, repositoryId: repositories.id })
    .from(repositories)
    .innerJoin(linkedAccounts, eq(linkedAccounts.id, repositories.linkedAccountId))
    .where(and(eq(repositories.host, host), eq(repositories.fullName, fullName), eq(linkedAccounts.kind, 'app')))
    .limit(mostSubjects)
  const open: typeof rows = []
  for (const row of rows)
    if ((await sourceVerdict(deps, row, sender.peer, sender.forwardedFor)) !== 'blocked') open.push(row)
  return open.map(({ tenantId, repositoryId: subjectId }) => ({
    kind: 'repository.push' as const,
    tenantId,
    subjectId,
  }))
}

/** The accounts of an installation, which is to be looked at again. */
async function changed(deps: Deps, { host }: AppRow, beginning: string) {
  const installation = installationIn(beginning)
  if (installation === null) return []
  const rows = await deps.db.read
    .select({ tenantId: linkedAccounts.tenantId, subjectId: linkedAccounts.id })
    .from(linkedAccounts)
    .where(and(eq(linkedAccounts.host, host), eq(linkedAccounts.installationId, installation)))
    .limit(mostSubjects)
  return rows.map((row) => ({ kind: 'account.verify' as const, ...row }))
}

/**
 * Takes a delivery of an App by the checks of every webhook: the address of the provider, then the signature, then whether it came
 * before, then the address as the organization of each repository allows it.
 * @param limits of the body
 * @throws SvcError `refusals-exceeded`, `hook-ip`, `hook-signature`, `body-too-large`, `hook-too-slow`
 */
export async function receiveFromApp(
  deps: Deps,
  app: AppRow,
  request: Request,
  limits: { readonly bytes: number; readonly waitMs: number },
): Promise<{ readonly success: boolean; readonly outcome: 'accepted' | 'duplicate' | 'ignored' }> {
  const now = deps.clock.now()
  const { event, id, proof } = readDelivery('github', request.headers, now)
  assertHeard(deps, app.id, addressOf(request))
  const refused = <T extends SvcError>(error: T): T => {
    countRefused(deps, app.id, addressOf(request))
    return error
  }
  const sender = { peer: addressOf(request), forwardedFor: request.headers.get('x-forwarded-for') }
  if ((await providerVerdict(deps, app.host, sender.peer, sender.forwardedFor)) === 'blocked')
    throw refused(new SvcError('hook-ip'))
  const check = proof === null ? null : new Check(proof, await openHookSecret(deps, app))
  const passed = await passBy(request.body, check === null ? [] : [check], limits)
  if (passed === 'too-large') throw refused(new SvcError('body-too-large', { limit_bytes: limits.bytes }))
  if (passed === 'too-slow') throw refused(new SvcError('hook-too-slow', { seconds: String(limits.waitMs / 1000) }))
  if (check?.isRight() !== true) throw refused(new SvcError('hook-signature'))
  const isAboutApp = event === 'installation' || event === 'installation_repositories'
  const ofPush = async () => (movesRefs('github', event) ? pushed(deps, app, passed.beginning, sender) : [])
  const subjects = isAboutApp ? await changed(deps, app, passed.beginning) : await ofPush()
  return deps.db.inTransaction(async (tx) => {
    const at = isoOf(now)
    if (id !== null && !(await isNew(tx, app, id, at))) return { success: true, outcome: 'duplicate' as const }
    await tx.update(gitApps).set({ lastDeliveryAt: at }).where(eq(gitApps.id, app.id))
    for (const { kind, tenantId, subjectId } of subjects) await schedule(tx, kind, { subjectId, tenantId, at: now })
    if (subjects.length > 0) tx.afterCommit(deps.wake)
    return { success: true, outcome: subjects.length > 0 ? ('accepted' as const) : ('ignored' as const) }
  })
}

async function isNew(tx: Transaction, { id: appId }: AppRow, deliveryId: string, at: string): Promise<boolean> {
  try {
    await tx.savepoint((inner) => inner.insert(gitAppDeliveries).values({ id: newId(), appId, deliveryId, at }))
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Lets a delivery be taken again after 72 hours. */
export async function sweepAppDeliveries(db: Database, now: number): Promise<void> {
  await removeWhere(db, gitAppDeliveries, lt(gitAppDeliveries.at, isoOf(now - 3 * dayMs)))
}
