import { decimalOfText, exactAsJson, isExact, numericOf } from './exact.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { nodeKind, type Outline } from './outline.ts'

/** Whether a JSON text can hold a number that no double can represent: one of many digits, or of a large exponent. */
export const mayBeInexact = (text: string): boolean => /[\d.]{16}|\d[eE][-+]?\d{3}/.test(text)

const number = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const based = /^0(?:x[\da-fA-F]+|o[0-7]+)$/
/** What makes a short number one that no double holds: a large exponent. Others are in hexadecimal. */
const odd = /[eE][-+]?\d{3}|^0[xo]/
/** A YAML tag in front of a scalar, perhaps with an anchor: it may say that the scalar is a text. */
const tagged = /!\S*\s+(?:&\S+\s+)?$/

/** The text of a decimal number that a literal writes and no double holds; null for every other literal. */
const inexact = (text: string, yaml: boolean): string | null => {
  const written = yaml && based.test(text) ? BigInt(text).toString() : text
  if (!number.test(written)) return null
  const decimal = decimalOfText(written)
  return decimal !== null && isExact(numericOf(decimal)) ? written : null
}

const replaced = (value: Json, marks: ReadonlyMap<string, Json>, seen: Map<object, Json>): Json => {
  if (typeof value === 'string') return marks.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  const known = seen.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const made: Json[] = []
    seen.set(value, made)
    for (const it of value as readonly Json[]) made.push(replaced(it, marks, seen))
    return made
  }
  const made: Record<string, Json> = {}
  seen.set(value, made)
  if (isObject(value)) for (const [key, it] of Object.entries(value)) made[key] = replaced(it, marks, seen)
  return made
}

/**
 * The value of a text in which numbers that no double holds are `ExactNumber`s; `value` itself where there are none. The text is
 * read a second time with marks in the place of such numbers, so that aliases and merge keys carry them too.
 *
 * @param parse reads the text with the marks as `value` was read
 */
export const readExactly = (
  text: string,
  outline: Outline,
  value: Json,
  yaml: boolean,
  parse: (text: string) => Json,
): Json => {
  const marks = new Map<string, Json>()
  let prefix = ''
  const parts: string[] = []
  let from = 0
  for (let id = 0; id < outline.count; id++) {
    if (outline.kind[id] !== nodeKind.scalar) continue
    const [start, end] = [outline.start[id] ?? 0, outline.end[id] ?? 0]
    if (end - start < 5) continue
    const first = text.charCodeAt(start)
    // A digit, a sign or a dot begins a number; few of them are as long as one that no double holds.
    if (first > 57 || first < 43 || first === 44 || first === 47) continue
    if (end - start < 16 && !odd.test(text.slice(start, end))) continue
    const found = inexact(text.slice(start, end).trimEnd(), yaml)
    if (found === null || (yaml && tagged.test(text.slice(Math.max(0, start - 60), start)))) continue
    if (prefix === '') {
      prefix = 'number'
      while (text.includes(prefix)) prefix += '-'
    }
    const mark = `${prefix}${marks.size}`
    marks.set(mark, exactAsJson(numericOf(decimalOfText(found)!)))
    parts.push(text.slice(from, start), JSON.stringify(mark))
    from = end
  }
  if (marks.size === 0) return value
  parts.push(text.slice(from))
  return replaced(parse(parts.join('')), marks, new Map())
}
