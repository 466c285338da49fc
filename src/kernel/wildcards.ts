/**
 * Whether a whole text fits a pattern: `*` is any text, `?` one character. Characters are compared as they are; the time is at
 * most the product of the lengths.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  let at = 0
  let of = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    // Before a character that is the same: a star of the pattern is a wildcard also where the text has a star.
    if (pattern[of] === '*') {
      star = of++
      resume = at
    } else if (pattern[of] === text[at] || pattern[of] === '?') {
      at += 1
      of += 1
    } else if (star >= 0) {
      of = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[of] === '*') of += 1
  return of === pattern.length
}

/** The text of a value as a pattern sees it; null for what is no single value. */
export const singleText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
