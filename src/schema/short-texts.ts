import { toPattern } from './validation/pattern.ts'

/** What a text has to match and must not match, and how long it may be, in code points. */
interface Wanted {
  readonly wanted: readonly string[]
  readonly refused: readonly string[]
  readonly min: number
  readonly max: number
}

const mostCharacters = 12
const mostTokens = 12
/** Longer texts than these are not tried. */
const longest = 64

/** Runs of plain characters in expressions: what they probably look for. */
const tokensIn = (sources: readonly string[]): readonly string[] => {
  const runs = sources.flatMap((source) => source.replaceAll(/\\[A-Za-z0-9]/g, ' ').match(/[A-Za-z0-9_-]{1,12}/g) ?? [])
  return [...new Set(runs)].slice(0, mostTokens)
}

/** Short texts that expressions are likely to tell apart: the shortest first. */
function* candidates(sources: readonly string[], min: number): Generator<string> {
  const tokens = tokensIn(sources)
  const characters = [...new Set(Array.from(`ab0${tokens.join('')}A -_.@1`))].slice(0, mostCharacters)
  const padded = function* (text: string): Generator<string> {
    yield text
    const missing = Math.min(min, longest) - text.length
    if (missing > 0) for (const it of characters) yield* [text + it.repeat(missing), it.repeat(missing) + text]
  }
  yield* padded('')
  let layer = ['']
  for (let length = 1; length <= 3; length++) {
    layer = layer.flatMap((text) => characters.map((it) => text + it))
    for (const text of layer) yield* length === 1 ? padded(text) : [text]
  }
  for (const one of tokens) {
    yield* padded(one)
    for (const it of characters) yield* [one + it, it + one, it + one + it]
    for (const other of tokens) yield* [one + other, `${one} ${other}`]
  }
}

/**
 * A short text that expressions beyond regular ones tell apart; undefined where none of those that are tried does, which
 * proves nothing. Every question to an expression is answered in bounded time.
 *
 * @param fits what else the text has to be
 * @param spend counts the steps, and ends the search by throwing
 */
export const findShortText = (
  { wanted, refused, min, max }: Wanted,
  fits: (text: string) => boolean,
  spend: (steps: number) => void,
): string | undefined => {
  const sources = [...wanted, ...refused]
  const patterns = sources.map(toPattern)
  if (patterns.includes(null)) return undefined
  for (const text of candidates(sources, min)) {
    spend(sources.length / 10)
    const length = Array.from(text).length
    if (length < min || length > max) continue
    if (patterns.every((pattern, i) => pattern!.test(text) === i < wanted.length) && fits(text)) return text
  }
  return undefined
}
