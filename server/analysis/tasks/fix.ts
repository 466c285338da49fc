import { changedLines } from '../../../src/document/changed-lines.ts'
import { editsBetween, type TextEdit } from '../../../src/document/edit-text.ts'
import { limitsOf } from '../../../src/language/fix-limits.ts'
import { applyFixes } from '../../../src/lint/fix/apply.ts'
import type { VisibleFix } from '../../../src/lint/fix/fix.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { guideFrom } from '../../guide-rules/analysis-door.ts'
import type { LintGuide } from '../../guide-rules/door.ts'

interface Asked {
  readonly guide: LintGuide
  /** The fingerprint of one finding; null for all of them. */
  readonly finding: string | null
  readonly visible: readonly VisibleFix[]
}

/** Fixes findings of a document by the rules of "svc lint --fix". */
export async function run(
  { guide, finding, visible }: Asked,
  desk: Desk,
): Promise<{ readonly edits: TextEdit[]; readonly fixed: number }> {
  const material = onlyOne(desk)
  const document = desk.engine.document(material)
  if (document.value === null) return { edits: [], fixed: 0 }
  const types = Object.fromEntries(desk.engine.typesOf(material).map((it) => [it.source, it]))
  const { rulesFor } = await guideFrom(guide)
  const own = await limitsOf(types, new Set(visible), true)
  const { text, fixed } = applyFixes(document, rulesFor(document.source), types, {
    ...own,
    mayFix: (it, found) => (finding === null || found.fingerprint === finding) && own.mayFix?.(it, found) !== false,
  })
  return { edits: editsBetween(document.text, text, changedLines(document.text, text)), fixed: fixed.length }
}
