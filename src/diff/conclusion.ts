import type { DiffResult } from './options.ts'
import type { ScopeSummary } from './scope.ts'
import type { Tally } from './tally.ts'
import { plural } from '../kernel/plural.ts'

/** What a comparison amounts to, in one word. */
export const outcomes = ['unchanged', 'docs-only', 'compatible', 'undecided', 'breaking'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome of a list of changes: breaking where one is proven to break, undecided where none is and one could. */
export const outcomeOf = ({ maxSeverity, verdict }: Pick<Tally, 'maxSeverity' | 'verdict'>): Outcome => {
  switch (maxSeverity) {
    case null:
      return 'unchanged'
    case 'docs-only':
      return 'docs-only'
    case 'non-breaking':
      return 'compatible'
    case 'breaking':
      return verdict === 'unknown' ? 'undecided' : 'breaking'
  }
}

const sentences: Readonly<Record<Outcome, string>> = {
  unchanged: 'No differences found.',
  'docs-only': 'Descriptions and other texts differ; the interface is the same.',
  compatible: 'The change is backward compatible.',
  undecided: 'No change is proven to be breaking, but some could not be decided.',
  breaking: 'Clients of the base document can fail with the head document.',
}

// A filter says what it hides: no one should take the part for the whole.
const leftOutBy = ({ leftOut: { counts } }: ScopeSummary): string => {
  const all = counts.breaking + counts['non-breaking'] + counts['docs-only']
  if (all === 0) return 'The filters leave out no change.'
  const worst = counts.breaking === 0 ? '' : `, ${counts.breaking} of them breaking or undecided`
  return `The filters leave out ${plural(all, 'change')} of other operations${worst}.`
}

const namesShown = 5

// "A (components/schemas), B (components/schemas) and 2 more"
function unusedSentence(unused: readonly string[]): string {
  const names = unused.slice(0, namesShown).map((it) => it.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'))
  const more = unused.length > namesShown ? ` and ${unused.length - namesShown} more` : ''
  const what = `${plural(unused.length, 'component')} that no operation uses ${unused.length === 1 ? 'differs' : 'differ'}`
  return `Nothing changed for clients, but ${what}: ${names.join(', ')}${more}.`
}

/** A sentence or two: what a comparison concludes, and what was left out of it. */
export const conclusionOf = (result: DiffResult, scope: ScopeSummary | null = null): string => {
  const outcome = outcomeOf(result)
  const { length } = result.ignored
  const { unused = [] } = result
  const sentence =
    outcome !== 'unchanged'
      ? sentences[outcome]
      : unused.length > 0
        ? unusedSentence(unused)
        : length > 0
          ? 'No other differences found.'
          : sentences.unchanged
  const accepted = length === 0 ? '' : ` ${plural(length, 'accepted change is', 'accepted changes are')} left out.`
  return `${sentence}${accepted}${scope === null ? '' : ` ${leftOutBy(scope)}`}`
}
