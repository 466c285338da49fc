/** The gateways of an environment beside its newest release. */
import type { Reader } from '../../db/database.ts'
import { type GatewayState, gatewayState } from '../../src/gateway/gateway-state.ts'
import { dialectOfKind } from '../../src/gateway/engines/index.ts'
import { enforcersOf, type EnforcerRow } from './enforcer-rows.ts'
import {
  readReleaseState,
  readRelease,
  readTargets,
  type ReleaseStateRow,
  type ReleaseRow,
  type TargetFacts,
} from './release-rows.ts'
import type { EnvironmentRow } from '../gateway-policy/door.ts'

export interface EnvironmentView {
  readonly releaseState: ReleaseStateRow | null
  readonly latest: ReleaseRow | null
  readonly enforcers: readonly EnforcerRow[]
  /** Of the newest release and of those that gateways use. */
  readonly targets: readonly TargetFacts[]
}

export async function environmentViewOf(
  read: Reader,
  row: Pick<EnvironmentRow, 'id' | 'tenantId'>,
): Promise<EnvironmentView> {
  const enforcers = await enforcersOf(read, row)
  const releaseState = await readReleaseState(read, row)
  const latestId = releaseState?.latestReleaseId ?? null
  const used = enforcers.flatMap(({ activeReleaseId }) => activeReleaseId ?? [])
  return {
    releaseState,
    enforcers,
    latest: latestId === null ? null : await readRelease(read, row, latestId),
    targets: await readTargets(read, row.tenantId, latestId === null ? used : [latestId, ...used]),
  }
}

/** What the newest release has for a gateway; null: nothing. */
export const targetFor = ({ latest, targets }: EnvironmentView, { kind }: EnforcerRow): TargetFacts | null =>
  targets.find(({ releaseId, engine }) => releaseId === latest?.id && engine === dialectOfKind(kind).name) ?? null

/** What a gateway is now. After a rollback the older release has the same files: who uses it is current. */
export function stateIn(view: EnvironmentView, row: EnforcerRow, now: number): GatewayState {
  const wanted = targetFor(view, row)
  const used = view.targets.find(
    ({ releaseId, engine }) => releaseId === row.activeReleaseId && engine === dialectOfKind(row.kind).name,
  )
  return gatewayState(
    {
      lastSeenAt: row.lastSeenAt,
      usesLatest: wanted !== null && used?.digest === wanted.digest,
      failedLatest: view.latest !== null && row.failedReleaseId === view.latest.id,
    },
    now,
  )
}

/** How many gateways there are, and how many of them use the newest release, another one, or are silent. */
export function countsIn(view: EnvironmentView, now: number) {
  const states = view.enforcers.map((it) => stateIn(view, it, now))
  const count = (...of: GatewayState[]) => states.filter((it) => of.includes(it)).length
  return {
    total: states.length,
    current: count('current'),
    behind: count('behind', 'failed', 'never-seen'),
    silent: count('silent'),
  }
}
