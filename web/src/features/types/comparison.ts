import type { ComparisonRecord } from '../../../../src/api/primitive-shapes.ts'
import { count } from '../../parts/text.ts'

/** What a comparison of two schemas says in one line, and what follows. */
export interface ComparisonVerdict {
  readonly title: string
  readonly words: string
  readonly tone: 'danger' | 'warn' | 'ok'
}

const acceptedBy = (witness: unknown): 'base' | 'head' | null => {
  const side = typeof witness === 'object' && witness !== null ? (witness as { acceptedBy?: unknown }).acceptedBy : null
  return side === 'base' || side === 'head' ? side : null
}

/** @param head what the newer side is called, as in "revision 3" */
export const verdictOf = (
  { verdict, severity, total, counts, witness }: Omit<ComparisonRecord, 'base' | 'head' | 'changes'>,
  base: string,
  head: string,
): ComparisonVerdict => {
  if (total === 0) return { title: 'No changes', words: `${base} and ${head} describe the same values.`, tone: 'ok' }
  if (verdict === 'breaking') {
    const side = acceptedBy(witness)
    const bySide: Readonly<Record<string, string>> = {
      base: `Values that ${base} allows are rejected by ${head}: clients that send such values fail.`,
      head: `Values that ${head} allows were not allowed by ${base}: consumers that read them may fail.`,
    }
    const words = bySide[side ?? ''] ?? `${base} and ${head} allow different values.`
    return { title: count(counts['breaking'] ?? 1, 'breaking change', 'breaking changes'), words, tone: 'danger' }
  }
  if (verdict === 'unknown')
    return {
      title: 'Could not be decided',
      words: 'No difference is proven to break anyone, but not every one could be decided. Review them.',
      tone: 'warn',
    }
  if (severity === 'docs-only')
    return {
      title: count(total, 'documentation change', 'documentation changes'),
      words: 'Both allow the same values.',
      tone: 'ok',
    }
  return { title: 'No breaking changes', words: `Values of ${base} and ${head} are exchangeable.`, tone: 'ok' }
}
