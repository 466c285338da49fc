import { changedLines } from '../../../src/document/changed-lines.ts'
import { editsBetween, type TextEdit } from '../../../src/document/edit-text.ts'
import { mergeDocuments, type ChosenSides, type Merged } from '../../../src/merge/merge.ts'
import { mergedText } from '../../../src/merge/merged-text.ts'
import type { Desk } from '../desk.ts'

/** How a merge went, with what has to be edited in theirs. */
export interface MergedEdits extends Pick<Merged, 'conflicts'> {
  readonly state: Merged['state'] | 'unreadable'
  readonly edits: TextEdit[]
}

/** Merges what two people made of a document: what both began with, mine, theirs. The result is mine with what they changed. */
export function run(chosen: ChosenSides, desk: Desk): MergedEdits {
  const [base, mine, theirs] = desk.materials.map((material) => desk.engine.document(material))
  if (base === undefined || mine === undefined || theirs === undefined) throw new Error('a merge is of three documents')
  if ([base, mine, theirs].some((it) => it.problems.some(({ severity }) => severity === 'error')))
    return { state: 'unreadable', conflicts: [], edits: [] }
  const { state, conflicts, document } = mergeDocuments(base.value, mine.value, theirs.value, chosen)
  const text = mergedText(base, mine, theirs, document)
  return { state, conflicts, edits: editsBetween(theirs.text, text, changedLines(theirs.text, text)) }
}
