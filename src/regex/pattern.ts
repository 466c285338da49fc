/**
 * Regular expressions and texts from untrusted sources: every question is answered in bounded
 * time. The runtime's own matcher answers where its cost can be predicted, otherwise an automaton that follows all alternatives
 * at once; what it cannot answer within its budget stays unanswered.
 */
import { costOf, isCertain, type Cost } from './cost.ts'
import { compileProgram, OutOfBudget, Run, type Program, type Steps } from './program.ts'
import { readStructure, UnknownSyntax, type Structure } from './structure.ts'

const nativeBudget = 2_000_000
const budget = 5_000_000
const longestUnknown = 24
const longestSimulated = 200_000

/** A regular expression of ECMA-262 that can be asked whether it finds a match in a text. */
export class Pattern {
  readonly native: RegExp
  private readonly unicode: boolean
  private readonly cost: Cost
  private readonly certain: boolean
  private readonly structure: Structure | null
  private program: Program | null | undefined = undefined

  /** @throws SyntaxError if the source is not a regular expression */
  constructor(source: string, flags = '') {
    this.native = new RegExp(source, flags.replaceAll(/[gy]/g, ''))
    this.unicode = /[uv]/.test(flags)
    let structure: Structure | null = null
    try {
      structure = readStructure(source, flags)
    } catch (error) {
      if (!(error instanceof UnknownSyntax)) throw error
    }
    this.structure = structure
    this.cost = structure === null ? { ways: Infinity, power: Infinity } : costOf(structure.tree)
    this.certain = structure !== null && isCertain(structure.tree)
  }

  /**
   * Whether a match is anywhere in the text; null where no answer was found in bounded time.
   * @param request what all questions of one request may take together; what this one took is taken off
   */
  test(text: string, request?: Steps): boolean | null {
    if (request !== undefined && request.left <= 0) return null
    if (this.isCheap(text)) {
      if (request !== undefined) request.left -= this.nativeSteps(text)
      return this.native.test(text)
    }
    const program = this.compiled()
    if (text.length > longestSimulated) return null
    if (program === null) return text.length <= longestUnknown ? this.native.test(text) : null
    const most = Math.min(budget, request?.left ?? budget)
    const steps = { left: most }
    try {
      return new Run(this.unicode ? Array.from(text) : text.split(''), steps).find(program)
    } catch (error) {
      if (error instanceof OutOfBudget) return null
      throw error
    } finally {
      if (request !== undefined) request.left -= most - steps.left
    }
  }

  /** What the runtime's matcher is taken to need: the bound on its ways is seldom reached, and a step of it costs a tenth of one of ours. */
  private nativeSteps(text: string): number {
    const { ways, power } = this.cost
    return Math.min(nativeBudget, ways * (text.length + 1) ** power) / 100 + text.length + 1
  }

  /**
   * What matched, as `String.match` answers; null for no match. Where finding out which part matched could take long,
   * the whole text is returned instead.
   */
  match(text: string): readonly (string | undefined)[] | null {
    if (this.isCheap(text)) return text.match(this.native)
    return this.test(text) === true ? [text] : null
  }

  /** Where the first match begins; -1 for no match, or none found in bounded time. */
  search(text: string): number {
    if (this.isCheap(text)) return text.search(this.native)
    return this.test(text) === true ? 0 : -1
  }

  private isCheap(text: string): boolean {
    const { ways, power } = this.cost
    // What grows with the text alone is as cheap as reading it.
    if (ways <= 1000 && power <= 1) return true
    if (ways * (text.length + 1) ** power <= nativeBudget) return true
    // eslint-disable-next-line no-control-regex -- ASCII is what is meant
    return this.certain && /^[\x00-\x7f]*$/.test(text)
  }

  private compiled(): Program | null {
    if (this.program !== undefined) return this.program
    this.program = null
    try {
      if (this.structure !== null) this.program = compileProgram(this.structure)
    } catch (error) {
      if (!(error instanceof UnknownSyntax)) throw error
    }
    return this.program
  }
}

const known = new Map<string, Pattern | null>()

/** The pattern of a source and flags; null if it is not a regular expression. Patterns are cached. */
export function patternOf(source: string, flags = ''): Pattern | null {
  const key = `${flags}/${source}`
  let pattern = known.get(key)
  if (pattern === undefined) {
    if (known.size > 5000) known.clear()
    try {
      pattern = new Pattern(source, flags)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      pattern = null
    }
    known.set(key, pattern)
  }
  return pattern
}
