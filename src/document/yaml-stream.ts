import { isGap } from './yaml-cursor.ts'

/** The range of the first document of a YAML stream. */
export interface FirstDocument {
  /** The offset of its content: after a byte-order mark, directives and `---`. */
  readonly from: number
  /** The offset after its last line. */
  readonly to: number
  /** The offset at which a second document begins, or null. */
  readonly next: number | null
}

const nextLine = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(`\n${mark}`, from)
  return found === -1 ? -1 : found + 1
}

// The offsets of all lines that are markers. They are rare, so looking for them alone is cheap.
const findMarkers = (text: string, begin: number): number[] => {
  const found: number[] = []
  for (const mark of ['---', '...'])
    for (
      let at = text.startsWith(mark, begin) ? begin : nextLine(text, mark, begin);
      at !== -1;
      at = nextLine(text, mark, at)
    )
      if (isGap(text.charCodeAt(at + 3))) found.push(at)
  return found.sort((a, b) => a - b)
}

// Whether there is more than gaps, comments and directives.
const hasContent = (text: string, start: number, end: number): boolean =>
  text
    .slice(start, end)
    .split('\n')
    .some((line) => !/^[ \t\r]*(?:#.*)?$/.test(line) && !line.startsWith('%'))

/**
 * Finds the first document of a stream (YAML 1.2.2, chapter 9). A line that begins with `---` or `...` is always a marker,
 * inside block scalars and quotes too, so no other syntax needs to be known.
 */
export const findFirstDocument = (text: string): FirstDocument => {
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let open = false
  for (const at of findMarkers(text, from)) {
    const begins = text.startsWith('---', at)
    if (!open && !hasContent(text, from, at)) {
      from = at + 3
      open = begins
      continue
    }
    const rest = begins ? at : at + 3
    return { from, to: at, next: hasContent(text, at + 3, text.length) ? rest : null }
  }
  return { from: open ? from : skipDirectives(text, from), to: text.length, next: null }
}

// Directives without a following `---` are an error that the parser reports; the scan only must not stumble over them.
const skipDirectives = (text: string, from: number): number => {
  let at = from
  while (text.charCodeAt(at) === 37) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}
