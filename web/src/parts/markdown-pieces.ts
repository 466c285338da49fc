// Characters of a piece: a few milliseconds to parse and draw.
const usual = 16_000

const opensOrCloses = /^ {0,3}(?:```|~~~)/
/** Lines that begin a block whatever is above them: a heading, or an item of a list that is in no other one. */
const begins = /^(?:#{1,6} |[-*+] )/

/** A text in Markdown as pieces that can be drawn one after the other: none begins within a block. */
export function markdownPieces(text: string): readonly string[] {
  const pieces: string[] = []
  let [from, at] = [0, 0]
  let isCode = false
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end + 1
    const line = text.slice(at, next)
    if (!isCode && at - from > usual && begins.test(line)) {
      pieces.push(text.slice(from, at))
      from = at
    }
    if (opensOrCloses.test(line)) isCode = !isCode
    at = next
  }
  return [...pieces, text.slice(from)]
}
