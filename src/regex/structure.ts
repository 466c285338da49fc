/**
 * The structure of a regular expression that the runtime has accepted already (ECMA-262, section 22.2.1): what is
 * repeated, chosen, grouped and looked at. The runtime says what a single character may be.
 */
import { RegExpParser, type AST } from '@eslint-community/regexpp'
import { complement, lineEnds, setOf, spansOfElements, type Span } from './spans.ts'

/** One character, as a class, an escape or itself. */
export interface Atom {
  readonly kind: 'atom'
  /** Whether one character matches: a code unit, or a code point in Unicode mode. */
  readonly fits: (character: string) => boolean
  /** The code points that match; null where that depends on case, or where it does not match characters. */
  readonly spans: () => readonly Span[] | null
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

type AtomNode = AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass

function spansOf(node: AtomNode, flags: string): readonly Span[] | null {
  if (flags.includes('i')) return null
  switch (node.type) {
    case 'Character':
    case 'CharacterClass': {
      const elements: readonly AST.CharacterClassElement[] = node.type === 'Character' ? [node] : node.elements
      const spans = spansOfElements(elements)
      return spans !== null && node.type === 'CharacterClass' && node.negate ? complement(spans) : spans
    }
    case 'CharacterSet':
      if (node.kind === 'any') return flags.includes('s') ? complement([]) : complement(lineEnds)
      return setOf(node)
    case 'ExpressionCharacterClass':
      return null
  }
}

const atomOf = (node: AtomNode, flags: string): Atom => {
  // With the flag "v" a class or a property may match strings of several characters.
  if ('elements' in node && node.elements.some((it) => it.type === 'ClassStringDisjunction')) throw new UnknownSyntax()
  if (node.type === 'CharacterSet' && 'strings' in node && node.strings) throw new UnknownSyntax()
  // Outside of Unicode mode brackets and braces may be literal.
  const source = /^[\]{}]$/.test(node.raw) ? `\\${node.raw}` : node.raw
  let single: RegExp | undefined
  let spans: readonly Span[] | null | undefined
  const known = new Map<string, boolean>()
  return {
    kind: 'atom',
    fits: (character) => {
      let answer = known.get(character)
      if (answer === undefined) {
        if (known.size > 4096) known.clear()
        single ??= new RegExp(`^(?:${source})$`, flags)
        known.set(character, (answer = single.test(character)))
      }
      return answer
    },
    spans: () => (spans === undefined ? (spans = spansOf(node, flags)) : spans),
  }
}

/** Flags inside of a group that sets some: `(?i-m:…)`. */
function modified(flags: string, { add, remove }: AST.Modifiers): string {
  const named = (it: AST.ModifierFlags | null): string =>
    `${it?.ignoreCase === true ? 'i' : ''}${it?.multiline === true ? 'm' : ''}${it?.dotAll === true ? 's' : ''}`
  const off = named(remove)
  return [...new Set(flags + named(add))].filter((it) => !off.includes(it)).join('')
}

class Reader {
  private groups = 0
  private readonly names = new Map<string, number[]>()

  read(pattern: AST.Pattern, flags: string): Structure {
    const tree = this.choice(pattern.alternatives, flags)
    return { tree, names: this.names, groups: this.groups }
  }

  private choice(alternatives: readonly AST.Alternative[], flags: string): Tree {
    const parts = alternatives.map(({ elements }): Tree => ({
      kind: 'sequence',
      parts: elements.map((it) => this.element(it, flags)),
    }))
    return parts.length === 1 ? (parts[0] as Tree) : { kind: 'choice', parts }
  }

  private element(node: AST.Element, flags: string): Tree {
    switch (node.type) {
      case 'Quantifier':
        return {
          kind: 'repeat',
          part: this.element(node.element, flags),
          min: node.min,
          max: node.max,
          lazy: !node.greedy,
        }
      case 'Group':
        return this.choice(node.alternatives, node.modifiers === null ? flags : modified(flags, node.modifiers))
      case 'CapturingGroup': {
        const index = ++this.groups
        if (node.name !== null) this.names.set(node.name, [...(this.names.get(node.name) ?? []), index])
        return { kind: 'group', part: this.choice(node.alternatives, flags), index }
      }
      case 'Backreference':
        return { kind: 'back', to: node.ref, ignoreCase: flags.includes('i') }
      case 'Assertion':
        return this.assertion(node, flags)
      default:
        return atomOf(node, flags)
    }
  }

  private assertion(node: AST.Assertion, flags: string): Tree {
    const multiline = flags.includes('m')
    switch (node.kind) {
      case 'start':
      case 'end':
        return { kind: 'assert', what: node.kind, multiline }
      case 'word':
        return { kind: 'assert', what: node.negate ? 'not-word' : 'word', multiline }
      case 'lookahead':
      case 'lookbehind': {
        const part = this.choice(node.alternatives, flags)
        return { kind: 'look', part, behind: node.kind === 'lookbehind', negative: node.negate }
      }
    }
  }
}

const parser = new RegExpParser()

/**
 * Reads the structure of a valid expression.
 * @throws UnknownSyntax where it uses what is not known here
 */
export function readStructure(source: string, flags: string): Structure {
  const unicodeSets = flags.includes('v')
  try {
    const mode = { unicode: flags.includes('u'), unicodeSets }
    const pattern = parser.parsePattern(source, 0, source.length, mode)
    return new Reader().read(pattern, flags.replaceAll(/[gyd]/g, ''))
  } catch (error) {
    // Groups within groups end somewhere; and the runtime may know more than the parser.
    if (error instanceof SyntaxError || error instanceof RangeError) throw new UnknownSyntax()
    throw error
  }
}
