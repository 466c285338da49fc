import { patternOf, type Pattern } from '../regex/pattern.ts'

const known = new Map<string, Pattern | null>()

/** A regular expression from "/…/flags" or its bare source; null if it is invalid. Patterns are cached. */
export function readPattern(text: string): Pattern | null {
  let pattern = known.get(text)
  if (pattern === undefined) {
    if (known.size > 5000) known.clear()
    const parts = /^\/(.+)\/([a-z]*)$/.exec(text)
    pattern = parts === null ? patternOf(text) : patternOf(parts[1] as string, parts[2])
    known.set(text, pattern)
  }
  return pattern
}
