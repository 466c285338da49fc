import type { Conclusion } from '../analysis.ts'
import type { Beside } from '../../../src/mcp-catalogue/beside.ts'
import type { Surface } from '../../../src/mcp-catalogue/types.ts'
import { onlyOne, type Desk } from '../desk.ts'
import type { AppliedOverlay } from '../material.ts'
import type { Material } from '../subject.ts'
import { guideFrom } from '../../guide-rules/analysis-door.ts'
import type { LintGuide } from '../../guide-rules/door.ts'

/** What was found of a document, and its text where that is not what its author wrote. */
interface Looked {
  readonly conclusion: Conclusion
  readonly made: { readonly text: string; readonly syntax: 'json' | 'yaml' } | null
  /** What its overlays did; null where none was applied. */
  readonly overlaid: readonly AppliedOverlay[] | null
}

/** What of an MCP server is known beside its surface: what was approved, and the tools of other servers by the servers' names. */
export interface KnownBeside {
  readonly approved: Surface | null
  readonly servers: Readonly<Record<string, readonly string[]>>
}

interface Asked {
  readonly guide: LintGuide
  readonly wantsText: boolean
  readonly beside?: KnownBeside
}

async function besideOf(material: Material, { approved, servers }: KnownBeside): Promise<Beside> {
  const [{ lookBeside }, { readUpload }] = await Promise.all([
    import('../../../src/mcp-catalogue/look-beside.ts'),
    import('../../../src/mcp-catalogue/observe.ts'),
  ])
  const text = new TextDecoder().decode(material.bytesOf(material.text))
  return lookBeside(readUpload(text).surface, approved, servers)
}

/** Reads a document and applies a guide to it. `wantsText` asks for the text that was made of several files. */
export async function run({ guide, wantsText, beside }: Asked, desk: Desk): Promise<Looked> {
  const material = onlyOne(desk)
  const known = beside === undefined ? null : await besideOf(material, beside)
  const conclusion = desk.engine.look(material, { ...guide, ...(await guideFrom(guide)) }, desk.pace, known)
  if (!wantsText) return { conclusion, made: null, overlaid: null }
  const { made, overlaid } = desk.engine.read(material).made
  return { conclusion, made, overlaid }
}
