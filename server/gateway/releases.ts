/** What the gateways of an environment were given. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewayReleases } from '../../db/tables.gen.ts'
import type { Release, ReleaseComparison, ReleaseDetail } from '../../src/api/gateway-releases.ts'
import { type DialectName, dialects } from '../../src/gateway/dialects/index.ts'
import { differencesOfSettings } from '../../src/gateway/release/difference.ts'
import { differsInVersionOnly, isInForce, type ReleaseInputs } from '../../src/gateway/release/cause.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { holds } from './make-release.ts'
import { enforcersOf, type EnforcerRow } from './enforcer-rows.ts'
import {
  contentSubject,
  readReleaseState,
  readRelease,
  readTarget,
  readTargets,
  type ReleaseStateRow,
  type ReleaseRow,
  type TargetFacts,
} from './release-rows.ts'
import { unpackContent } from '../../src/gateway/release/content.ts'
import { documentsBetween } from './release-documents.ts'
import { type EnvironmentRow, findEnvironment } from '../gateway-policy/door.ts'

export interface Beside {
  readonly environment: EnvironmentRow
  readonly releaseState: ReleaseStateRow | null
  readonly enforcers: readonly EnforcerRow[]
}

export async function besideOf(read: Reader, environment: EnvironmentRow): Promise<Beside> {
  return {
    environment,
    releaseState: await readReleaseState(read, environment),
    enforcers: await enforcersOf(read, environment),
  }
}

export function releaseRecord(row: ReleaseRow, targets: readonly TargetFacts[], beside: Beside): Release {
  const { environment, releaseState, enforcers } = beside
  const isLatest = releaseState?.latestReleaseId === row.id
  const sum = (of: 'added' | 'removed') => row.differences.reduce((total, it) => total + it[of], 0)
  return {
    id: row.id,
    number: row.number,
    policyVersion: row.policyVersion,
    projectId: row.projectId,
    versionId: row.versionId,
    versionLabel: row.versionLabel,
    digest: row.digest,
    trigger: row.trigger,
    rolledBackTo: row.rolledBackTo,
    isLatest,
    isStaged: releaseState?.staged?.releaseId === row.id,
    compiler: row.compiler,
    holds: isLatest && holds(row, environment),
    diff: { added: sum('added'), removed: sum('removed') },
    targets: targets
      .filter(({ releaseId }) => releaseId === row.id)
      .map(({ engine, digest, files, operations, bodies, notEnforcedCount }) => ({
        engine,
        digest,
        files: files.length,
        bytes: files.reduce((total, it) => total + it.bytes, 0),
        operations,
        bodies,
        notEnforced: notEnforcedCount,
      })),
    activeOn: enforcers.filter(({ activeReleaseId }) => activeReleaseId === row.id).map(({ id }) => id),
    createdAt: row.createdAt,
    createdBy: row.createdBy,
  }
}

/** @throws SvcError `release-not-found` */
export async function findRelease(read: Reader, environment: EnvironmentRow, id: string): Promise<ReleaseRow> {
  const row = await readRelease(read, environment, id)
  if (row === null) throw new SvcError('release-not-found', { what: `release "${id}"` })
  return row
}

/**
 * What differs between two releases.
 * @throws SvcError `release-not-found`, `analysis-stopped`
 */
export async function compareReleases(
  deps: Deps,
  environment: EnvironmentRow,
  from: string,
  to: string,
): Promise<ReleaseComparison> {
  const { read } = deps.db
  const { tenantId } = environment
  const [older, newer] = [await findRelease(read, environment, from), await findRelease(read, environment, to)]
  const targets = await readTargets(read, tenantId, [older.id, newer.id])
  const before = targets.filter(({ releaseId }) => releaseId === older.id)
  const after = targets.filter(({ releaseId }) => releaseId === newer.id)
  const enginesIn = (list: readonly TargetFacts[]): DialectName[] => list.map(({ engine }) => engine)
  const texts = [...before, ...after].map((it) => contentSubject(deps, tenantId, it))
  const input = { before: enginesIn(before), after: enginesIn(after) }
  const files = await deps.analysis.run(tenantId, 'gateway-comparison', input, texts)
  const engines = [...new Set([...input.before, ...input.after])]
  const settingsOf = (list: readonly TargetFacts[], engine: DialectName) =>
    list.find((it) => it.engine === engine)?.settings ?? []
  return {
    from: older.id,
    to: newer.id,
    added: files.reduce((sum, it) => sum + it.added, 0),
    removed: files.reduce((sum, it) => sum + it.removed, 0),
    files: files.map(({ hunks, ...rest }) => ({
      ...rest,
      hunks: hunks.map((it) => ({ ...it, removed: [...it.removed], added: [...it.added] })),
    })),
    documents: await documentsBetween(deps, older, newer),
    settings: engines.flatMap((it) => differencesOfSettings(it, settingsOf(before, it), settingsOf(after, it))),
  }
}

