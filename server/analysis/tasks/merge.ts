import { type ChosenSides, mergeDocuments, type Merged } from '../../../src/merge/merge.ts'
import { patchBetween } from '../../../src/merge/patch-between.ts'
import { patchText } from '../../../src/patch/patch-text.ts'
import type { Desk } from '../desk.ts'

/** How a merge went, with the text of the draft as it is after it. */
export interface MergedText extends Pick<Merged, 'state' | 'conflicts'> {
  readonly text: string | null
}

/** Merges three documents: what both began as, the draft, and the one in the repository; `chosen` says whose values it has at places that both changed. */
export function run(
  { wantsText, chosen = {} }: { readonly wantsText: boolean; readonly chosen?: ChosenSides },
  desk: Desk,
): MergedText {
  const [base, mine, theirs] = desk.materials.map((material) => desk.engine.document(material))
  if (base === undefined || mine === undefined || theirs === undefined) throw new Error('a merge is of three documents')
  const { state, conflicts, document } = mergeDocuments(base.value, mine.value, theirs.value, chosen)
  return { state, conflicts, text: wantsText ? patchText(mine, patchBetween(mine.value, document)) : null }
}
