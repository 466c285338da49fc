import type { ExcerptSpan } from '../../src/api/excerpt-span.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { baseOf, sideOf } from './changes.ts'
import { findVersion, type VersionRow } from '../records/door.ts'

/**
 * Some lines of the document of a version, each with its place and whether the version that its changes are listed against
 * has it.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function linesOf(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const tenant = tenantOf(grant)
  const found = await findVersion(deps.db.read, tenant.id, refs.project, refs.version)
  const { base } = await baseOf(deps.db.read, found, null)
  const { version } = found
  const head = deps.analysis.subjectOf(version)
  const subjects = base === null ? [head] : [deps.analysis.subjectOf(base), head]
  const shown = await deps.analysis.run(tenant.id, 'lines', { from: offset, count: limit }, subjects)
  const { lines, ...rest } = shown
  return { base: base === null ? null : sideOf(base), head: sideOf(version), ...rest, lines: [...lines], limit, offset }
}

/**
 * Lines of the document of a version at several places; of lines over `longest` characters the part around the place.
 * @throws SvcError `analysis-stopped`
 */
export async function excerptsOf(
  deps: Deps,
  version: VersionRow,
  spans: readonly ExcerptSpan[],
  cut: { readonly longest: number; readonly before: number } = { longest: 2000, before: 300 },
) {
  const subject = deps.analysis.subjectOf(version)
  return deps.analysis.run(version.tenantId, 'excerpt', { spans, ...cut }, [subject])
}

/**
 * Some lines of the document of a version as they are: nothing of it is parsed.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function excerptOf(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  { limit, offset, character }: { readonly limit: number; readonly offset: number; readonly character: number },
) {
  const { version } = await findVersion(deps.db.read, tenantOf(grant).id, refs.project, refs.version)
  const { total, excerpts } = await excerptsOf(deps, version, [{ from: offset, count: limit, character }])
  return { total, lines: [...(excerpts[0] ?? [])], limit, offset }
}
