import type { Reader } from '../../db/database.ts'
import type { Analysis } from '../analysis/door.ts'
import type { LintGuide } from '../guide-rules/door.ts'
import type { VersionRow } from '../records/door.ts'
import { typesNow, typesOf, type TypeDeps } from './used-types.ts'

/**
 * A document under a guide, linted with the registered types that it refers to as they are now. What is wrong within a type is
 * not among its findings.
 * @throws SvcError `analysis-stopped`
 */
export async function lintWithTypes(
  deps: TypeDeps,
  read: Reader,
  analysis: Analysis,
  guide: LintGuide,
): Promise<Analysis> {
  const types = analysis.outwardRefs === 0 ? [] : (await typesNow(deps, read, [analysis.subject])).used
  return deps.analysis.judge(analysis, guide, types)
}

/**
 * A version under a guide, linted with the types that it is rendered with: those of its publication, or of now for a draft.
 * @throws SvcError `analysis-stopped`
 */
export async function lintVersion(
  deps: TypeDeps,
  read: Reader,
  version: VersionRow,
  guide: LintGuide,
): Promise<Analysis> {
  const analysis = await deps.analysis.ofVersion(version, guide)
  const types = analysis.outwardRefs === 0 ? [] : (await typesOf(deps, read, version)).used
  return deps.analysis.judge(analysis, guide, types)
}
