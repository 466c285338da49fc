/** `svc lint --fix` for a text. */
import { parseDocument } from '../document/parse.ts'
import { limitsOf } from '../language/fix-limits.ts'
import { applyFixes } from '../lint/fix/apply.ts'
import { recommended } from '../lint/rulesets/recommended.ts'
import type { Made } from './convert.ts'

/**
 * Applies the fixes that no client notices.
 * @returns the text, the same one where nothing could be fixed, and a note for each finding that is gone
 */
export async function fixText(text: string): Promise<Made> {
  const document = parseDocument(text, { source: '-' })
  if (document.value === null) return { text, notes: [] }
  const fixed = applyFixes(document, recommended.ruleset, {}, await limitsOf({}, new Set(), true))
  return {
    text: fixed.text,
    notes: fixed.fixed.map(({ code, message, range }) => ({ code, message, line: range.start.line + 1, loss: false })),
  }
}
