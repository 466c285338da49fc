/** What publishing a version means at the gateways whose policy follows the project. */
import { and, eq, gte, inArray, isNotNull, ne, sum } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewaySeen, securityEvents } from '../../db/tables.gen.ts'
import type { LiveConsumer, Subject } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject } from '../used-types/door.ts'
import type { VersionRow } from '../records/door.ts'
import {
  boundAmong,
  boundEnvironments,
  type EnvironmentRow,
  narrowsRequests,
  strongestMode,
} from '../gateway-policy/door.ts'

/** What the gateways of one environment would refuse from then on. */
export interface GatewayImpact {
  readonly environment: string
  /** The version that requests are compared with now. */
  readonly from: string
  readonly mode: 'log' | 'block'
  /** How many changes narrow requests, and how many may. */
  readonly narrowing: number
  readonly undecided: number
  /** Handles of the consumers that these changes touch. */
  readonly consumers: readonly string[]
  /** Recorded calls of the operations that they are about, and networks of clients that were recorded there, in 30 days. */
  readonly calls: number
  readonly networks: number
}

const recordedMs = 30 * 24 * 3_600_000
const mostNetworks = 1000

async function recordedAt(
  read: Reader,
  { id, tenantId }: EnvironmentRow,
  operations: ReadonlySet<string>,
  now: number,
) {
  if (operations.size === 0) return { calls: 0, networks: 0 }
  const since = isoOf(now - recordedMs)
  const seen = await read
    .select({ method: gatewaySeen.method, route: gatewaySeen.route, n: sum(gatewaySeen.count) })
    .from(gatewaySeen)
    .where(
      inTenant(
        gatewaySeen,
        tenantId,
        and(eq(gatewaySeen.environmentId, id), gte(gatewaySeen.day, since.slice(0, 10)), ne(gatewaySeen.route, '')),
      ),
    )
    .groupBy(gatewaySeen.method, gatewaySeen.route)
  const called = seen.filter(({ method, route }) => operations.has(`${method} ${route}`))
  const routes = [...new Set([...operations].map((it) => it.slice(it.indexOf(' ') + 1)))].slice(0, 500)
  const clients = await read
    .selectDistinct({ method: securityEvents.method, route: securityEvents.route, network: securityEvents.network })
    .from(securityEvents)
    .where(
      inTenant(
        securityEvents,
        tenantId,
        and(
          eq(securityEvents.environmentId, id),
          gte(securityEvents.at, since),
          isNotNull(securityEvents.network),
          inArray(securityEvents.route, routes),
        ),
      ),
    )
    .limit(mostNetworks)
  const mine = clients.filter(({ method, route }) => operations.has(`${method} ${route}`))
  return {
    calls: called.reduce((total, { n }) => total + Number(n ?? 0), 0),
    networks: new Set(mine.map(({ network }) => network)).size,
  }
}

/** A version that is to be published. */
interface Candidate {
  readonly tenantId: string
  readonly projectId: string
  readonly label: string
  readonly head: Subject
  /** The other versions of the project. */
  readonly siblings: readonly VersionRow[]
  readonly live: readonly LiveConsumer[]
}

/**
 * What publishing means at each environment that would compare requests with the version from then on, by name. Environments that are
 * bound to another version are left out; without an environment that follows the project: null.
 * @throws SvcError `analysis-stopped`
 */
export async function gatewayImpacts(
  deps: Deps,
  read: Reader,
  candidate: Candidate,
): Promise<readonly GatewayImpact[] | null> {
  const { tenantId, projectId, label, head, siblings, live } = candidate
  const found: GatewayImpact[] = []
  const environments = (await boundEnvironments(read, tenantId, projectId)).filter(
    ({ positive }) => strongestMode(positive) !== 'off',
  )
  if (environments.length === 0) return null
  const published = { label, status: 'published' as const, createdAt: deps.clock.iso() }
  for (const { row, positive } of environments) {
    const mode = strongestMode(positive)
    const now = boundAmong(positive.version, siblings)
    if (mode === 'off' || boundAmong(positive.version, [...siblings, published])?.label !== label) continue
    if (now === null) continue
    const base = await typedSubject(deps, read, now)
    const result = await deps.analysis.compare(base, head)
    const narrowed = result.changes.some(narrowsRequests)
    const { changes } = live.length === 0 || !narrowed ? result : await deps.analysis.impactOf(base, head, result, live)
    const relevant = changes.filter(narrowsRequests)
    const operations = new Set(relevant.flatMap((one) => one.operations))
    found.push({
      environment: row.name,
      from: now.label,
      mode,
      narrowing: relevant.filter(({ classification }) => classification === 'breaking').length,
      undecided: relevant.filter(({ classification }) => classification === 'unknown').length,
      consumers: [...new Set(relevant.flatMap((one) => one.consumers))].sort(),
      ...(await recordedAt(read, row, operations, deps.clock.now())),
    })
  }
  return found
}
