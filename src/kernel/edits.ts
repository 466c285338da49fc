/** One replacement in a text: offsets in UTF-16 units, `end` not included. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** It puts an item behind the last one of a list: another may do so at the same place. */
  readonly appends?: boolean
}

/** A text with edits applied; they must not overlap. Linear: a conversion has tens of thousands of them. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(text.slice(at, start), put)
    at = end
  }
  return [...pieces, text.slice(at)].join('')
}
