import type { JsonObject } from '../../kernel/json.ts'
import { Pattern } from '../../regex/pattern.ts'
import type { LintFunction } from '../rule.ts'

const types = ['flat', 'camel', 'pascal', 'kebab', 'cobol', 'snake', 'macro'] as const
type Casing = (typeof types)[number]

// The pattern of a word, and the separator between words; "#" marks where digits may occur.
const words: Record<Casing, string> = {
  flat: '[a-z][a-z#]*',
  camel: '[a-z][a-z#]*(?:[A-Z#](?:[a-z#]+|$))*',
  pascal: '[A-Z][a-z#]*(?:[A-Z#](?:[a-z#]+|$))*',
  kebab: '[a-z][a-z#]*(?:-[a-z#]+)*',
  cobol: '[A-Z][A-Z#]*(?:-[A-Z#]+)*',
  snake: '[a-z][a-z#]*(?:_[a-z#]+)*',
  macro: '[A-Z][A-Z#]*(?:_[A-Z#]+)*',
}

const built = new Map<string, Pattern>()

function patternFor(type: Casing, digits: boolean, separator: string | null, leading: boolean): Pattern {
  const key = `${type} ${digits} ${leading} ${separator ?? ''}`
  let pattern = built.get(key)
  if (pattern === undefined) {
    const word = words[type].replaceAll('#', digits ? '0-9' : '')
    const between = separator === null ? '' : `[${separator.replace(/[\\\]^-]/g, '\\$&')}]`
    const more = separator === null ? '' : `(?:${between}${word})*`
    pattern = new Pattern(`^${leading ? `${between}?` : ''}${word}${more}$`)
    built.set(key, pattern)
  }
  return pattern
}

/** The text is written in the case `type`; parts between `separator.char` each are. */
const casing: LintFunction = (input, { type, disallowDigits, separator }) => {
  const name = types.find((it) => it === type)
  if (typeof input !== 'string' || input === '' || name === undefined) return []
  const char = (separator as JsonObject | undefined)?.char
  const between = typeof char === 'string' ? char : null
  const leading = between !== null && (separator as JsonObject).allowLeading === true
  if (leading && input === between) return []
  return patternFor(name, disallowDigits !== true, between, leading).test(input) !== false
    ? []
    : [{ message: `must be ${name} case` }]
}
export default casing

export const options = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { enum: [...types] },
    disallowDigits: { type: 'boolean' },
    separator: {
      type: 'object',
      additionalProperties: false,
      required: ['char'],
      properties: { char: { type: 'string', maxLength: 1 }, allowLeading: { type: 'boolean' } },
    },
  },
}
