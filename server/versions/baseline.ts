/** What a version is compared with: the version that clients have now, or the one that its publication names. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import type { BaselineMode } from '../../src/api/baseline-modes.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { SvcError } from '../../src/errors.ts'
import type { LiveConsumer, ProjectImpact, Subject } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { baselineOf, type FoundVersion, type VersionRow } from '../records/door.ts'
import { typedSubject } from '../used-types/door.ts'

/** A published version and what changes against it. */
export interface Comparison {
  readonly version: VersionRow
  readonly result: DiffResult
}

/** Which published version a publication is compared with, as its caller says. */
export interface BaselineRequest {
  readonly changeReportBaselineMode?: BaselineMode
  readonly changeReportBaselineRevisionId?: string | null
}

/** What is compared: a stored version, or a document that may become one. */
export interface ComparisonHead {
  readonly tenantId: string
  /** Null where the project does not exist yet. */
  readonly projectId: string | null
  readonly label: string
  /** The document with the registered types that it refers to. */
  readonly subject: Subject
}

/** A head compared with what is published. */
export interface ComparedHead {
  /** The other versions of the project. */
  readonly siblings: readonly VersionRow[]
  /** Against what clients have now; null where nothing is published. */
  readonly current: Comparison | null
  /** Against the baseline of the change record. */
  readonly baseline: Comparison | null
  readonly baselineMode: BaselineMode
  /** The consumers that declared what they use. */
  readonly live: readonly LiveConsumer[]
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

/**
 * Compares a head with what clients have now and with the baseline of its publication.
 * @throws SvcError `baseline-invalid`, `analysis-stopped`
 */
export async function compareHead(
  deps: Deps,
  read: Reader,
  { tenantId, projectId, label, subject }: ComparisonHead,
  request: BaselineRequest = {},
): Promise<ComparedHead> {
  const siblings = await siblingsOf(read, tenantId, projectId, label)
  const compare = async (version: VersionRow | null): Promise<Comparison | null> => {
    if (version === null) return null
    const result = await deps.analysis.compare(await typedSubject(deps, read, version), subject)
    return { version, result }
  }
  const baselineMode = request.changeReportBaselineMode ?? 'auto'
  const current = await compare(baselineOf(label, siblings))
  const chosen = async () =>
    baselineMode === 'initial' ? null : compare(namedBaseline(siblings, request.changeReportBaselineRevisionId))
  const baseline = baselineMode === 'auto' ? current : await chosen()
  const live = projectId === null ? [] : await deps.analysis.impacts.consumersOf(read, tenantId, projectId)
  return { siblings, current, baseline, baselineMode, live }
}

/**
 * What the step from a published version means for consumers; null where nothing is published or none declared what it uses.
 * @throws SvcError `analysis-stopped`
 */
export async function impactOfStep(
  deps: Deps,
  read: Reader,
  { subject }: Pick<ComparisonHead, 'subject'>,
  step: Comparison | null,
  live: readonly LiveConsumer[],
): Promise<ProjectImpact | null> {
  if (step === null || live.length === 0) return null
  return deps.analysis.impactOf(await typedSubject(deps, read, step.version), subject, step.result, live)
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
