/**
 * Writing SecLang. No text of a policy reaches a file as it is: values are regular expressions in which everything but letters and
 * digits is a hexadecimal escape (so no quote, comma, backtick, line end or macro `%{…}` is left), names in comments and messages keep
 * plain characters only, and ids of ours are encoded.
 */
import { utf8 } from '../../host/native.ts'
import { literal } from '../pattern.ts'
import { idRanges } from './model.ts'

/** Coraza reads lines of less than 65,536 bytes and drops, without a word, everything after a longer one. */
export const longestLine = 60_000

/** A text for comments and messages: one line of plain characters. */
export const plain = (text: string, longest = 120): string =>
  text
    .replaceAll(/[^\w .:()/=-]+/g, '?')
    .slice(0, longest)
    .trim()

/** An id or another value in a tag: what is not plain is written as "~" and its hexadecimal number. */
export const tagText = (text: string): string =>
  text.replaceAll(/[^\w.-]/gu, (it) => `~${(it.codePointAt(0) ?? 0).toString(16)}~`)

/** A member of a collection, as `ARGS:name`; names with other characters are regular expressions. */
export function member(collection: string, name: string, isBytes: boolean): string {
  if (/^[\w-]+$/.test(name)) return `${collection}:${name}`
  // Where bytes are compared, only the letters of ASCII have no case.
  const lower = isBytes ? name.replaceAll(/[A-Z]/g, (it) => it.toLowerCase()) : name.toLowerCase()
  return memberLike(collection, literal(lower, isBytes ? 'bytes' : 'unicode'))
}

/** A member in an action of ModSecurity, whose reader takes these characters only; null: it cannot be named there. */
export const plainMember = (collection: string, name: string): string | null =>
  /^[\w.[\]$-]+$/.test(name) ? `${collection}:${name}` : null

/** The members of a collection whose whole name meets a regular expression. */
export const memberLike = (collection: string, pattern: string): string =>
  // The pattern is in lower case because engines compare names so; a slash would end it.
  `${collection}:/^${pattern.replaceAll('/', '\\x2f')}$/`

/** One condition: a target of the engine, and an operator. */
export interface Link {
  readonly target: string
  readonly operator: string
  /** What is done to the target before it is compared, as "normalizePath". */
  readonly transformations?: readonly string[]
}

export interface Chain {
  readonly id: number
  readonly phase?: 1 | 2 | 3 | 4
  /** All of them hold; none: always. */
  readonly links: readonly Link[]
  /** Actions of the rule as a whole: `deny`, `log`, tags. */
  readonly actions: readonly string[]
  /** What is done once every link held: on the last link, because actions of the first are done as soon as that one holds. */
  readonly then?: readonly string[]
}

/** A rule as lines of SecLang. */
export function chain({ id, phase = 1, links, actions, then = [] }: Chain): string {
  const start = [`id:${id}`, `phase:${phase}`]
  if (links.length === 0) return `${checked(`SecAction "${[...start, 't:none', ...actions, ...then].join(',')}"`)}\n`
  const last = links.length - 1
  return links
    .map(({ target, operator, transformations = [] }, index) => {
      const prepared = ['none', ...transformations].map((it) => `t:${it}`)
      const own = index === 0 ? [...start, ...prepared, ...actions] : prepared
      const more = index === last ? then : ['chain']
      return checked(`${'  '.repeat(index)}SecRule ${target} "${operator}" "${[...own, ...more].join(',')}"`)
    })
    .map((line) => `${line}\n`)
    .join('')
}

function checked(line: string): string {
  const bytes = utf8(line).byteLength
  if (bytes > longestLine) throw new RangeError(`a line of ${bytes} bytes`)
  return line
}

/** Thrown where a range of rule numbers is used up. */
export class OutOfIds extends Error {}

/** Hands out the numbers of a range. */
export class Ids {
  private next: number
  private readonly last: number

  constructor(range: keyof typeof idRanges) {
    ;[this.next, this.last] = idRanges[range]
  }

  /** @throws OutOfIds */
  take(): number {
    if (this.next > this.last) throw new OutOfIds()
    return this.next++
  }

  get mark(): number {
    return this.next
  }
  back(mark: number): void {
    this.next = mark
  }
}
