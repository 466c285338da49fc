import { patternOf, type Pattern } from '../../regex/pattern.ts'

/**
 * A pattern of a schema; null for one that ECMA-262 does not accept, which constrains nothing. Many published patterns
 * are written without Unicode mode in mind: what it refuses is read again without.
 */
export const toPattern = (source: string): Pattern | null => patternOf(source, 'u') ?? patternOf(source)
