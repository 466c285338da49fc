import { type ChosenSides, mergeDocuments, type Merged } from '../../../src/merge/merge.ts'
import { mergedText } from '../../../src/merge/merged-text.ts'
import { patchBetween } from '../../../src/merge/patch-between.ts'
import type { Desk } from '../desk.ts'

/** How a merge went, and what was asked of it. */
export interface MergedText extends Pick<Merged, 'state' | 'conflicts'> {
  /** Of the draft as it is after it; null where nobody asked. */
  readonly text: string | null
  /** In how many places each side differs from what both began with; null where nobody asked. */
  readonly places: Readonly<Record<'mine' | 'theirs', number>> | null
}

/** Merges three documents: what both began as, the draft, and the one in the repository; `chosen` says whose values it has at places that both changed. */
export function run(
  { wants, chosen = {} }: { readonly wants: 'state' | 'text' | 'places'; readonly chosen?: ChosenSides },
  desk: Desk,
): MergedText {
  const [base, mine, theirs] = desk.materials.map((material) => desk.engine.document(material))
  if (base === undefined || mine === undefined || theirs === undefined) throw new Error('a merge is of three documents')
  const { state, conflicts, document } = mergeDocuments(base.value, mine.value, theirs.value, chosen)
  return {
    state,
    conflicts,
    text: wants === 'text' ? mergedText(base, mine, theirs, document) : null,
    places:
      wants === 'places'
        ? {
            mine: patchBetween(base.value, mine.value).length,
            theirs: patchBetween(base.value, theirs.value).length,
          }
        : null,
  }
}
