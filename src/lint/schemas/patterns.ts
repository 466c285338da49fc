import { isObject } from '../../kernel/json.ts'
import { readPattern } from '../pattern.ts'
import type { Violation } from '../rule.ts'
import type { SchemaCheck } from './places.ts'

const isPattern = (source: string): boolean => {
  if (readPattern(source) !== null) return true
  try {
    return new RegExp(source, 'u').source !== ''
  } catch {
    return false
  }
}

/** Regular expressions can be read (ECMA-262, as JSON Schema asks for). */
export const checkPatterns: SchemaCheck = ({ schema }) => {
  const found: Violation[] = []
  const { pattern, patternProperties } = schema
  if (typeof pattern === 'string' && !isPattern(pattern))
    found.push({ message: `${JSON.stringify(pattern)} is not a valid regular expression.`, path: ['pattern'] })
  for (const key of Object.keys(isObject(patternProperties) ? patternProperties : {}))
    if (!isPattern(key))
      found.push({
        message: `${JSON.stringify(key)} is not a valid regular expression.`,
        path: ['patternProperties', key],
      })
  return found
}
