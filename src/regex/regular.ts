/** Regular expressions as far as they are regular: sets of characters, in sequence, chosen and repeated. */
import { readStructure, UnknownSyntax, type Tree } from './structure.ts'
import { anything, type Span } from './spans.ts'

export type Regular =
  | { readonly op: 'set'; readonly spans: readonly Span[] }
  | { readonly op: 'sequence' | 'choice'; readonly parts: readonly Regular[] }
  | { readonly op: 'repeat'; readonly part: Regular; readonly min: number; readonly max: number }
  | { readonly op: 'assert'; readonly when: 'start' | 'end' | 'word' | 'not-word' }

/** Thrown where an expression is not regular, or not an expression at all. */
export class NotRegular extends Error {}

const nothing: Regular = { op: 'sequence', parts: [] }
const anyText: Regular = { op: 'repeat', part: { op: 'set', spans: anything }, min: 0, max: Infinity }

/** @param relaxed what is not regular is left out, so that at least the same texts match */
function regularOf(tree: Tree, relaxed: boolean): Regular {
  switch (tree.kind) {
    case 'atom': {
      const spans = tree.spans()
      if (spans === null) throw new NotRegular()
      return { op: 'set', spans }
    }
    case 'sequence':
    case 'choice':
      return { op: tree.kind, parts: tree.parts.map((part) => regularOf(part, relaxed)) }
    case 'repeat': {
      const part = regularOf(tree.part, relaxed)
      // Laziness changes which match is found, not whether there is one.
      if (part.op === 'assert') throw new NotRegular()
      return { op: 'repeat', part, min: tree.min, max: tree.max }
    }
    case 'group':
      return regularOf(tree.part, relaxed)
    case 'assert':
      return relaxed && (tree.what === 'word' || tree.what === 'not-word') ? nothing : { op: 'assert', when: tree.what }
    case 'look':
      if (relaxed) return nothing
      throw new NotRegular()
    case 'back':
      if (relaxed) return anyText
      throw new NotRegular()
  }
}

const isPattern = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

/**
 * Reads a pattern of JSON Schema: as the validator does, in Unicode mode, and without it where that does not take it. Texts are
 * compared by code points in either mode.
 *
 * @param relaxed what is not regular is left out: at least the same texts match
 * @throws NotRegular where it looks around, refers back, or is not a regular expression
 */
export function readRegular(source: string, relaxed = false): Regular {
  const flags = isPattern(source, 'u') ? 'u' : ''
  if (flags === '' && !isPattern(source, '')) throw new NotRegular()
  try {
    return regularOf(readStructure(source, flags).tree, relaxed)
  } catch (error) {
    // Groups within groups end somewhere.
    if (error instanceof UnknownSyntax || error instanceof RangeError) throw new NotRegular()
    throw error
  }
}
