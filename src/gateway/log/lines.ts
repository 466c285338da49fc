/** Cuts bytes of a growing file into lines: a line without its end is left for later, one that is too long is skipped. */

export interface Cut {
  readonly lines: readonly string[]
  /** How many bytes are done with. */
  readonly used: number
  /** How many lines were too long. */
  readonly tooLong: number
  /** The rest of a line that is too long is still to come: what is read next begins inside it. */
  readonly inside: boolean
}

const newline = 10

/**
 * @param bytes from a place where a line begins, or inside a line that is skipped
 * @param longest longer lines are skipped
 */
export function cutLines(bytes: Uint8Array, longest: number, inside = false): Cut {
  const decoder = new TextDecoder()
  const lines: string[] = []
  let [from, tooLong, skipping] = [0, 0, inside]
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
    const isLong = at - from > longest
    if (isLong && !skipping) tooLong++
    if (!isLong && !skipping && at > from) lines.push(decoder.decode(bytes.subarray(from, at)))
    skipping = false
    from = at + 1
  }
  if (bytes.length - from <= longest && !skipping) return { lines, used: from, tooLong, inside: false }
  return { lines, used: bytes.length, tooLong: tooLong + (skipping ? 0 : 1), inside: true }
}
