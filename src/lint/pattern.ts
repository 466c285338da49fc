const known = new Map<string, RegExp | null>()

/** A regular expression from "/…/flags" or its bare source; null where it is none. */
export function patternOf(text: string): RegExp | null {
  let pattern = known.get(text)
  if (pattern === undefined) {
    if (known.size > 2000) known.clear()
    pattern = read(text)
    known.set(text, pattern)
  }
  if (pattern !== null) pattern.lastIndex = 0
  return pattern
}

function read(text: string): RegExp | null {
  const parts = /^\/(.+)\/([a-z]*)$/.exec(text)
  try {
    return parts === null ? new RegExp(text) : new RegExp(parts[1] as string, parts[2])
  } catch {
    return null
  }
}
