import type { BaselineMode } from '../../src/api/baseline-modes.ts'
import { eq } from 'drizzle-orm'
import type { Gate } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import type { Analysis } from '../analysis/analysis.ts'
import type { ProjectImpact } from '../analysis/impacts.ts'
import { withTypes } from '../analysis/subject.ts'
import type { GrantedTenant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { countByRule } from '../specs/search-index.ts'
import { gatewayImpacts } from '../gateway/impact.ts'
import { reviewFacts, reviewStamp } from '../reviews/facts.ts'
import { lintVersion } from '../primitives/lint-with-types.ts'
import { typedSubject, typesNow, type TypeUse } from '../primitives/used-types.ts'
import { effectiveGuide } from '../style-guides/effective.ts'
import type { Comparison } from './comparison.ts'
import { evaluateGates, unreviewed } from './gates.ts'
import { baselineOf } from './latest.ts'
import type { VersionRow } from './record.ts'
import type { FoundVersion } from './service.ts'

/** Which published version a publication is compared with, as its caller says. */
export interface BaselineRequest {
  readonly changeReportBaselineMode?: BaselineMode
  readonly changeReportBaselineRevisionId?: string | null
}

/** What the gates need to know about a version, published or about to be. */
export interface PublicationCandidate {
  readonly projectId: string | null
  readonly projectSlug: string
  readonly label: string
  readonly slug: string
  readonly analysis: Analysis
  /** Whether these very bytes can be read back: only then is there evidence to point to. */
  readonly isStored: boolean
  /** The stored version with exactly this content; "new" where no one can have reviewed it; null: it is only tried. */
  readonly reviewed: VersionRow | 'new' | null
}

/** What publishing a candidate would mean. */
export interface Assessment {
  readonly gates: readonly Gate[]
  /** Against what clients have now: what the gates look at; null where nothing is published. */
  readonly current: Comparison | null
  /** Against the baseline of the change record. */
  readonly baseline: Comparison | null
  readonly baselineMode: BaselineMode
  /** What the step from the baseline means for consumers; null where none declared what it uses. */
  readonly impact: ProjectImpact | null
  /** What reviews and threads were when it was made; "" for a candidate that is not stored. */
  readonly stamp: string
  /** The registered types that it refers to, as they are now. */
  readonly types: TypeUse
  /** What lint makes of it together with these types. */
  readonly grade: Analysis['grade']
  /** How many findings of each rule that is. */
  readonly rules: ReadonlyMap<string, number>
}

/** The versions of a project, itself left out. */
async function siblingsOf(read: Reader, tenantId: string, projectId: string | null, label: string) {
  if (projectId === null) return []
  const where = inTenant(versions, tenantId, eq(versions.projectId, projectId))
  return (await read.select().from(versions).where(where)).filter((row) => row.label !== label)
}

/** The version a candidate is compared with now; a transaction asks again, since another may have been published. */
export async function currentOf(
  read: Reader,
  tenantId: string,
  projectId: string | null,
  label: string,
): Promise<VersionRow | null> {
  return baselineOf(label, await siblingsOf(read, tenantId, projectId, label))
}

/** The version that was chosen as the baseline. @throws SvcError `baseline-invalid` */
export function namedBaseline<Row extends Pick<VersionRow, 'id' | 'label' | 'status'>>(
  siblings: readonly Row[],
  id: string | null | undefined,
): Row {
  if (!id) throw new SvcError('baseline-invalid', { reason: 'the mode "manual" needs changeReportBaselineRevisionId' })
  const row = siblings.find((one) => one.id === id)
  if (!row) throw new SvcError('baseline-invalid', { reason: `"${id}" is not another version of this project` })
  if (row.status === 'draft') throw new SvcError('baseline-invalid', { reason: `"${row.label}" is not published` })
  return row
}

/** Where the gates point their reader to; null for a candidate whose bytes are not stored. */
export function evidenceUrls(
  deps: Pick<Deps, 'publicUrl'>,
  tenant: Pick<GrantedTenant, 'slug'>,
  candidate: Pick<PublicationCandidate, 'isStored' | 'projectSlug' | 'slug'>,
  current: Pick<VersionRow, 'slug'> | null,
) {
  if (!candidate.isStored) return { lintUrl: null, changesUrl: null }
  const [tenantSlug, project, version] = [tenant.slug, candidate.projectSlug, candidate.slug].map(encodeURIComponent)
  const base = current === null ? null : encodeURIComponent(current.slug)
  return {
    lintUrl: `${deps.publicUrl()}/v1/lint/${tenantSlug}/catalog/${project}/${version}`,
    changesUrl:
      base === null
        ? null
        : `${deps.publicUrl()}/v1/tenants/${tenantSlug}/projects/${project}/versions/${version}/changes?base=${base}`,
  }
}

/**
 * Evaluates all publish gates of a candidate and compares it with its baseline.
 * @throws SvcError `baseline-invalid`, `analysis-stopped`
 */
export async function assess(
  deps: Deps,
  read: Reader,
  tenant: GrantedTenant,
  candidate: PublicationCandidate,
  request: BaselineRequest = {},
): Promise<Assessment> {
  const { projectId, label, reviewed } = candidate
  const { guide, policy } = await effectiveGuide(read, tenant.id, projectId)
  const { subject } = candidate.analysis
  const types = await typesNow(deps, read, [subject])
  const analysis = await deps.analysis.judge(candidate.analysis, guide, types.used)
  const head = withTypes(subject, types.used)
  const siblings = await siblingsOf(read, tenant.id, projectId, label)
  const compare = async (version: VersionRow | null): Promise<Comparison | null> => {
    if (version === null) return null
    const result = await deps.analysis.compare(await typedSubject(deps, read, version), head)
    return { version, result }
  }
  const mode = request.changeReportBaselineMode ?? 'auto'
  const current = await compare(baselineOf(label, siblings))
  const baseline =
    mode === 'auto'
      ? current
      : mode === 'initial'
        ? null
        : await compare(namedBaseline(siblings, request.changeReportBaselineRevisionId))
  const live = projectId === null ? [] : await deps.analysis.impacts.consumersOf(read, tenant.id, projectId)
  const impactOf = async (comparison: Comparison | null): Promise<ProjectImpact | null> => {
    if (comparison === null || live.length === 0) return null
    const { version, result } = comparison
    return deps.analysis.impactOf(await typedSubject(deps, read, version), head, result, live)
  }
  const impact = await impactOf(current)
  const stored = reviewed === 'new' ? null : reviewed
  const stamp = stored === null ? '' : await reviewStamp(read, stored)
  const { lintUrl, changesUrl } = evidenceUrls(deps, tenant, candidate, current?.version ?? null)
  const gates = evaluateGates({
    label,
    invalid: analysis.invalid,
    unresolvedRefs: analysis.unresolvedRefs + types.missing.length,
    grade: analysis.grade,
    policy,
    lintUrl,
    consumers: live.length,
    impact: impact?.consumers ?? null,
    gateways:
      projectId === null
        ? null
        : await gatewayImpacts(deps, read, { tenantId: tenant.id, projectId, label, head, siblings, live }),
    published: current === null ? null : { label: current.version.label, changes: current.result.changes, changesUrl },
    reviews:
      reviewed === 'new'
        ? unreviewed
        : stored === null
          ? null
          : await reviewFacts(deps, read, stored, { policy, current, classes: analysis.classNames }),
  })
  return {
    gates,
    current,
    baseline,
    baselineMode: mode,
    impact: await impactOf(baseline),
    stamp,
    types,
    grade: analysis.grade,
    rules: countByRule(analysis.findings),
  }
}

/**
 * Assesses a stored version.
 * @throws SvcError `baseline-invalid`
 */
export async function assessVersion(
  deps: Deps,
  read: Reader,
  tenant: GrantedTenant,
  { project, version }: FoundVersion,
  request: BaselineRequest = {},
): Promise<Assessment> {
  const { guide } = await effectiveGuide(read, tenant.id, project.id)
  const analysis = await lintVersion(deps, read, version, guide)
  const { label, slug } = version
  const candidate = {
    projectId: project.id,
    projectSlug: project.slug,
    label,
    slug,
    analysis,
    isStored: true,
    reviewed: version,
  }
  return assess(deps, read, tenant, candidate, request)
}

/** What a stored version changes against the one that is published now, and the names of its schemas. */
export async function baselineComparison(
  deps: Deps,
  read: Reader,
  { project, version }: FoundVersion,
): Promise<{ readonly current: Comparison | null; readonly classes: readonly string[] }> {
  const { classNames: classes } = await deps.analysis.ofVersion(version)
  const published = await currentOf(read, version.tenantId, project.id, version.label)
  if (published === null) return { current: null, classes }
  const [before, after] = [await typedSubject(deps, read, published), await typedSubject(deps, read, version)]
  const result = await deps.analysis.compare(before, after)
  return { current: { version: published, result }, classes }
}
