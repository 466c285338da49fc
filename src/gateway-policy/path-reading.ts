/**
 * How servers read the path of a request. Some compare it as it was sent, some decode it, merge slashes, remove dot segments (RFC 3986,
 * section 5.2.4) or parameters of segments, each in an order of its own. A rule that refuses applies if one reading meets it, a rule
 * that lets pass only if all of them do. The expressions are run by JavaScript here and by the engines in `compile/path-rules.ts`: they use
 * what all of them have in common, with `\A` and `\z` for the ends.
 */
import type { RuleAction } from './model.ts'

/** Whether one reading is enough, or all of them have to meet a condition. */
export type Lean = 'some' | 'every'

/** Rules that refuse or report apply to what may be meant, rules that let pass to what is certainly meant. */
export const leanOf = (action: RuleAction): Lean => (action === 'allow' || action === 'skip' ? 'every' : 'some')
export const opposite = (lean: Lean): Lean => (lean === 'some' ? 'every' : 'some')

const hex = '[0-9a-fA-F]'
const notHex = '[^0-9a-fA-F]'
/** A percent sign without two digits after it: servers refuse it, keep it, or decode the rest. */
const broken = `\\x25(?:${notHex}|${hex}(?:${notHex}|\\z)|\\z)`
/** What is still encoded after it was decoded. */
const twice = `\\x2525${hex}${hex}`
const backslash = '(?:\\x5c|\\x255[cC])'
const semicolon = '(?:;|\\x253[bB])'

/** An expression, and whether it looks at the path as it was sent, once decoded, or decoded twice. */
export interface PathPattern {
  readonly of: 'sent' | 'decoded' | 'twice'
  readonly pattern: string
}
const sent = (pattern: string): PathPattern => ({ of: 'sent', pattern })
const decodedOnce = (pattern: string): PathPattern => ({ of: 'decoded', pattern })
const decodedTwice = (pattern: string): PathPattern => ({ of: 'twice', pattern })

/** The path is compared undecoded, too: an encoded slash stays in its segment for servers that split first. */
export const asSent = `\\x25(?:2[fF]|5[cC])|${broken}`
/** There is something for merging slashes and removing dot segments, in the decoded path. */
export const hasDots = '//|/\\.{1,2}(?:/|\\z)'
/** There is an encoded question mark: ModSecurity ends the decoded path there, and takes the rest for the query. */
export const hasQuestionMark = '\\x253[fF]'
/** The decoded path before a question mark. */
export const beforeQuestionMark = '\\A([^?]*)[?]'
/** The path is decoded a second time. */
export const isEncodedTwice = `${twice}|${hasQuestionMark}|${broken}`
/** The decoded path without the parameters of four segments is the groups together. */
export const withoutParameters = '\\A([^;]*);[^/]*([^;]*)(?:;[^/]*)?([^;]*)(?:;[^/]*)?([^;]*)(?:;[^/]*)?([^;]*)'
/** The parts of a decoded path before and after its only backslash. */
export const aroundBackslash = '\\A([^\\x5c]*)\\x5c([^\\x5c]*)\\z'
/** A normalized path. Coraza makes two slashes of the root. */
export const normalized = '\\A/?(/[\\s\\S]*)\\z'
/** A normalized path before the slash at its end. */
export const withoutEnd = '\\A(/[\\s\\S]*[^/])/\\z'

/**
 * Paths that servers read in more ways than are tried, each a list of what has to be there together. No client that means well sends
 * them: dot segments beside other things that servers treat differently, dot segments at the end, NUL, and what is not a path.
 */
