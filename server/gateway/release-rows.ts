/** What the gateways of an environment are to use: its newest release, and what the next one would be made of. */
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewayReleaseStates, gatewayReleases, gatewayReleaseTargets } from '../../db/tables.gen.ts'
import { compilerVersion } from '../../src/gateway/compile/version.ts'
import type { DialectName } from '../../src/gateway/dialects/index.ts'
import { exceptionState, type Policy } from '../../src/gateway-policy/door.ts'
import { dialectOfKind } from '../../src/gateway/engines/index.ts'
import type { ReleaseInputs } from '../../src/gateway/release/cause.ts'
import { type Subject, subjectOf } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import type { VersionRow } from '../records/door.ts'
import { boundVersion, type EnvironmentRow } from '../gateway-policy/door.ts'
import { enforcersOf, type EnforcerRow } from './enforcer-rows.ts'
import { unpackContent } from '../../src/gateway/release/content.ts'

export type ReleaseStateRow = typeof gatewayReleaseStates.$inferSelect
export type ReleaseRow = typeof gatewayReleases.$inferSelect
export type TargetRow = typeof gatewayReleaseTargets.$inferSelect

export type EnvironmentKey = Pick<EnvironmentRow, 'id' | 'tenantId'>

/** Null before the first release was asked for. */
export async function readReleaseState(
  read: Reader,
  { id, tenantId }: EnvironmentKey,
): Promise<ReleaseStateRow | null> {
  const [row] = await read
    .select()
    .from(gatewayReleaseStates)
    .where(inTenant(gatewayReleaseStates, tenantId, eq(gatewayReleaseStates.environmentId, id)))
  return row ?? null
}

/** A release of an environment by id, or by its number as text; null where it has none. */
export async function readRelease(read: Reader, environment: EnvironmentKey, ref: string): Promise<ReleaseRow | null> {
  const isNumber = /^\d{1,9}$/.test(ref)
  const named = isNumber ? eq(gatewayReleases.number, Number(ref)) : eq(gatewayReleases.id, ref)
  const own = and(eq(gatewayReleases.environmentId, environment.id), named)
  const [row] = await read
    .select()
    .from(gatewayReleases)
    .where(inTenant(gatewayReleases, environment.tenantId, own))
  return row ?? null
}

const targetFacts = {
  releaseId: gatewayReleaseTargets.releaseId,
  engine: gatewayReleaseTargets.engine,
  digest: gatewayReleaseTargets.digest,
  madeAs: gatewayReleaseTargets.madeAs,
  files: gatewayReleaseTargets.files,
  settings: gatewayReleaseTargets.settings,
  notEnforced: gatewayReleaseTargets.notEnforced,
  notEnforcedCount: gatewayReleaseTargets.notEnforcedCount,
  operations: gatewayReleaseTargets.operations,
  bodies: gatewayReleaseTargets.bodies,
}
export type TargetFacts = Omit<TargetRow, 'content' | 'tenantId'>

/** What releases have for their engines, without the files themselves. */
export async function readTargets(read: Reader, tenantId: string, ids: readonly string[]): Promise<TargetFacts[]> {
  if (ids.length === 0) return []
  return read
    .select(targetFacts)
    .from(gatewayReleaseTargets)
    .where(inTenant(gatewayReleaseTargets, tenantId, inArray(gatewayReleaseTargets.releaseId, [...new Set(ids)])))
    .orderBy(asc(gatewayReleaseTargets.releaseId), asc(gatewayReleaseTargets.engine))
}

/** The same for one engine, with its files; null where the release has none for it. */
export async function readTarget(
  read: Reader,
  tenantId: string,
  releaseId: string,
  engine: DialectName,
): Promise<TargetRow | null> {
  const one = and(eq(gatewayReleaseTargets.releaseId, releaseId), eq(gatewayReleaseTargets.engine, engine))
  const [row] = await read
    .select()
    .from(gatewayReleaseTargets)
    .where(inTenant(gatewayReleaseTargets, tenantId, one))
  return row ?? null
}

/** The files of a release for one engine, as a text of an analysis. */
export const contentSubject = (
  { db }: Pick<Deps, 'db'>,
  tenantId: string,
  { releaseId, engine, digest }: Pick<TargetFacts, 'releaseId' | 'engine' | 'digest'>,
): Subject =>
  subjectOf({
    tenantId,
    digest: `gateway-release:${releaseId}:${engine}:${digest}`,
    source: `${engine}.json`,
    format: 'auto',
    bytes: async () => {
      const target = await readTarget(db.read, tenantId, releaseId, engine)
      const content = target === null ? { files: [], routes: [] } : await unpackContent(target.content)
      return new TextEncoder().encode(JSON.stringify(content))
    },
  })

/** The releases of an environment, newest first. */
export const releasesOf = (read: Reader, { id, tenantId }: EnvironmentKey) =>
  read
    .select()
    .from(gatewayReleases)
    .where(inTenant(gatewayReleases, tenantId, eq(gatewayReleases.environmentId, id)))
    .orderBy(desc(gatewayReleases.number))

/** The dialects that the gateways of an environment read, sorted. */
export const dialectsOf = (enforcers: readonly Pick<EnforcerRow, 'kind'>[]): DialectName[] =>
  [...new Set(enforcers.map(({ kind }) => dialectOfKind(kind).name))].sort()

/** What a release would be made of now. */
export async function inputsOf(
  read: Reader,
  row: EnvironmentRow,
  policy: Policy,
  now: string,
): Promise<{ readonly inputs: ReleaseInputs; readonly version: VersionRow | null }> {
  const version = await boundVersion(read, row.tenantId, policy.positive?.mode === 'off' ? null : policy.positive)
  const active = policy.exceptions.filter((it) => exceptionState(it, now) === 'active')
  return {
    version,
    inputs: {
      policyVersion: row.policyVersion,
      versionId: version?.id ?? null,
      documentDigest: version?.digest ?? null,
      slug: row.slug,
      hostnames: row.hostnames,
      basePaths: row.basePaths,
      evidence: row.evidence,
      exceptions: active.map(({ id }) => id).sort(),
      engines: dialectsOf(await enforcersOf(read, row)),
      compiler: compilerVersion,
    },
  }
}
