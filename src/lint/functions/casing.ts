import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

const shapes: Readonly<Record<string, (digits: string) => string>> = {
  flat: (digits) => `[a-z][a-z${digits}]*`,
  camel: (digits) => `[a-z][a-z${digits}]*(?:[A-Z${digits}](?:[a-z${digits}]+|$))*`,
  pascal: (digits) => `[A-Z][a-z${digits}]*(?:[A-Z${digits}](?:[a-z${digits}]+|$))*`,
  kebab: (digits) => `[a-z][a-z${digits}]*(?:-[a-z${digits}]+)*`,
  cobol: (digits) => `[A-Z][A-Z${digits}]*(?:-[A-Z${digits}]+)*`,
  snake: (digits) => `[a-z][a-z${digits}]*(?:_[a-z${digits}]+)*`,
  macro: (digits) => `[A-Z][A-Z${digits}]*(?:_[A-Z${digits}]+)*`,
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Texts are written in the case of `type`; `separator.char` joins several such words. */
const casing: LintFunction = (input, options) => {
  if (typeof input !== 'string' || input === '' || !isObject(options)) return []
  const shape = Object.hasOwn(shapes, String(options.type)) ? shapes[String(options.type)] : undefined
  if (!shape) return []
  const word = shape(options.disallowDigits === true ? '' : '0-9')
  const separator = isObject(options.separator) ? options.separator : null
  const char = typeof separator?.char === 'string' ? escape(separator.char) : null
  const lead = char !== null && separator?.allowLeading === true ? `(?:${char})?` : ''
  const whole = char === null ? word : `${lead}${word}(?:${char}${word})*`
  if (char !== null && separator?.allowLeading === true && input === separator.char) return []
  return new RegExp(`^${whole}$`).test(input) ? [] : [{ message: `must be ${String(options.type)} case` }]
}

export default casing
