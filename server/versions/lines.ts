import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { baseOf, sideOf } from './changes.ts'
import { findVersion } from './service.ts'

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
 * Some lines of the document of a version as they are: nothing of it is parsed.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function excerptOf(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  { limit, offset, character }: { readonly limit: number; readonly offset: number; readonly character: number },
) {
  const tenant = tenantOf(grant)
  const { version } = await findVersion(deps.db.read, tenant.id, refs.project, refs.version)
  const asked = { from: offset, count: limit, character }
  const { total, lines } = await deps.analysis.run(tenant.id, 'excerpt', asked, [deps.analysis.subjectOf(version)])
  return { total, lines: [...lines], limit, offset }
}
