/** What a gateway pulls: the files of the newest release for its engine, signed. */
import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, isTenant } from '../../db/conditions.ts'
import { environments, gatewayEnforcers, tenants } from '../../db/tables.gen.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import { dialectOfKind } from '../../src/gateway/engines/index.ts'
import { SvcError } from '../../src/errors.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { etagOf, isKnown, Reply } from '../http/door.ts'
import type { EnforcerRow } from './enforcer-rows.ts'
import { environmentKey, evidenceKey } from '../gateway-policy/door.ts'
import {
  readReleaseState,
  readRelease,
  readTarget,
  readTargets,
  type ReleaseRow,
  type TargetRow,
} from './release-rows.ts'
import { releaseNotifier } from './release-notifier.ts'
import { unpackContent } from '../../src/gateway/release/content.ts'
import { recipientOf } from '../../src/gateway/release/digest.ts'
import { selfOf } from './self.ts'
import { openSigner } from './signing.ts'

/** That it was seen is written this often at most. */
const noteEveryMs = 15_000

/** Notes that a gateway was heard of. */
export async function noteSeen({ db, clock }: Deps, row: EnforcerRow): Promise<void> {
  const now = clock.now()
  if (row.silentAt === null && row.lastSeenAt !== null && Date.parse(row.lastSeenAt) > now - noteEveryMs) return
  await db.inTransaction((tx) =>
    tx
      .update(gatewayEnforcers)
      .set({ lastSeenAt: isoOf(now), silentAt: null })
      .where(inTenant(gatewayEnforcers, row.tenantId, eq(gatewayEnforcers.id, row.id))),
  )
}

interface Offered {
  readonly latest: string | null
  readonly target: Pick<TargetRow, 'releaseId' | 'digest'> | null
}

/** Two releases may have the same files: the tag says which of them it is. */
const tagOf = ({ releaseId, digest }: Pick<TargetRow, 'releaseId' | 'digest'>): string =>
  etagOf(`${releaseId}.${digest}`)

/** What a gateway is to use now. */
async function offeredTo({ db: { read } }: Deps, { environmentId, tenantId, kind }: EnforcerRow): Promise<Offered> {
  const releaseState = await readReleaseState(read, { id: environmentId, tenantId })
  const latest = releaseState?.latestReleaseId ?? null
  if (latest === null) return { latest, target: null }
  const targets = await readTargets(read, tenantId, [latest])
  return { latest, target: targets.find(({ engine }) => engine === dialectOfKind(kind).name) ?? null }
}

async function bundleOf(deps: Deps, enforcer: EnforcerRow, release: ReleaseRow, target: TargetRow): Promise<string> {
  const { tenantId, environmentId } = enforcer
  const [environment] = await deps.db.read
    .select({
      id: environments.id,
      slug: environments.slug,
      evidence: environments.evidence,
      organization: { id: tenants.id, slug: tenants.slug },
    })
    .from(environments)
    .innerJoin(tenants, isTenant(environments.tenantId))
    .where(inTenant(environments, tenantId, eq(environments.id, environmentId)))
  if (environment === undefined) throw new SvcError('enforcer-not-found', { enforcer: enforcer.id })
  const { files, routes } = await unpackContent(target.content)
  const digests = new Map(target.files.map(({ path, sha256 }) => [path, sha256]))
  const secret = await deps.db.inTransaction((tx) => evidenceKey(deps, tx, tenantId))
  const signer = await openSigner(deps)
  const bundle = {
    format: 2,
    organization: environment.organization,
    environment: { id: environment.id, slug: environment.slug },
    enforcerId: enforcer.id,
    recipient: recipientOf(enforcer.keyHash),
    releaseId: release.id,
    number: release.number,
    policyVersion: release.policyVersion,
    engine: target.engine,
    createdAt: release.createdAt,
    digest: target.digest,
    files: files.map(({ path, text }) => ({ path, sha256: digests.get(path) ?? '', text })),
    routes: routes.map(({ method, route, pattern }) => ({ method, route, pattern })),
    evidence: environment.evidence,
    evidenceKey: environmentKey(secret, environmentId),
    keyId: signer.keyId,
  }
  return JSON.stringify({ ...bundle, signature: signer.sign(canonicalJson(bundle)) })
}

/**
 * The newest release for a gateway. It waits where the gateway has it already, or where there is none yet.
 * @param asked how long it waits at most, what the gateway has (If-None-Match), and what ends the wait
 * @returns 200 with the bundle, or 304
 * @throws SvcError `release-not-found` before the first release, `enforcer-not-found`
 */
export async function pullBundle(
  deps: Deps,
  grant: Grant,
  asked: { readonly waitSeconds: number; readonly ifNoneMatch: string | null; readonly signal: AbortSignal },
): Promise<Reply> {
  const enforcer = await selfOf(deps.db.read, grant)
  await noteSeen(deps, enforcer)
  const has = ({ target }: Offered) => target === null || isKnown(asked.ifNoneMatch, tagOf(target))
  let offered = await offeredTo(deps, enforcer)
  if (has(offered)) {
    await releaseNotifier(deps.db).wait(enforcer, offered.latest, asked.waitSeconds * 1000, asked.signal)
    offered = await offeredTo(deps, enforcer)
  }
  const { latest, target } = offered
  if (latest === null || target === null) throw new SvcError('release-not-found', { what: 'release for this gateway' })
  const etag = tagOf(target)
  if (has(offered)) return new Reply({ status: 304, headers: { etag }, body: null })
  // Its key may have ended while it waited.
  await selfOf(deps.db.read, grant)
  const { tenantId, environmentId } = enforcer
  const [release, whole] = await Promise.all([
    readRelease(deps.db.read, { id: environmentId, tenantId }, latest),
    readTarget(deps.db.read, tenantId, latest, dialectOfKind(enforcer.kind).name),
  ])
  if (release === null || whole === null) throw new SvcError('release-not-found', { what: 'release for this gateway' })
  const body = await bundleOf(deps, enforcer, release, whole)
  return new Reply({ headers: { 'content-type': 'application/json', etag }, body })
}