/** Whether gateways have what could not be compiled in another form: of an earlier version of the document, or of an older compiler. */
const isReleased = ({ inputs }: ReleaseStateRow, failed: ReleaseInputs): boolean =>
  inputs !== null && (isInForce(inputs, failed) || differsInVersionOnly(inputs, failed))

/**
 * A page of the releases, newest first.
 * @throws SvcError `environment-not-found`; with `from` and `to` `release-not-found`, `analysis-stopped`
 */
export async function listReleases(
  deps: Deps,
  grant: Grant,
  ref: string,
  { from, to, ...page }: StablePage & { readonly from: string | null; readonly to: string | null },
) {
  const { read } = deps.db
  const environment = await findEnvironment(read, tenantOf(grant).id, ref)
  const beside = await besideOf(read, environment)
  const { rows, page: counts } = await readStablePage(read, gatewayReleases, {
    where: inTenant(gatewayReleases, environment.tenantId, eq(gatewayReleases.environmentId, environment.id)),
    order: [gatewayReleases.number],
    page,
    added: gatewayReleases.createdAt,
    now: deps.clock.iso(),
  })
  const targets = await readTargets(
    read,
    environment.tenantId,
    rows.map(({ id }) => id),
  )
  const made = beside.releaseState
  const failure = made?.failure ?? null
  return {
    releases: rows.map((row) => releaseRecord(row, targets, beside)),
    comparison: from === null || to === null ? null : await compareReleases(deps, environment, from, to),
    failure:
      failure === null
        ? null
        : {
            at: failure.at,
            reason: failure.reason,
            policyVersion: failure.inputs.policyVersion,
            isReleased: made !== null && isReleased(made, failure.inputs),
          },
    count: rows.length,
    ...counts,
  }
}

/** @throws SvcError `environment-not-found`, `release-not-found` */
export async function showRelease(deps: Deps, grant: Grant, ref: string, id: string): Promise<ReleaseDetail> {
  const { read } = deps.db
  const environment = await findEnvironment(read, tenantOf(grant).id, ref)
  const row = await findRelease(read, environment, id)
  const targets = await readTargets(read, environment.tenantId, [row.id])
  const each = <T>(list: (it: TargetFacts) => readonly T[]) =>
    targets.flatMap((it) => list(it).map((one) => ({ engine: it.engine, ...one })))
  return {
    ...releaseRecord(row, targets, await besideOf(read, environment)),
    files: each(({ files }) => files),
    differences: row.differences.map((it) => ({ ...it })),
    settings: each(({ settings }) => settings),
    notEnforced: each(({ notEnforced }) => notEnforced),
  }
}

/** @throws SvcError `environment-not-found`, `release-not-found` */
export async function releaseFile(
  deps: Deps,
  grant: Grant,
  ref: string,
  file: { readonly release: string; readonly path: string; readonly engine: DialectName | null },
) {
  const { read } = deps.db
  const environment = await findEnvironment(read, tenantOf(grant).id, ref)
  const row = await findRelease(read, environment, file.release)
  const [first] = await readTargets(read, environment.tenantId, [row.id])
  const engine = file.engine ?? first?.engine ?? dialects[0].name
  const target = await readTarget(read, environment.tenantId, row.id, engine)
  if (target === null) throw new SvcError('release-not-found', { what: `part of the release for ${engine}` })
  const known = target.files.find(({ path }) => path === file.path)
  const found = (await unpackContent(target.content)).files.find(({ path }) => path === file.path)
  if (known === undefined || found === undefined)
    throw new SvcError('release-not-found', { what: `file "${file.path}" in this release` })
  return { engine, path: found.path, sha256: known.sha256, text: found.text }
}
