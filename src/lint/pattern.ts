import { patternOf, type Pattern } from '../regex/pattern.ts'

/** A regular expression from "/…/flags" or its bare source; null where it is none. */
export function readPattern(text: string): Pattern | null {
  const parts = /^\/(.+)\/([a-z]*)$/.exec(text)
  return parts === null ? patternOf(text) : patternOf(parts[1] as string, parts[2])
}
