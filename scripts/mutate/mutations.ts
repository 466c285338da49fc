/** The mutations of a source text: small changes that a test should notice. */

export interface Mutation {
  /** Offsets of what is replaced, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** One-based. */
  readonly line: number
  /** The line as it was, trimmed, and what became of the part: the identity of a mutation over edits elsewhere. */
  readonly before: string
  readonly change: string
}

/** A source text with one mutation. */
export const mutate = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '&&': '||',
  '||': '&&',
}

/** Marks what is not code: texts, comments and regular expressions are blanked, so that offsets stay. */
export function blank(source: string): string {
  // By UTF-16 unit, as offsets are.
  const out = source.split('')
  const hide = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) if (out[at] !== '\n') out[at] = ' '
  }
  let at = 0
  let last = ''
  while (at < source.length) {
    const rest = source.slice(at, at + 2)
    const from = at
    if (rest === '//') at = endOf(source, '\n', at)
    else if (rest === '/*') at = endOf(source, '*/', at + 2)
    else if (`'"\``.includes(source[at] ?? ' ')) at = endOfQuoted(source, at)
    else if (source[at] === '/' && (last === '' || '(,=:[!&|?{};>+'.includes(last))) at = endOfPattern(source, at)
    else {
      if (!/\s/.test(source[at] ?? '')) last = source[at] ?? ''
      at += 1
      continue
    }
    hide(from, at)
    if (rest !== '//' && rest !== '/*') last = 'x'
  }
  return out.join('')
}

const endOf = (source: string, mark: string, from: number): number => {
  const found = source.indexOf(mark, from)
  return found < 0 ? source.length : found + mark.length
}

function endOfQuoted(source: string, start: number): number {
  const quote = source[start]
  let at = start + 1
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfPattern(source: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < source.length && source[at] !== '\n'; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '[') inClass = true
    else if (source[at] === ']') inClass = false
    else if (source[at] === '/' && !inClass) return at + 1
  }
  return start + 1
}

/** Where the parenthesis that opens at `start` closes, in a text without quoted parts. */
function closing(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    else if (code[at] === ')' && (depth -= 1) === 0) return at
  }
  return -1
}

const declarative = /^\s*(import|export type|type|interface|readonly|export interface|\|)/

/** Conditions of queries and methods that ask all or one; their replacements need no import. */
const calls: Readonly<Record<string, string>> = {
  eq: "require('drizzle-orm').ne",
  ne: "require('drizzle-orm').eq",
  lt: "require('drizzle-orm').lte",
  lte: "require('drizzle-orm').lt",
  gt: "require('drizzle-orm').gte",
  gte: "require('drizzle-orm').gt",
  and: "require('drizzle-orm').or",
  or: "require('drizzle-orm').and",
  isNull: "require('drizzle-orm').isNotNull",
  isNotNull: "require('drizzle-orm').isNull",
  '.some': '.every',
  '.every': '.some',
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
}

/** Statements that only decide: what they are called for is to raise, to count or to hold others back. */
const effects = /^[ \t]*(?:else )?(?:await )?((?:assert|spend|forbid|require|check|lock|tx\.lock)\w*\()/gm

/**
 * All mutations of a source text, in order of place.
 * Conditions become always true and always false, comparisons and connectives their opposites, in queries too,
 * negations go, boolean literals flip, and checks that only raise are left out. Types and imports are left alone.
 */
export function mutationsOf(source: string): Mutation[] {
  const code = blank(source)
  const lines = source.split('\n')
  const starts: number[] = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  const lineAt = (offset: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  const found: Mutation[] = []
  const add = (start: number, end: number, replacement: string): void => {
    const line = lineAt(start)
    const text = lines[line] ?? ''
    if (declarative.test(text)) return
    const change = `${source.slice(start, end).replaceAll(/\s+/g, ' ')} → ${replacement.replace(/^require.*\./, '')}`
    found.push({ start, end, replacement, line: line + 1, before: text.trim(), change })
  }
  for (const match of code.matchAll(/ (===|!==|<=|>=|<|>|&&|\|\|)(?=\s)/g)) {
    const operator = match[1] ?? ''
    add(match.index + 1, match.index + 1 + operator.length, operators[operator] ?? operator)
  }
  for (const match of code.matchAll(/(?<=[(\s&|=])!(?=[\w(])/g)) add(match.index, match.index + 1, '')
  for (const match of code.matchAll(/(?<![\w.'-])(true|false)(?![\w'])/g))
    add(match.index, match.index + match[0].length, match[0] === 'true' ? 'false' : 'true')
  for (const match of code.matchAll(/\bif \(/g)) {
    const open = match.index + match[0].length - 1
    const close = closing(code, open)
    if (close < 0) continue
    add(open + 1, close, 'true')
    add(open + 1, close, 'false')
  }
  for (const match of code.matchAll(
    /(?<![\w.])(eq|ne|lte?|gte?|and|or|isNull|isNotNull|Math\.(?:min|max))(?=\()|\.(?:some|every)(?=\()/g,
  ))
    add(match.index, match.index + match[0].length, calls[match[0]] ?? '')
  for (const match of code.matchAll(effects)) {
    const close = closing(code, match.index + match[0].length - 1)
    if (/^[ \t]*(\n|$)/.test(code.slice(close + 1))) add(match.index + match[0].search(/\S/), close + 1, 'undefined')
  }
  return numbered(found.toSorted((a, b) => a.start - b.start || a.end - b.end))
}

/** Tells mutations apart whose line and change are the same, so that what explains one does not explain the other. */
function numbered(found: readonly Mutation[]): Mutation[] {
  const seen = new Map<string, number>()
  return found.map((entry) => {
    const key = `${entry.before} ${entry.change}`
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth === 1 ? entry : { ...entry, change: `${entry.change} #${nth}` }
  })
}
