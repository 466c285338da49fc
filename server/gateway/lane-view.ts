/** The gateways of an environment beside its newest release. */
import type { Reader } from '../../db/database.ts'
import { enforcerState, type EnforcerState } from '../../src/gateway/enforcer.ts'
import { engineOf } from '../../src/gateway/release/cause.ts'
import { enforcersOf, type EnforcerRow } from './enforcer-rows.ts'
import { readLane, readRelease, readTargets, type LaneRow, type ReleaseRow, type TargetFacts } from './lane.ts'
import type { EnvironmentRow } from './store.ts'

export interface LaneView {
  readonly lane: LaneRow | null
  readonly latest: ReleaseRow | null
  readonly enforcers: readonly EnforcerRow[]
  /** Of the newest release and of those that gateways use. */
  readonly targets: readonly TargetFacts[]
}

export async function laneViewOf(read: Reader, row: Pick<EnvironmentRow, 'id' | 'tenantId'>): Promise<LaneView> {
  const enforcers = await enforcersOf(read, row)
  const lane = await readLane(read, row)
  const latestId = lane?.latestReleaseId ?? null
  const used = enforcers.flatMap(({ activeReleaseId }) => activeReleaseId ?? [])
  return {
    lane,
    enforcers,
    latest: latestId === null ? null : await readRelease(read, row, latestId),
    targets: await readTargets(read, row.tenantId, latestId === null ? used : [latestId, ...used]),
  }
}

/** What the newest release has for a gateway; null: nothing. */
export const targetFor = ({ latest, targets }: LaneView, { kind }: EnforcerRow): TargetFacts | null =>
  targets.find(({ releaseId, engine }) => releaseId === latest?.id && engine === engineOf[kind]) ?? null

/** What a gateway is now. After a rollback the older release has the same files: who uses it is current. */
export function stateIn(view: LaneView, row: EnforcerRow, now: number): EnforcerState {
  const wanted = targetFor(view, row)
  const used = view.targets.find(
    ({ releaseId, engine }) => releaseId === row.activeReleaseId && engine === engineOf[row.kind],
  )
  return enforcerState(
    {
      lastSeenAt: row.lastSeenAt,
      usesLatest: wanted !== null && used?.digest === wanted.digest,
      failedLatest: view.latest !== null && row.failedReleaseId === view.latest.id,
    },
    now,
  )
}

/** How many gateways there are, and how many of them use the newest release, another one, or are silent. */
export function countsIn(view: LaneView, now: number) {
  const states = view.enforcers.map((it) => stateIn(view, it, now))
  const count = (...of: EnforcerState[]) => states.filter((it) => of.includes(it)).length
  return {
    total: states.length,
    current: count('current'),
    behind: count('behind', 'failed', 'never-seen'),
    silent: count('silent'),
  }
}
