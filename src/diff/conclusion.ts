import type { DiffResult } from './options.ts'

/** One sentence: what a comparison concludes. */
export const conclusionOf = (result: DiffResult): string => {
  const ignored =
    result.ignored.length === 0
      ? ''
      : ` ${result.ignored.length} accepted ${result.ignored.length === 1 ? 'change is' : 'changes are'} left out.`
  switch (result.maxSeverity) {
    case null:
      return `${result.ignored.length === 0 ? 'The documents say the same.' : 'Nothing else changed.'}${ignored}`
    case 'docs-only':
      return `What the documents promise is the same; only the explaining text differs.${ignored}`
    case 'non-breaking':
      return `Whoever relies on the base document can rely on the head.${ignored}`
    case 'breaking':
      return result.verdict === 'unknown'
        ? `Nothing is proven to break, but not everything could be decided.${ignored}`
        : `Clients written for the base document can fail with the head.${ignored}`
  }
}
