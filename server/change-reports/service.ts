import { eq } from 'drizzle-orm'
import type { ChangeReport, ChangeReportPreview } from '../../src/api/change-reports.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { changeReports, versions } from '../../db/tables.gen.ts'
import { type ProjectImpact, withTypes } from '../analysis/door.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject, typesNow } from '../used-types/door.ts'
import { type BaselineRequest, compareHead, impactOfStep } from '../versions/door.ts'
import { findVersion, type FoundVersion, type VersionRow } from '../records/door.ts'
import { modelOf, renderedOf, type ReportBaseline } from './render.ts'
import { chooseTemplate } from './templates.ts'

export type ReportRow = typeof changeReports.$inferSelect

export interface ReportRefs {
  readonly project: string
  readonly version: string
}

/** A report as the contract shows it. */
export const toReport = (row: ReportRow): ChangeReport => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  publishedRevisionId: row.versionId,
  changeModelJson: { ...row.model },
  baselineRevisionId: row.baselineVersionId,
  renderedBody: row.renderedBody,
  headerSnapshot: row.headerSnapshot,
  footnoteSnapshot: row.footnoteSnapshot,
  editedRenderedBody: row.editedRenderedBody,
  editedHeaderSnapshot: row.editedHeaderSnapshot,
  editedFootnoteSnapshot: row.editedFootnoteSnapshot,
  effectiveRenderedBody: row.editedRenderedBody ?? row.renderedBody,
  effectiveHeaderSnapshot: row.editedHeaderSnapshot ?? row.headerSnapshot,
  effectiveFootnoteSnapshot: row.editedFootnoteSnapshot ?? row.footnoteSnapshot,
  editedAt: row.editedAt,
  editedBy: row.editedBy,
  templateVersionId: row.templateVersionId,
  renderedAt: row.renderedAt,
  regeneratedAt: row.regeneratedAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

async function findReport(read: Reader, { version }: FoundVersion): Promise<ReportRow> {
  const [row] = await read
    .select()
    .from(changeReports)
    .where(inTenant(changeReports, version.tenantId, eq(changeReports.versionId, version.id)))
    .limit(1)
  if (!row) throw new SvcError('change-report-not-found', { version: version.label })
  return row
}

/**
 * The report of a published version.
 * @throws SvcError `project-not-found`, `version-not-found`, `change-report-not-found`
 */
export async function getReport(deps: Deps, grant: Grant, refs: ReportRefs): Promise<ChangeReport> {
  const { read } = deps.db
  return toReport(await findReport(read, await findVersion(read, tenantOf(grant).id, refs.project, refs.version)))
}

/**
 * Only who made the version, or an administrator, changes what is reported of it.
 * @throws SvcError `creator-required`
 */
function assertMayEdit(grant: Grant, version: VersionRow): void {
  if (grant.role === 'owner' || grant.role === 'admin') return
  if (version.createdBy !== null && version.createdBy === actorOf(grant)) return
  throw new SvcError('creator-required', { version: version.label })
}

export interface ReportPatch {
  readonly editedRenderedBody?: string | null
  readonly editedHeaderSnapshot?: string | null
  readonly editedFootnoteSnapshot?: string | null
  readonly clearEdits?: boolean | null
}

/**
 * Edits a report over what was rendered.
 * @throws SvcError `project-not-found`, `version-not-found`, `change-report-not-found`, `creator-required`
 */
export async function editReport(
  deps: Deps,
  grant: Grant,
  refs: ReportRefs,
  patch: ReportPatch,
): Promise<ChangeReport> {
  const tenantId = tenantOf(grant).id
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const found = await findVersion(tx, tenantId, refs.project, refs.version)
    assertMayEdit(grant, found.version)
    await tx.lock(`change-report ${found.version.id}`)
    const row = await findReport(tx, found)
    const { clearEdits, ...given } = patch
    const edits =
      clearEdits === true
        ? { editedRenderedBody: null, editedHeaderSnapshot: null, editedFootnoteSnapshot: null }
        : {
            editedRenderedBody: row.editedRenderedBody,
            editedHeaderSnapshot: row.editedHeaderSnapshot,
            editedFootnoteSnapshot: row.editedFootnoteSnapshot,
            ...given,
          }
    const none = Object.values(edits).every((text) => text === null)
    const touched = clearEdits === true || Object.keys(given).length > 0
    const last = touched
      ? { editedAt: at, editedBy: actorOf(grant) }
      : { editedAt: row.editedAt, editedBy: row.editedBy }
    const by = none ? { editedAt: null, editedBy: null } : last
    const where = inTenant(changeReports, tenantId, eq(changeReports.id, row.id))
    const [updated] = await tx
      .update(changeReports)
      .set({ ...edits, ...by, updatedAt: touched ? at : row.updatedAt })
      .where(where)
      .returning()
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'change-report.edited',
      targetId: found.version.id,
      detail: { label: found.version.label, cleared: none },
      at,
    })
    return toReport(updated ?? row)
  })
}

