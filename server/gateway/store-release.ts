/** How releases are written: as the newest one, or as one that waits. */
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { gatewayEnforcers, gatewayReleaseStates, gatewayReleases, gatewayReleaseTargets } from '../../db/tables.gen.ts'
import type { ReleaseInputs } from '../../src/gateway/release/cause.ts'
import { filesDigest } from '../../src/gateway/release/digest.ts'
import type { EnvironmentRow } from '../gateway-policy/door.ts'
import type { Deps } from '../kit/door.ts'
import { releaseNotifier } from './release-notifier.ts'
import { readRelease, readReleaseState, type ReleaseRow, type ReleaseStateRow, type TargetRow } from './release-rows.ts'

/** Releases that are kept, beside those that a gateway still uses. */
export const keptReleases = 100

/** A release with the files of its engines, without its number and its digest. */
export interface NewRelease {
  readonly row: Omit<ReleaseRow, 'number' | 'previousId' | 'createdAt' | 'tenantId' | 'environmentId' | 'digest'>
  readonly targets: readonly Omit<TargetRow, 'tenantId' | 'releaseId'>[]
}

/** Removes what is beyond the kept ones and used by no gateway. */
async function prune(tx: Transaction, { id, tenantId }: EnvironmentRow, number: number): Promise<void> {
  const old = await tx
    .select({ id: gatewayReleases.id })
    .from(gatewayReleases)
    .where(
      inTenant(
        gatewayReleases,
        tenantId,
        and(eq(gatewayReleases.environmentId, id), lte(gatewayReleases.number, number - keptReleases)),
      ),
    )
    .orderBy(asc(gatewayReleases.number))
    .limit(50)
  if (old.length === 0) return
  const used = await tx
    .select({ id: gatewayEnforcers.activeReleaseId })
    .from(gatewayEnforcers)
    .where(
      inTenant(
        gatewayEnforcers,
        tenantId,
        and(eq(gatewayEnforcers.environmentId, id), isNotNull(gatewayEnforcers.activeReleaseId)),
      ),
    )
  const kept = new Set(used.map((it) => it.id))
  const gone = old.map((it) => it.id).filter((it) => !kept.has(it))
  if (gone.length === 0) return
  await tx.delete(gatewayReleases).where(inTenant(gatewayReleases, tenantId, inArray(gatewayReleases.id, gone)))
}

/** Writes how a compilation ended, in the one row that gateways wait for. */
export async function writeReleaseState(
  tx: Transaction,
  row: EnvironmentRow,
  set: Omit<ReleaseStateRow, 'environmentId' | 'tenantId'>,
): Promise<void> {
  await tx
    .insert(gatewayReleaseStates)
    .values({ environmentId: row.id, tenantId: row.tenantId, ...set })
    .onConflictDoUpdate({ target: gatewayReleaseStates.environmentId, set })
}

/** Removes a release that waited and that nobody took. Its number is not used again. */
export async function dropStaged(
  tx: Transaction,
  { tenantId }: EnvironmentRow,
  releaseState: Pick<ReleaseStateRow, 'staged'> | null,
): Promise<void> {
  const id = releaseState?.staged?.releaseId
  if (id === undefined) return
  await tx.delete(gatewayReleases).where(inTenant(gatewayReleases, tenantId, eq(gatewayReleases.id, id)))
}

/** Writes the rows of a release after the newest one; one that waited is gone. */
async function insertRelease(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  made: NewRelease,
): Promise<{ readonly release: ReleaseRow; readonly releaseState: ReleaseStateRow | null }> {
  const { tenantId, id: environmentId } = row
  const releaseState = await readReleaseState(tx, row)
  const read = async (id: string | null | undefined) => (id == null ? null : readRelease(tx, row, id))
  const latest = await read(releaseState?.latestReleaseId)
  const last = (await read(releaseState?.staged?.releaseId)) ?? latest
  const digest = filesDigest(made.targets.map(({ engine, digest: sha256 }) => ({ path: engine, sha256 })))
  const release: ReleaseRow = {
    ...made.row,
    tenantId,
    environmentId,
    number: Math.max(last?.number ?? 0, latest?.number ?? 0) + 1,
    previousId: latest?.id ?? null,
    digest,
    createdAt: deps.clock.iso(),
  }
  await dropStaged(tx, row, releaseState)
  await tx.insert(gatewayReleases).values(release)
  for (const target of made.targets)
    await tx.insert(gatewayReleaseTargets).values({ ...target, tenantId, releaseId: release.id })
  return { release, releaseState }
}

/**
 * Stores a release as the newest one of an environment; gateways that wait get it at once.
 * @param inputs what it was made of
 */
export async function storeRelease(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  made: NewRelease,
  inputs: ReleaseInputs,
): Promise<ReleaseRow> {
  const { release } = await insertRelease(deps, tx, row, made)
  const set = {
    latestReleaseId: release.id,
    inputs,
    compiledAt: release.createdAt,
    failure: null,
    failures: 0,
    staged: null,
  }
  await writeReleaseState(tx, row, set)
  await prune(tx, row, release.number)
  tx.afterCommit(() => releaseNotifier(deps.db).notify(row.id))
  return release
}

/** Stores a release that waits until a person takes it: gateways keep the newest one. */
export async function stageRelease(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  made: NewRelease,
  inputs: ReleaseInputs,
): Promise<ReleaseRow> {
  const { release, releaseState } = await insertRelease(deps, tx, row, made)
  await writeReleaseState(tx, row, {
    latestReleaseId: releaseState?.latestReleaseId ?? null,
    inputs: releaseState?.inputs ?? null,
    compiledAt: release.createdAt,
    failure: null,
    failures: 0,
    staged: { releaseId: release.id, inputs },
  })
  return release
}

/** What everything that writes releases of an environment holds. */
export const lockRelease = (tx: Transaction, environmentId: string): Promise<void> =>
  tx.lock(`gateway-release:${environmentId}`)
