/** How the gateways of an environment get the release that a newer compiler made. */
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { appendAudit, findEnvironment, lockEnvironment } from '../gateway-policy/door.ts'
import type { Deps } from '../kit/door.ts'
import { releaseNotifier } from './release-notifier.ts'
import { readReleaseState, readTargets } from './release-rows.ts'
import { besideOf, findRelease, releaseRecord } from './releases.ts'
import { lockRelease, writeReleaseState } from './store-release.ts'

/**
 * Gives gateways the release that waits. The policy stays as it is, so that no other person has to agree.
 * @param ref id or slug of the environment
 * @param id id or number of the release
 * @throws SvcError `environment-not-found`, `release-not-found`; `release-unusable` where it does not wait (any more)
 */
export async function takeRelease(deps: Deps, grant: Grant, ref: string, id: string, reason: string | null) {
  const actor = actorOf(grant) ?? 'system'
  const at = deps.clock.iso()
  const found = await findEnvironment(deps.db.read, tenantOf(grant).id, ref)
  return deps.db.inTransaction(async (tx) => {
    const environment = await lockEnvironment(tx, tenantOf(grant).id, found.id)
    await lockRelease(tx, environment.id)
    const { tenantId, policyVersion } = environment
    const row = await findRelease(tx, environment, id)
    const releaseState = await readReleaseState(tx, environment)
    const staged = releaseState?.staged ?? null
    if (staged === null || staged.releaseId !== row.id)
      throw new SvcError('release-unusable', { number: row.number, reason: 'it does not wait to be taken' })
    await writeReleaseState(tx, environment, {
      latestReleaseId: row.id,
      inputs: staged.inputs,
      compiledAt: releaseState?.compiledAt ?? at,
      failure: releaseState?.failure ?? null,
      failures: releaseState?.failures ?? 0,
      staged: null,
    })
    await appendAudit(tx, environment, {
      actor,
      action: 'release.taken',
      target: `release:${row.id}`,
      before: { release: row.previousId },
      after: { release: row.id, number: row.number, policyVersion: row.policyVersion, compiler: row.compiler },
      reason,
      policyVersion,
      at,
    })
    const detail = { environment: environment.slug, number: row.number, reason }
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'release.taken',
      targetId: row.id,
      detail,
      at,
    })
    tx.afterCommit(() => releaseNotifier(deps.db).notify(environment.id))
    const release = releaseRecord(row, await readTargets(tx, tenantId, [row.id]), await besideOf(tx, environment))
    return { release, message: `Gateways get release ${row.number} now.` }
  })
}
