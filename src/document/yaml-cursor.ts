const space = 32
const tab = 9
const newline = 10
const carriageReturn = 13

/** Whether a character code ends a line; the end of the text does. */
export const isBreak = (c: number): boolean => c === newline || c === carriageReturn || Number.isNaN(c)

/** Whether a character code is a space, a tab, a line break or the end of the text. */
export const isGap = (c: number): boolean => c === space || c === tab || isBreak(c)

/** A place in a YAML text that knows the start of its line, and the lexical steps that block and flow style share. */
export class YamlCursor {
  readonly text: string
  readonly limit: number
  at: number
  lineStart: number

  constructor(text: string, from: number) {
    this.text = text
    this.limit = text.length
    this.at = from
    this.lineStart = from
  }

  code(offset = this.at): number {
    return this.text.charCodeAt(offset)
  }

  /** Moves over gaps, comments and line breaks to the next content; its column, or -1 at the end. */
  toContent(): number {
    const { text } = this
    let at = this.at
    for (;;) {
      const c = text.charCodeAt(at)
      if (c === space || c === tab || c === carriageReturn) at++
      else if (c === newline) {
        at++
        this.lineStart = at
      } else if (c === 35 && (at === this.lineStart || isGap(text.charCodeAt(at - 1)))) {
        const end = text.indexOf('\n', at)
        at = end === -1 ? this.limit : end
      } else {
        this.at = at
        return Number.isNaN(c) ? -1 : at - this.lineStart
      }
    }
  }

  /** The offset after a quoted scalar that begins at `from`. */
  quotedEnd(from: number): number {
    const { text } = this
    if (text.charCodeAt(from) === 39) {
      for (let at = from + 1; ; at += 2) {
        at = text.indexOf("'", at)
        if (at === -1) return this.limit
        if (text.charCodeAt(at + 1) !== 39) return at + 1
      }
    }
    for (let at = from + 1; at < this.limit; at++) {
      const c = text.charCodeAt(at)
      if (c === 92) at++
      else if (c === 34) return at + 1
    }
    return this.limit
  }

  /** Moves behind a token that may span lines. */
  jump(to: number): void {
    // Looked for in the token alone: a line may be as long as the text.
    let last = to - 1
    while (last >= this.at && this.text.charCodeAt(last) !== newline) last--
    if (last >= this.at) this.lineStart = last + 1
    this.at = to
  }

  /** Whether an indicator such as `-` or `?` is here, followed by a gap. */
  isIndicator(c: number): boolean {
    return this.code() === c && isGap(this.code(this.at + 1))
  }

  /** The offset after an anchor, tag or alias that begins at `from`. In flow style the brackets and commas end it. */
  propertyEnd(from: number, inFlow: boolean): number {
    let at = from
    if (this.code(at) === 33 && this.code(at + 1) === 60) {
      const close = this.text.indexOf('>', at)
      return close === -1 ? this.limit : close + 1
    }
    for (; ; at++) {
      const c = this.code(at)
      if (isGap(c)) return at
      if (inFlow && (c === 44 || c === 91 || c === 93 || c === 123 || c === 125)) return at
    }
  }

  skipSpaces(from: number): number {
    let at = from
    while (this.code(at) === space || this.code(at) === tab) at++
    return at
  }

  /** The end of a plain scalar's part on the line of `from` in block style: before a comment or trailing gaps. */
  plainLineEnd(from: number): number {
    const { text } = this
    let last = from
    for (let at = from; ; at++) {
      const c = text.charCodeAt(at)
      if (isBreak(c)) return last
      if (c === space || c === tab) continue
      if (c === 35 && at > from && isGap(text.charCodeAt(at - 1))) return last
      last = at + 1
    }
  }

  /** The offset of the colon where an implicit key of one line is at `from`, else -1. */
  implicitColon(from: number): number {
    const { text } = this
    let at = from
    for (let c = this.code(at); c === 38 || c === 33; c = this.code(at))
      at = this.skipSpaces(this.propertyEnd(at, false))
    const first = this.code(at)
    if (first === 34 || first === 39) {
      const end = this.quotedEnd(at)
      return this.colonAt(this.skipSpaces(end), at)
    }
    if (first === 42) return this.colonAt(this.skipSpaces(this.propertyEnd(at, false)), at)
    if (first === 91 || first === 123) return this.colonAt(this.skipSpaces(this.bracketEnd(at)), at)
    for (; ; at++) {
      const c = text.charCodeAt(at)
      if (isBreak(c)) return -1
      if (c === 58 && isGap(text.charCodeAt(at + 1))) return at
      if (c === 35 && at > from && isGap(text.charCodeAt(at - 1))) return -1
    }
  }

  private colonAt(at: number, from: number): number {
    if (this.code(at) !== 58 || !isGap(this.code(at + 1))) return -1
    const broken = this.text.slice(from, at).includes('\n')
    return broken ? -1 : at
  }

  // Only for a flow collection used as a key, which is on one line.
  private bracketEnd(from: number): number {
    let open = 0
    for (let at = from; !isBreak(this.code(at)); at++) {
      const c = this.code(at)
      if (c === 91 || c === 123) open++
      else if (c === 93 || c === 125) {
        if (--open === 0) return at + 1
      } else if ((c === 34 || c === 39) && !isGap(c)) {
        const before = this.code(at - 1)
        if (isGap(before) || before === 44 || before === 91 || before === 123 || before === 58)
          at = this.quotedEnd(at) - 1
      }
    }
    return from
  }
}
