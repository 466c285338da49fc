import type { VersionAssessment } from '../../../../src/api/insights.ts'
import { count } from '../../parts/text.ts'

/** What is known of a draft against the version before it. */
export type Publishing = Pick<VersionAssessment, 'changes' | 'consumers'>

/** Says in one sentence whom publishing a draft breaks; null where it breaks nobody. */
export const publishVerdict = (
  label: string,
  { changes, consumers: { total, broken, unknown } }: Publishing,
): { readonly tone: 'danger' | 'warn'; readonly title: string } | null => {
  if (changes === null) return null
  const { breaking, unknown: undecided } = changes.counts
  if (broken.length > 0)
    return {
      tone: 'danger',
      title: `Publishing ${label} breaks ${broken.length.toLocaleString()} of ${count(total, 'consumer', 'consumers')} of ${changes.base.label}`,
    }
  if (breaking > 0)
    return {
      tone: 'warn',
      title: `Publishing ${label} makes ${count(breaking, 'breaking change', 'breaking changes')} to ${changes.base.label}`,
    }
  if (undecided === 0 && unknown.length === 0) return null
  return {
    tone: 'warn',
    title: `Whether ${label} breaks clients of ${changes.base.label} could not be decided`,
  }
}
