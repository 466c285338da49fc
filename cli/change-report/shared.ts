/** What the commands about change reports and their templates share. */
import { changeReportsApi, type ReportTemplate } from '../../src/api/change-reports.ts'
import { SvcError } from '../../src/errors.ts'
import type { Connection } from '../connection/connection.ts'

export const reportArguments = [
  { name: 'project', required: true, summary: 'id or slug' },
  { name: 'version', required: true, summary: 'id, label or slug', field: 'version_record_id' },
] as const

export const reportParams = (tenant: string, args: { readonly project: string; readonly version: string }) => ({
  tenant_slug: tenant,
  project_id: args.project,
  version_record_id: args.version,
})

/** The three parts of a report as one text. */
export const joinReport = (...parts: readonly (string | null)[]): string =>
  `${parts
    .map((it) => it?.trimEnd() ?? '')
    .filter(Boolean)
    .join('\n\n')}\n`

export const scopeOption = {
  type: 'string',
  placeholder: 'PROJECT',
  summary: 'for this project (default: for the organization)',
} as const

export const scopeQuery = (project: string | undefined): { readonly project?: string } =>
  project === undefined ? {} : { project }

/**
 * A version of a template by its id, or, for null, the one that reports of the project (or of the tenant) are rendered
 * with.
 * @throws SvcError `template-not-found`, `project-not-found`
 */
export async function findTemplate(
  connection: () => Promise<Connection>,
  id: string | null,
  project: string | undefined,
): Promise<ReportTemplate> {
  const { call, tenant } = await connection()
  const params = { tenant_slug: await tenant() }
  const { items } = await call(changeReportsApi.listTemplates, { params, query: scopeQuery(project) })
  const template = items.find((it) => (id === null ? it.isDefault : it.id === id))
  if (!template) throw new SvcError('template-not-found', { template: id ?? 'in use' })
  return template
}
