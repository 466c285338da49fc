import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { changeReports } from '../../db/tables.gen.ts'
import type { ProjectImpact } from '../analysis/door.ts'
import type { ProjectRow, VersionRow } from '../records/door.ts'
import { modelOf, renderedOf, type ReportBaseline } from './render.ts'
import { chooseTemplate } from './templates.ts'

/** Writes the report of a publication, within the transaction that publishes. */
export async function writeReport(
  tx: Transaction,
  entry: {
    readonly tenantId: string
    readonly project: ProjectRow
    readonly version: VersionRow
    readonly baseline: ReportBaseline | null
    readonly impact: ProjectImpact | null
    readonly at: string
  },
): Promise<void> {
  const { tenantId, project, version, baseline, impact, at } = entry
  const template = await chooseTemplate(tx, tenantId, project.id, null)
  await tx.insert(changeReports).values({
    id: newId(),
    tenantId,
    projectId: project.id,
    versionId: version.id,
    baselineVersionId: baseline?.version.id ?? null,
    ...renderedOf(template, modelOf(project, version, baseline, impact)),
    editedHeaderSnapshot: null,
    editedRenderedBody: null,
    editedFootnoteSnapshot: null,
    editedAt: null,
    editedBy: null,
    renderedAt: at,
    regeneratedAt: null,
    createdAt: at,
    updatedAt: at,
  })
}
