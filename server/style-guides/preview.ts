import { SvcError } from '../../src/errors.ts'
import type { Analysis } from '../analysis/door.ts'
import { digestOfRules, type LintGuide } from '../guide-rules/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { lintVersion, lintWithTypes } from '../used-types/door.ts'
import { digestOf } from '../../db/content.ts'
import { findVersion } from '../records/door.ts'
import { findGuide, idOf, nameOf } from './store.ts'

interface PreviewRequest {
  readonly yaml: string
  readonly content?: string
  readonly name?: string
  readonly project?: string
  readonly version?: string
}

async function judgedUnder(
  deps: Deps,
  tenantId: string,
  asked: PreviewRequest,
  guide: LintGuide,
): Promise<Analysis | null> {
  const { content, name, project, version } = asked
  const isStored = project !== undefined || version !== undefined
  if (content !== undefined && isStored) throw new SvcError('preview-target-unclear')
  if (content !== undefined) {
    const bytes = new TextEncoder().encode(content)
    const source = name ?? 'document'
    const request = { tenantId, digest: digestOf(bytes), bytes, source, format: 'auto' }
    return lintWithTypes(deps, deps.db.read, await deps.analysis.analyse(request, guide), guide)
  }
  if (!isStored) return null
  if (project === undefined || version === undefined) throw new SvcError('preview-target-unclear')
  const found = await findVersion(deps.db.read, tenantId, project, version)
  return lintVersion(deps, deps.db.read, found.version, guide)
}

/**
 * What custom rules would say under a guide; nothing is stored.
 * @throws SvcError `style-guide-not-found`, `custom-rules-invalid`, `preview-target-unclear`, `project-not-found`,
 *   `version-not-found`, `analysis-stopped`
 */
export async function previewCustomRules(deps: Deps, grant: Grant, ref: string, asked: PreviewRequest) {
  const { id: tenantId } = tenantOf(grant)
  const guide = await findGuide(deps.db.read, tenantId, ref)
  const source = { settings: guide.row?.settings ?? {}, customRules: asked.yaml }
  const rules = await deps.analysis.rulesOf(tenantId, source)
  const custom = rules.filter((it) => it.origin === 'custom')
  const proposed = { id: idOf(guide), name: nameOf(guide), digest: digestOfRules(source), source }
  const judged = await judgedUnder(deps, tenantId, asked, proposed)
  if (judged === null) return { rules: custom, grade: null, findings: [], unmatchedRules: [] }
  const own = new Set(custom.map((it) => it.id))
  return {
    rules: custom,
    grade: judged.grade,
    findings: judged.findings.map((one) => ({ ...one, path: [...one.path] })),
    unmatchedRules: judged.idle.filter((it) => own.has(it)),
  }
}
