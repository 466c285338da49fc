/** Versions of a policy: listed, compared, restored. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { securityPolicies } from '../../db/tables.gen.ts'
import { differencesOf } from '../../src/gateway-policy/compare.ts'
import { policyDigest } from '../../src/gateway-policy/digest.ts'
import { exceptionState, type Exception, type Policy, type RemovedRule } from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, describeActors, type Grant, tenantOf } from '../auth/door.ts'
import { readStablePage, type StablePage } from '../kit/door.ts'
import { changePolicy, type Controls } from './change.ts'
import type { PolicyDeps } from './enforcement.ts'
import { findEnvironment, readPolicy } from './store.ts'

/**
 * A page of the versions, newest first, with a comparison where two are named.
 * @throws SvcError `environment-not-found`, `security-version-not-found`
 */
export async function listVersions(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  { from, to, ...page }: StablePage & { readonly from: number | null; readonly to: number | null },
) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const mine = inTenant(securityPolicies, row.tenantId, eq(securityPolicies.environmentId, row.id))
  const { rows, page: counts } = await readStablePage(read, securityPolicies, {
    where: mine,
    order: [securityPolicies.version],
    page,
    added: securityPolicies.createdAt,
    now: deps.clock.iso(),
  })
  const people = await describeActors(
    read,
    row.tenantId,
    rows.map((it) => it.createdBy),
  )
  const pair =
    from === null || to === null ? null : await Promise.all([from, to].map((version) => readPolicy(read, row, version)))
  const [before, after] = pair ?? []
  return {
    versions: rows.map((row) => ({
      version: row.version,
      digest: row.digest,
      createdAt: row.createdAt,
      createdBy: row.createdBy,
      createdByName: people.get(row.createdBy ?? '')?.name ?? 'The service',
      changes: [...row.changes],
      restoredFrom: row.restoredFrom,
    })),
    comparison:
      before === undefined || after === undefined
        ? null
        : {
            from: before.version,
            to: after.version,
            changes: differencesOf(before.policy, after.policy, before.createdAt),
          },
    count: rows.length,
    ...counts,
  }
}

/** The older policy, with what is known since: rules that it did not have are removed ones, exceptions keep their end. */
function restored(now: Policy, older: Policy, actor: string | null, at: string): Policy {
  const kept = new Set(older.rules.map(({ id }) => id))
  const gone: RemovedRule[] = now.rules
    .filter(({ id }) => !kept.has(id))
    .map((rule) => ({ ...rule, removedAt: at, removedBy: actor }))
  const wasActive = new Map(older.exceptions.filter((it) => it.removedAt === null).map((it) => [it.id, it]))
  const exceptions = now.exceptions.map((exception): Exception => {
    const then = wasActive.get(exception.id)
    wasActive.delete(exception.id)
    if (then !== undefined) return then
    return exceptionState(exception, at) === 'active' ? { ...exception, removedAt: at } : exception
  })
  return {
    ...older,
    rules: older.rules.map((rule) => {
      // A rule keeps counting its changes.
      const later = [...now.rules, ...now.removedRules].find(({ id }) => id === rule.id)
      return later === undefined || later.version === rule.version ? rule : { ...rule, version: later.version + 1 }
    }),
    removedRules: [...gone, ...now.removedRules.filter(({ id }) => !kept.has(id))],
    exceptions: [...exceptions, ...wasActive.values()],
  }
}

/**
 * Makes an older version the newest one.
 * @throws SvcError `security-version-not-found`, and what `changePolicy` throws
 */
export async function restoreVersion(deps: PolicyDeps, grant: Grant, ref: string, version: number, controls: Controls) {
  const { read } = deps.db
  const { policy: older } = await readPolicy(read, await findEnvironment(read, tenantOf(grant).id, ref), version)
  const { result } = await changePolicy(
    deps,
    grant,
    ref,
    {
      operation: 'POST /security/policy-versions/restore',
      target: String(version),
      body: {},
      action: 'policy.restored',
      auditTarget: `version:${version}`,
      restoredFrom: version,
      edit: (policy, row) => {
        if (version > row.policyVersion) throw new SvcError('security-version-not-found', { version })
        return restored(policy, older, actorOf(grant), deps.clock.iso())
      },
      audited: (policy) => policyDigest(policy),
    },
    controls,
  )
  return { restoredFrom: version, ...result }
}