/** Against what a published version was compared; null for a first publication, or where that version is gone. */
async function baselineOfReport(
  deps: Deps,
  row: ReportRow,
  version: VersionRow,
): Promise<{ baseline: ReportBaseline | null; impact: ProjectImpact | null }> {
  if (row.baselineVersionId === null) return { baseline: null, impact: null }
  const { read } = deps.db
  const where = inTenant(versions, row.tenantId, eq(versions.id, row.baselineVersionId))
  const [base] = await read.select().from(versions).where(where).limit(1)
  if (!base) return { baseline: null, impact: null }
  const [older, newer] = [await typedSubject(deps, read, base), await typedSubject(deps, read, version)]
  const result = await deps.analysis.compare(older, newer)
  const live = await deps.analysis.impacts.consumersOf(read, row.tenantId, row.projectId)
  const impact = live.length === 0 ? null : await deps.analysis.impactOf(older, newer, result, live)
  return { baseline: { version: base, result }, impact }
}

/**
 * Renders a report again, with the named template or the one that applies now; edits stay over it unless they are
 * discarded.
 * @throws SvcError `project-not-found`, `version-not-found`, `change-report-not-found`, `creator-required`,
 *   `template-not-found`
 */
export async function regenerateReport(
  deps: Deps,
  grant: Grant,
  refs: ReportRefs,
  request: { readonly templateVersionId?: string | null; readonly discardUserEdits?: boolean },
): Promise<ChangeReport> {
  const tenantId = tenantOf(grant).id
  const found = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const before = await findReport(deps.db.read, found)
  assertMayEdit(grant, found.version)
  const { baseline, impact } = await baselineOfReport(deps, before, found.version)
  const model = modelOf(found.project, found.version, baseline, impact)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`change-report ${found.version.id}`)
    const template = await chooseTemplate(tx, tenantId, found.project.id, request.templateVersionId ?? null)
    const cleared = {
      editedRenderedBody: null,
      editedHeaderSnapshot: null,
      editedFootnoteSnapshot: null,
      editedAt: null,
      editedBy: null,
    }
    const [row] = await tx
      .update(changeReports)
      .set({
        ...renderedOf(template, model),
        ...(request.discardUserEdits === true ? cleared : {}),
        renderedAt: at,
        regeneratedAt: at,
        updatedAt: at,
      })
      .where(inTenant(changeReports, tenantId, eq(changeReports.id, before.id)))
      .returning()
    if (!row) throw new SvcError('change-report-not-found', { version: found.version.label })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'change-report.regenerated',
      targetId: found.version.id,
      detail: { label: found.version.label, template: template.id, discarded: request.discardUserEdits === true },
      at,
    })
    return toReport(row)
  })
}

/**
 * What publishing would report; nothing is kept.
 * @throws SvcError `project-not-found`, `version-not-found`, `baseline-invalid`
 */
export async function previewReport(
  deps: Deps,
  grant: Grant,
  refs: ReportRefs,
  request: BaselineRequest,
): Promise<ChangeReportPreview> {
  const { read } = deps.db
  const tenant = tenantOf(grant)
  const found = await findVersion(read, tenant.id, refs.project, refs.version)
  const alone = deps.analysis.subjectOf(found.version)
  const head = {
    tenantId: tenant.id,
    projectId: found.project.id,
    label: found.version.label,
    subject: withTypes(alone, (await typesNow(deps, read, [alone])).used),
  }
  const { baseline, live } = await compareHead(deps, read, head, request)
  const impact = await impactOfStep(deps, read, head, baseline, live)
  const template = await chooseTemplate(read, tenant.id, found.project.id, null)
  const rendered = renderedOf(template, modelOf(found.project, found.version, baseline, impact))
  return {
    headerSnapshot: rendered.headerSnapshot,
    renderedBody: rendered.renderedBody,
    footnoteSnapshot: rendered.footnoteSnapshot,
    fromVersionLabel: baseline?.version.label ?? '',
    toVersionLabel: found.version.label,
    changeModelJson: { ...rendered.model },
    baselineRevisionId: baseline?.version.id ?? null,
    templateVersionId: rendered.templateVersionId,
    initialPublication: baseline === null,
  }
}
