/** Which requests another document refuses that the one in use accepts, and which consumers send them. */
import type { Reader } from '../../db/database.ts'
import type { SecurityNarrowing } from '../../src/api/gateway-positive.ts'
import type { Change } from '../../src/diff/change.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject } from '../used-types/door.ts'
import type { VersionRow } from '../records/door.ts'

const mostNarrowings = 100

/** Whether a change refuses requests that were accepted, or may refuse some. */
export const narrowsRequests = ({ id, direction, severity, classification }: Change): boolean =>
  (direction === 'request' || id === 'operation-removed') && severity === 'breaking' && classification !== 'safe'

/** The changes that narrow requests, as answers show them. */
export function narrowingIn(from: string, to: string, changes: readonly Change[]): SecurityNarrowing {
  const found = changes.filter(narrowsRequests)
  return {
    from,
    to,
    total: found.length,
    changes: found.slice(0, mostNarrowings).map((entry) => ({
      id: entry.id,
      method: entry.method,
      path: entry.path,
      message: entry.message,
      classification: entry.classification === 'unknown' ? 'unknown' : 'breaking',
      consumers: [...entry.consumers],
    })),
    consumers: [...new Set(found.flatMap(({ consumers }) => consumers))].sort(),
  }
}

/**
 * What narrows requests from one version of a project to another; the documents are compared in an analysis.
 * @throws SvcError `analysis-stopped`
 */
export async function narrowingOf(
  deps: Deps,
  read: Reader,
  before: VersionRow,
  after: VersionRow,
): Promise<SecurityNarrowing> {
  if (before.digest === after.digest) return narrowingIn(before.label, after.label, [])
  const [base, head] = [await typedSubject(deps, read, before), await typedSubject(deps, read, after)]
  const result = await deps.analysis.compare(base, head)
  const live =
    before.projectId === after.projectId
      ? await deps.analysis.impacts.consumersOf(read, before.tenantId, before.projectId)
      : []
  const changes = live.length === 0 ? result.changes : (await deps.analysis.impactOf(base, head, result, live)).changes
  return narrowingIn(before.label, after.label, changes)
}
