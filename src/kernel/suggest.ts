/** Edit distance (Levenshtein, with adjacent swaps counted as one) of two words. */
const distance = (a: string, b: string): number => {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, (previous[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (older[j - 2] ?? 0) + 1)
      row.push(best)
    }
    older = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

const allowedEdits = (length: number): number => {
  if (length <= 3) return 1
  return length <= 7 ? 2 : 3
}

/**
 * The word of `known` that was probably meant by `given`, or null where none is near enough: at most two edits, fewer
 * for short words, or a beginning of exactly one known word.
 */
export const suggest = (given: string, known: Iterable<string>): string | null => {
  if (given.length === 0 || given.length > 64) return null
  const words = [...known]
  const lower = given.toLowerCase()
  const begins = words.filter((word) => lower.length >= 2 && word.toLowerCase().startsWith(lower))
  if (begins.length === 1) return begins[0] ?? null
  const limit = allowedEdits(given.length)
  let best: string | null = null
  let least = limit + 1
  for (const word of words) {
    const edits = distance(lower, word.toLowerCase())
    if (edits < least) {
      least = edits
      best = word
    }
  }
  return best
}
