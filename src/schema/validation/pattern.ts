const patterns = new Map<string, RegExp | null>()

/** A pattern as a regular expression; null for one that ECMA-262 does not accept, which constrains nothing. */
export function toPattern(source: string): RegExp | null {
  let pattern = patterns.get(source)
  if (pattern === undefined) {
    if (patterns.size > 5000) patterns.clear()
    pattern = readPattern(source)
    patterns.set(source, pattern)
  }
  return pattern
}

function readPattern(source: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Many published patterns are written without Unicode mode in mind: read them again without.
    }
  }
  return null
}
