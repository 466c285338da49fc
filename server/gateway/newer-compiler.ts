/** Asks for the releases that a newer compiler would make otherwise. */
import { and, asc, gt, isNotNull, isNull } from 'drizzle-orm'
import { gatewayReleaseStates } from '../../db/tables.gen.ts'
import { compilerVersion } from '../../src/gateway/compile/version.ts'
import type { Deps } from '../kit/door.ts'
import { askForRelease } from './ask-for-release.ts'
import { readReleaseState } from './release-rows.ts'

/** How many environments are looked at together. */
const pageSize = 200

/** Whether a release of this compiler is neither in use nor waiting. */
const isOlder = ({ inputs, staged }: Pick<typeof gatewayReleaseStates.$inferSelect, 'inputs' | 'staged'>): boolean =>
  ((staged ?? { inputs }).inputs?.compiler ?? 0) < compilerVersion

/**
 * Asks for the release of each environment whose newest one an older compiler made. What failed is tried again by its own row of the schedule.
 * @returns how many were asked for
 */
export async function askForNewerReleases(deps: Deps, signal: AbortSignal): Promise<number> {
  const { db } = deps
  let asked = 0
  for (let last = ''; !signal.aborted;) {
    const rows = await db.read
      .select()
      .from(gatewayReleaseStates)
      .where(
        and(
          gt(gatewayReleaseStates.environmentId, last),
          isNotNull(gatewayReleaseStates.latestReleaseId),
          isNull(gatewayReleaseStates.failure),
        ),
      )
      .orderBy(asc(gatewayReleaseStates.environmentId))
      .limit(pageSize)
    for (const { environmentId: id, tenantId } of rows.filter(isOlder))
      await db.inTransaction(async (tx) => {
        const now = await readReleaseState(tx, { id, tenantId })
        if (now === null || !isOlder(now)) return
        await askForRelease(deps, tx, { id, tenantId })
        asked += 1
      })
    if (rows.length < pageSize) break
    last = rows.at(-1)?.environmentId ?? last
  }
  return asked
}
