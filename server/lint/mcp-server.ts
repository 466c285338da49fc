import { shownToolTokens } from '../../src/report/checked.ts'
import { surfaceText } from '../../src/mcp-catalogue/surface.ts'
import { type Analysis, subjectOf } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findEndpoint, knownBeside, surfaceToCheck } from '../mcp-servers/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { digestOf } from '../../db/content.ts'
import { gateOf, writable, type Thresholds } from './service.ts'

async function analysisOf(
  deps: Deps,
  grant: Grant,
  id: string,
): Promise<{ readonly fingerprint: string; readonly analysis: Analysis }> {
  const { read } = deps.db
  const { id: tenantId } = tenantOf(grant)
  const row = await findEndpoint(read, tenantId, id)
  const { fingerprint, surface } = await surfaceToCheck(deps, row)
  const bytes = new TextEncoder().encode(surfaceText(surface))
  const { guide } = await effectiveGuide(read, tenantId, null)
  const subject = subjectOf({
    tenantId,
    digest: digestOf(bytes),
    bytes: () => Promise.resolve(bytes),
    size: bytes.byteLength,
    source: `${row.name}.json`,
    format: 'auto',
  })
  return { fingerprint, analysis: await deps.analysis.look(subject, guide, await knownBeside(deps, row)) }
}

const shownTools = ({ tools }: Pick<Analysis, 'tools'>) => (tools === null ? null : shownToolTokens(tools))

/**
 * What the style guide of the organization finds in what an MCP server offers.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `analysis-stopped`
 */
export async function mcpLintReport(deps: Deps, grant: Grant, id: string) {
  const { fingerprint, analysis } = await analysisOf(deps, grant, id)
  return {
    endpoint_id: id,
    fingerprint,
    guide: analysis.guide.name,
    guide_id: analysis.guide.id,
    grade: analysis.grade,
    tools: shownTools(analysis),
    findings: writable(analysis.findings),
    unmatched_rules: [...analysis.idle],
    skipped_rules: [...analysis.skipped],
  }
}

/**
 * Whether what an MCP server offers passes thresholds of grade and severity.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `analysis-stopped`
 */
export async function mcpLintGate(deps: Deps, grant: Grant, id: string, thresholds: Thresholds) {
  const { analysis } = await analysisOf(deps, grant, id)
  return { gate: gateOf(thresholds, analysis), grade: analysis.grade, tools: shownTools(analysis) }
}
