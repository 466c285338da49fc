import { and, desc, eq, isNull, max } from 'drizzle-orm'
import type { ReportTemplate } from '../../src/api/change-reports.ts'
import { checkTemplate, systemTemplate, type TemplateTexts } from '../../src/change-report/template.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { changeReportTemplates } from '../../db/tables.gen.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject } from '../records/door.ts'

type TemplateRow = typeof changeReportTemplates.$inferSelect

/** A template as it is used: its id names one version for good. */
export interface ChosenTemplate extends TemplateTexts {
  readonly id: string
}

const mostProblems = 100

const toTemplate = (row: TemplateRow): ReportTemplate => ({
  id: row.id,
  scope: row.projectId === null ? 'tenant' : 'project',
  projectId: row.projectId,
  version: String(row.version),
  name: row.name,
  header: row.header,
  body: row.body,
  footnote: row.footnote,
  isDefault: row.isDefault,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
})

const scopeOf = (projectId: string | null) =>
  projectId === null ? isNull(changeReportTemplates.projectId) : eq(changeReportTemplates.projectId, projectId)

async function defaultOf(read: Reader, tenantId: string, projectId: string | null): Promise<TemplateRow | null> {
  const [row] = await read
    .select()
    .from(changeReportTemplates)
    .where(inTenant(changeReportTemplates, tenantId, scopeOf(projectId), eq(changeReportTemplates.isDefault, true)))
    .limit(1)
  return row ?? null
}

/**
 * The template of a report: the named one, else the project's, else the tenant's, else the system's.
 * @throws SvcError `template-not-found`
 */
export async function chooseTemplate(
  read: Reader,
  tenantId: string,
  projectId: string,
  named: string | null,
): Promise<ChosenTemplate> {
  if (named === systemTemplate.id) return systemTemplate
  if (named !== null) {
    const [row] = await read
      .select()
      .from(changeReportTemplates)
      .where(inTenant(changeReportTemplates, tenantId, eq(changeReportTemplates.id, named)))
      .limit(1)
    if (row && (row.projectId === null || row.projectId === projectId)) return row
    throw new SvcError('template-not-found', { template: named })
  }
  return (await defaultOf(read, tenantId, projectId)) ?? (await defaultOf(read, tenantId, null)) ?? systemTemplate
}

async function versionsOf(read: Reader, tenantId: string, projectId: string | null): Promise<readonly TemplateRow[]> {
  return read
    .select()
    .from(changeReportTemplates)
    .where(inTenant(changeReportTemplates, tenantId, scopeOf(projectId)))
    .orderBy(desc(changeReportTemplates.version))
}

const systemRecord = (isDefault: boolean): ReportTemplate => ({
  ...systemTemplate,
  scope: 'system',
  projectId: null,
  name: 'System',
  isDefault,
  createdBy: null,
  createdAt: null,
})

/**
 * The templates that a tenant may use, or a project: its own before the tenant's before the system's, each newest first,
 * the one that applies marked.
 * @throws SvcError `project-not-found`
 */
export async function listTemplates(deps: Deps, grant: Grant, projectRef: string | null) {
  const { read } = deps.db
  const tenantId = tenantOf(grant).id
  const own =
    projectRef === null ? [] : await versionsOf(read, tenantId, (await findProject(read, tenantId, projectRef)).id)
  const rows = [...own, ...(await versionsOf(read, tenantId, null))]
  const used = rows.find((row) => row.isDefault)
  const items = [
    ...rows.map((row) => ({ ...toTemplate(row), isDefault: row === used })),
    systemRecord(used === undefined),
  ]
  return { items, total: items.length }
}

const dropDefaults = async (tx: Transaction, tenantId: string, projectId: string | null): Promise<void> => {
  await tx
    .update(changeReportTemplates)
    .set({ isDefault: false })
    .where(
      inTenant(changeReportTemplates, tenantId, and(scopeOf(projectId), eq(changeReportTemplates.isDefault, true))),
    )
}

/**
 * Adds a version and makes it the default of its scope.
 * @throws SvcError `project-not-found`, `template-invalid`
 */
export async function addTemplate(
  deps: Deps,
  grant: Grant,
  input: TemplateTexts & { readonly project?: string | null; readonly name?: string },
): Promise<ReportTemplate> {
  const problems = checkTemplate(input)
  const [first] = problems
  if (first)
    throw new SvcError('template-invalid', {
      reason: `${first.part}, line ${first.line}, column ${first.column}: ${first.message}`,
      problems: problems.slice(0, mostProblems),
    })
  const tenantId = tenantOf(grant).id
  return deps.db.inTransaction(async (tx) => {
    const projectId = input.project ? (await findProject(tx, tenantId, input.project)).id : null
    await tx.lock(`change-report-templates ${tenantId}`)
    const where = inTenant(changeReportTemplates, tenantId, scopeOf(projectId))
    const [last] = await tx
      .select({ n: max(changeReportTemplates.version) })
      .from(changeReportTemplates)
      .where(where)
    await dropDefaults(tx, tenantId, projectId)
    const { header, body, footnote } = input
    const version = (last?.n ?? 0) + 1
    const [row] = await tx
      .insert(changeReportTemplates)
      .values({
        id: newId(),
        tenantId,
        projectId,
        version,
        name: input.name ?? `Version ${version}`,
        header,
        body,
        footnote,
        isDefault: true,
        createdBy: actorOf(grant),
        createdAt: deps.clock.iso(),
      })
      .returning()
    if (!row) throw new Error('the template was not written')
    return toTemplate(row)
  })
}

/**
 * Makes a version the default of its scope again; with the system's template the tenant has none of its own.
 * @throws SvcError `template-not-found`
 */
export async function useTemplate(deps: Deps, grant: Grant, id: string): Promise<ReportTemplate> {
  const tenantId = tenantOf(grant).id
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`change-report-templates ${tenantId}`)
    if (id === systemTemplate.id) {
      await dropDefaults(tx, tenantId, null)
      return systemRecord(true)
    }
    const where = inTenant(changeReportTemplates, tenantId, eq(changeReportTemplates.id, id))
    const [found] = await tx.select().from(changeReportTemplates).where(where).limit(1)
    if (!found) throw new SvcError('template-not-found', { template: id })
    await dropDefaults(tx, tenantId, found.projectId)
    await tx.update(changeReportTemplates).set({ isDefault: true }).where(where)
    return toTemplate({ ...found, isDefault: true })
  })
}

/**
 * Lets a project or tenant have no template of its own.
 * @throws SvcError `project-not-found`
 */
export async function dropDefault(deps: Deps, grant: Grant, projectRef: string | null): Promise<void> {
  const tenantId = tenantOf(grant).id
  await deps.db.inTransaction(async (tx) => {
    const projectId = projectRef === null ? null : (await findProject(tx, tenantId, projectRef)).id
    await tx.lock(`change-report-templates ${tenantId}`)
    await dropDefaults(tx, tenantId, projectId)
  })
}
