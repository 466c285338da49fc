/**
 * The structure of a regular expression that the runtime has accepted already (ECMA-262, section 22.2.1): what is
 * repeated, chosen, grouped and looked at. What a single character may be is left to the runtime.
 */

/** One character, as a class, an escape or itself. */
export interface Atom {
  readonly kind: 'atom'
  /** Whether one character matches: a code unit, or a code point in Unicode mode. */
  readonly fits: (character: string) => boolean
}

export type Tree =
  | Atom
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly kind: 'look'; readonly part: Tree; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'group'; readonly part: Tree; readonly index: number }
  | { readonly kind: 'back'; readonly to: number | string; readonly ignoreCase: boolean }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'word' | 'not-word'; readonly multiline: boolean }

export interface Structure {
  readonly tree: Tree
  readonly names: ReadonlyMap<string, readonly number[]>
  readonly groups: number
}

/** Thrown where an expression uses what is not known here. */
export class UnknownSyntax extends Error {}

const atomOf = (source: string, flags: string): Atom => {
  const single = new RegExp(`^(?:${source})$`, flags)
  const known = new Map<string, boolean>()
  return {
    kind: 'atom',
    fits: (character) => {
      let answer = known.get(character)
      if (answer === undefined) {
        if (known.size > 4096) known.clear()
        known.set(character, (answer = single.test(character)))
      }
      return answer
    },
  }
}

class Reader {
  private at = 0
  private groups = 0
  private readonly names = new Map<string, number[]>()
  private readonly source: string
  private readonly unicode: boolean
  private readonly sets: boolean

  constructor(source: string, flags: string) {
    this.source = source
    this.unicode = /[uv]/.test(flags)
    this.sets = flags.includes('v')
  }

  read(flags: string): Structure {
    const tree = this.choice(flags)
    if (this.at < this.source.length) throw new UnknownSyntax()
    return { tree, names: this.names, groups: this.groups }
  }

  private ahead(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private choice(flags: string): Tree {
    const parts = [this.sequence(flags)]
    while (this.ahead('|')) parts.push(this.sequence(flags))
    return parts.length === 1 ? (parts[0] as Tree) : { kind: 'choice', parts }
  }

  private sequence(flags: string): Tree {
    const parts: Tree[] = []
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')')
      parts.push(this.quantified(this.term(flags)))
    return { kind: 'sequence', parts }
  }

  private quantified(part: Tree): Tree {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/.exec(this.source.slice(this.at, this.at + 40))
    if (found === null) return part
    this.at += found[0].length
    const [, sign, least, comma, most, lazy] = found
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
    const bound = comma === undefined ? min : most === '' ? Infinity : Number(most)
    const max = sign === undefined ? bound : sign === '?' ? 1 : Infinity
    return { kind: 'repeat', part, min, max, lazy: lazy === '?' }
  }

  private term(flags: string): Tree {
    const multiline = flags.includes('m')
    if (this.ahead('^')) return { kind: 'assert', what: 'start', multiline }
    if (this.ahead('$')) return { kind: 'assert', what: 'end', multiline }
    if (this.ahead('\\b')) return { kind: 'assert', what: 'word', multiline }
    if (this.ahead('\\B')) return { kind: 'assert', what: 'not-word', multiline }
    if (this.ahead('(')) return this.group(flags)
    const from = this.at
    if (this.ahead('[')) {
      this.skipSet()
      return atomOf(this.source.slice(from, this.at), flags)
    }
    if (this.source[this.at] === '\\') return this.escape(flags)
    const character = this.unicode
      ? String.fromCodePoint(this.source.codePointAt(this.at) as number)
      : (this.source[this.at] as string)
    this.at += character.length
    // Outside of Unicode mode brackets and braces may be literal.
    return atomOf(/^[\]{}]$/.test(character) ? `\\${character}` : character, flags)
  }

  private skipSet(): void {
    let depth = 1
    while (depth > 0) {
      const character = this.source[this.at++]
      if (character === undefined) throw new UnknownSyntax()
      if (character === '\\') this.at++
      else if (character === ']') depth--
      else if (character === '[' && this.sets) depth++
    }
  }

  private escape(flags: string): Tree {
    const rest = this.source.slice(this.at)
    const named = /^\\k<([^>]*)>/.exec(rest)
    if (named !== null && (this.unicode || this.source.includes('(?<'))) {
      this.at += named[0].length
      return { kind: 'back', to: named[1] as string, ignoreCase: flags.includes('i') }
    }
    const numbered = /^\\([1-9]\d*)/.exec(rest)
    if (numbered !== null) {
      // A number without a group is an octal escape of old: too rare to be read here.
      if (Number(numbered[1]) > countGroups(this.source)) throw new UnknownSyntax()
      this.at += numbered[0].length
      return { kind: 'back', to: Number(numbered[1]), ignoreCase: flags.includes('i') }
    }
    const long = this.unicode
      ? /^\\(?:u\{[\da-fA-F]+\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[^])/u
      : /^\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[0-7]{1,3}|[^])/
    const found = long.exec(rest)
    if (found === null) throw new UnknownSyntax()
    this.at += found[0].length
    // With the flag "v" a property may match strings of several characters.
    if (this.sets && /^\\[pq]/.test(found[0])) throw new UnknownSyntax()
    return atomOf(found[0], flags)
  }

  private group(flags: string): Tree {
    const close = (part: Tree): Tree => {
      if (!this.ahead(')')) throw new UnknownSyntax()
      return part
    }
    if (this.ahead('?:')) return close(this.choice(flags))
    for (const [opening, behind, negative] of looks)
      if (this.ahead(opening)) return close({ kind: 'look', part: this.choice(flags), behind, negative })
    const modifiers = /^\?([ims]*)(?:-([ims]+))?:/.exec(this.source.slice(this.at, this.at + 12))
    if (modifiers !== null) {
      this.at += modifiers[0].length
      const [, on = '', off = ''] = modifiers
      const inner = [...new Set((flags + on).split(''))].filter((it) => !off.includes(it)).join('')
      return close(this.choice(inner))
    }
    const index = ++this.groups
    const name = /^\?<([^>]+)>/.exec(this.source.slice(this.at))
    if (name !== null) {
      this.at += name[0].length
      this.names.set(name[1] as string, [...(this.names.get(name[1] as string) ?? []), index])
    }
    return close({ kind: 'group', part: this.choice(flags), index })
  }
}

const looks = [
  ['?=', false, false],
  ['?!', false, true],
  ['?<=', true, false],
  ['?<!', true, true],
] as const

const countGroups = (source: string): number =>
  source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '').match(/\((?!\?(?!<[^=!]))/g)?.length ?? 0

/**
 * Reads the structure of a valid expression.
 * @throws UnknownSyntax where it uses what is not known here
 */
export function readStructure(source: string, flags: string): Structure {
  return new Reader(source, flags).read(flags.replaceAll(/[gydv]/g, (it) => (it === 'v' ? 'v' : '')))
}