export const unclear: readonly (readonly PathPattern[])[] = [
  [
    decodedTwice('(?:\\A|[/\\x5c])\\.{1,2}(?:[/\\x5c;?#]|\\z)'),
    sent(`//|[;\\x5c]|\\x25(?:2[eEfF]|5[cC]|3[bBfF]|23)|${twice}|${broken}|(?:\\A|/)\\.{1,2}\\z`),
  ],
  [decodedTwice('(?:\\A|[/\\x5c])\\.{3,}(?:[/\\x5c;?#]|\\z)')],
  [sent(`${semicolon}|${backslash}`), sent(`\\x252[fF]|${twice}|${broken}`)],
  [sent(';'), sent('\\x253[bB]')],
  [sent(hasQuestionMark), sent(`//|${semicolon}|${backslash}|\\x252[fF]|${twice}|${broken}`)],
  // More parameters than are taken out.
  [decodedOnce('\\A(?:[^;]*;[^/]*/){4}[^;]*;')],
  // Engines take a plus sign for a space where they decode a second time.
  [sent('\\+'), sent(`${twice}|${broken}`)],
  [sent('//'), sent('(?:/|\\x252[fF])\\x252[fF]|\\x252[fF]/')],
  [
    sent(
      `${semicolon}[\\s\\S]*${backslash}|${backslash}[\\s\\S]*${semicolon}|${backslash}[\\s\\S]*${backslash}|\\x25(?:25)?00|\\x25[uU]${hex}{4}`,
    ),
  ],
  [sent('\\A(?:[^/]|\\z)')],
]

/** A path that some servers perhaps do not serve as the operation whose template it has: what the readings above differ about, and letters that are encoded. */
export const odd = [
  '//|[;\\x5c]',
  '\\x25(?:2[d-fD-F]|3[0-9bB]|4[1-9a-fA-F]|5[0-9acfACF]|6[1-9a-fA-F]|7[0-9aA]|00)',
  twice,
  broken,
  '(?:\\A|/)\\.+(?:/|\\z)',
  '\\A(?:[^/]|\\z)',
].join('|')

const expressions = new Map<string, RegExp>()

/** One of the expressions above as one of JavaScript. */
function expression(pattern: string): RegExp {
  const known =
    expressions.get(pattern) ?? new RegExp(pattern.replaceAll(String.raw`\A`, '^').replaceAll(String.raw`\z`, '$'), 'u')
  expressions.set(pattern, known)
  return known
}

/** Whether a path is odd: see `odd`. */
export const isOdd = (path: string): boolean => expression(odd).test(path)

const utf8 = new TextDecoder()

/** Percent-decodes what can be decoded. */
function decode(text: string, plus: '+' | ' '): string {
  const bytes = new TextEncoder().encode(plus === '+' ? text : text.replaceAll('+', ' '))
  const out = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const code = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0)
    const isCode = bytes[at] === 0x25 && /^[0-9a-fA-F]{2}$/.test(code)
    out[length++] = isCode ? Number.parseInt(code, 16) : (bytes[at] ?? 0)
    if (isCode) at += 2
  }
  return utf8.decode(out.subarray(0, length))
}

/** Merges slashes and removes dot segments, as `t:normalizePath` of the engines does. */
function normalize(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}${path.endsWith('/') && kept.length > 0 ? '/' : ''}`
}

export interface PathReadings {
  /** The decoded path first, and the others where they may differ from it. */
  readonly texts: readonly string[]
  /** Without the slash at the end, for rules that refuse: many servers serve both as one; null: it has none. */
  readonly withoutEnd: string | null
  /** Whether there are more readings than these: then a rule that refuses applies, and one that lets pass does not. */
  readonly isUnclear: boolean
}

/** @param path as it was sent, without the query */
export function readingsOf(path: string): PathReadings {
  const isBroken = expression(broken).test(path)
  // Coraza, too, takes a path that it cannot decode as it is.
  const decoded = isBroken ? path : decode(path, '+')
  const decodedAgain = decode(decode(path, ' '), ' ')
  const texts = { sent: path, decoded, twice: decodedAgain }
  const found = [decoded]
  if (expression(asSent).test(path)) found.push(path)
  if (expression(hasDots).test(decoded)) found.push(normalize(decoded))
  const parameters = expression(withoutParameters).exec(decoded)
  if (parameters !== null) found.push(normalize(parameters.slice(1).join('')))
  const parts = expression(aroundBackslash).exec(decoded)
  if (parts !== null) found.push(normalize(parts.slice(1, 3).join('/')))
  const beforeMark = expression(beforeQuestionMark).exec(decoded)
  if (beforeMark !== null) found.push(beforeMark[1] ?? '')
  if (expression(isEncodedTwice).test(path)) found.push(normalize(decodedAgain))
  return {
    texts: found,
    withoutEnd: beforeMark === null ? (expression(withoutEnd).exec(normalize(decoded))?.[1] ?? null) : null,
    isUnclear: unclear.some((together) => together.every(({ of, pattern }) => expression(pattern).test(texts[of]))),
  }
}
