import type { BaselineMode } from '../../src/api/baseline-modes.ts'
import type { Gate } from '../../src/api/versions.ts'
import type { Reader } from '../../db/database.ts'
import { type Analysis, type ProjectImpact, withTypes } from '../analysis/door.ts'
import type { GrantedTenant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { gatewayImpacts } from '../gateway/door.ts'
import type { FoundVersion, VersionRow } from '../records/door.ts'
import { reviewFacts, reviewStamp } from '../reviews/door.ts'
import { countByRule } from '../search-index/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { lintVersion, typesNow, type TypeUse } from '../used-types/door.ts'
import { type BaselineRequest, compareHead, type Comparison, impactOfStep } from '../versions/door.ts'
import { evaluateGates, unreviewed } from './gates.ts'

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
  const compared = { tenantId: tenant.id, projectId, label, subject: head }
  const { siblings, current, baseline, baselineMode, live } = await compareHead(deps, read, compared, request)
  const impact = await impactOfStep(deps, read, compared, current, live)
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
    baselineMode,
    impact: await impactOfStep(deps, read, compared, baseline, live),
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
