/** A place in a text, zero-based, `character` counted in UTF-16 units, as in the Language Server Protocol 3.17. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** A half-open stretch of text: `end` is the first place after it. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

/** Whether two ranges are the same stretch. */
export const isSameRange = (a: Range, b: Range): boolean =>
  a.start.line === b.start.line &&
  a.start.character === b.start.character &&
  a.end.line === b.end.line &&
  a.end.character === b.end.character
