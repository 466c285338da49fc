import { RegExpParser, type AST } from '@eslint-community/regexpp'

/** An expression that has to find a match as well, or none. */
export interface Look {
  readonly source: string
  readonly negative: boolean
}

/** An expression without looks around it, and what has to hold besides. */
export interface WithoutLooks {
  readonly source: string
  readonly also: readonly Look[]
}

const parse = (source: string): AST.Pattern | null => {
  for (const unicode of [true, false]) {
    try {
      return new RegExpParser().parsePattern(source, 0, source.length, { unicode })
    } catch {
      // Many patterns are written without Unicode mode in mind.
    }
  }
  return null
}

const isLook = (
  element: AST.Element | undefined,
  kind: 'lookahead' | 'lookbehind',
): element is AST.LookaroundAssertion => element?.type === 'Assertion' && element.kind === kind

const isEdge = (element: AST.Element | undefined, kind: 'start' | 'end'): boolean =>
  element?.type === 'Assertion' && element.kind === kind

/** What a look finds, as an expression of its own. */
const within = ({ raw, kind, negate }: AST.LookaroundAssertion): Look => ({
  source: `(?:${raw.slice(kind === 'lookahead' ? 3 : 4, -1)})`,
  negative: negate,
})

/** Takes the looks of a kind out of the place where they begin. */
const takeLooks = (elements: AST.Element[], at: number, kind: 'lookahead' | 'lookbehind'): readonly Look[] => {
  const taken: Look[] = []
  for (;;) {
    const element = elements.at(at)
    if (!isLook(element, kind)) return taken
    taken.push(within(element))
    elements.splice(at, 1)
  }
}

/**
 * Takes looks from the edges of an expression, as far as whether it finds a match stays the same: those after `^` and
 * before `$` are expressions of their own, and what is before the first or after the last character is one with them.
 *
 * @returns null where there is nothing to take, where parts refer to each other, or the source is no expression
 */
export const withoutLooks = (source: string): WithoutLooks | null => {
  if (!/\(\?<?[=!]/.test(source) || /\\[1-9k]/.test(source)) return null
  const [only, ...others] = parse(source)?.alternatives ?? []
  if (only === undefined || others.length > 0) return null
  const elements = [...only.elements]
  const also: Look[] = []
  const isStarted = isEdge(elements[0], 'start')
  const isEnded = isEdge(elements.at(-1), 'end')
  if (isStarted) also.push(...takeLooks(elements, 1, 'lookahead').map((it) => ({ ...it, source: `^${it.source}` })))
  if (isEnded) also.push(...takeLooks(elements, -2, 'lookbehind').map((it) => ({ ...it, source: `${it.source}$` })))
  const parts = elements.map((element, i) => {
    const isFirst = i === 0 && isLook(element, 'lookbehind') && !element.negate
    const isLast = i === elements.length - 1 && isLook(element, 'lookahead') && !element.negate
    return isFirst || isLast ? within(element).source : element.raw
  })
  const rest = parts.join('')
  return rest === source ? null : { source: rest, also }
}
