import { type ChosenSides, mergeDocuments, type Merged } from '../../../src/merge/merge.ts'
import { mergedText } from '../../../src/merge/merged-text.ts'
import { patchBetween } from '../../../src/merge/patch-between.ts'
import type { Desk } from '../desk.ts'

/** How a merge went, with the text of the draft as it is after it. */
export interface MergedText extends Pick<Merged, 'state' | 'conflicts'> {
  readonly text: string | null
  /** In how many places each side differs from what both began as. */
  readonly places: Readonly<Record<'mine' | 'theirs', number>>
}

/** Merges three documents: what both began as, the draft, and the one in the repository; `chosen` says whose values it has at places that both changed. */
export function run(
  { wantsText, chosen = {} }: { readonly wantsText: boolean; readonly chosen?: ChosenSides },
  desk: Desk,
): MergedText {
  const [base, mine, theirs] = desk.materials.map((material) => desk.engine.document(material))
  if (base === undefined || mine === undefined || theirs === undefined) throw new Error('a merge is of three documents')
  const { state, conflicts, document } = mergeDocuments(base.value, mine.value, theirs.value, chosen)
  return {
    state,
    conflicts,
    text: wantsText ? mergedText(base, mine, theirs, document) : null,
    places: {
      mine: patchBetween(base.value, mine.value).length,
      theirs: patchBetween(base.value, theirs.value).length,
    },
  }
}
