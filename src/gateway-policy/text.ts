/** The text form of expressions: `http.path starts "/admin" and not ip.src cidr ["10.0.0.0/8"]`. */
import { suggest } from '../kernel/suggest.ts'
import {
  deepest,
  InvalidExpression,
  isTerm,
  mostCharacters,
  mostTerms,
  operators,
  readExpression,
  type Expression,
  type ExpressionProblem,
  type Term,
} from './expression.ts'
import { namedFields, readField } from './field.ts'

/** What is wrong with a text, and where. Lines and columns count from 1, columns in UTF-16 units. */
export interface TextProblem {
  readonly code: ExpressionProblem['code']
  readonly reason: string
  readonly line: number
  readonly column: number
}

class InvalidText extends Error {
  readonly at: number
  readonly code: 'rule-expression-invalid' | 'rule-too-complex'
  constructor(reason: string, at: number, code: InvalidText['code'] = 'rule-expression-invalid') {
    super(reason)
    this.at = at
    this.code = code
  }
}

interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'sign' | 'end'
  readonly source: string
  readonly at: number
}

const words = /[A-Za-z_][\w.!#$%&'*+^`|~-]*/y
const numbers = /\d[\w.]*/y
const texts = /"(?:[^"\\\r\n]|\\.)*"/y
const spaces = /[ \t\r\n]*/y
const foreign: Readonly<Record<string, string>> = {
  '&&': 'and',
  '||': 'or',
  '!': 'not',
  '!=': 'not FIELD eq VALUE',
  '==': 'eq',
  '=': 'eq',
  '<': 'lt',
  '>': 'gt',
  '<=': 'not FIELD gt VALUE',
  '>=': 'not FIELD lt VALUE',
  '~': 'matches',
  '=~': 'matches',
}

const take = (pattern: RegExp, source: string, at: number): string | null => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

function readSign(source: string, at: number): Token {
  const sign = source[at] ?? ''
  if ('()[],'.includes(sign)) return { kind: 'sign', source: sign, at }
  if (sign === '"') throw new InvalidText('the text has no closing quote on its line', at)
  if (sign === "'") throw new InvalidText('texts are in double quotes', at)
  const two = source.slice(at, at + 2)
  const better = foreign[two] ?? foreign[sign]
  if (better !== undefined)
    throw new InvalidText(`write ${better} in place of ${foreign[two] === undefined ? sign : two}`, at)
  throw new InvalidText(`"${String.fromCodePoint(source.codePointAt(at) ?? 0)}" cannot be read`, at)
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  for (let at = take(spaces, source, 0)?.length ?? 0; at < source.length;) {
    const word = take(words, source, at)
    const number = word === null ? take(numbers, source, at) : null
    const text = word === null && number === null ? take(texts, source, at) : null
    const token: Token =
      word !== null
        ? { kind: 'word', source: word, at }
        : number !== null
          ? { kind: 'number', source: number, at }
          : text !== null
            ? { kind: 'text', source: text, at }
            : readSign(source, at)
    tokens.push(token)
    at += token.source.length
    at += take(spaces, source, at)?.length ?? 0
  }
  return [...tokens, { kind: 'end', source: '', at: source.length }]
}

const joints = ['and', 'or'] as const

/** Where the parts of a condition are in the text. */
interface Places {
  readonly start: number
  readonly op?: number
  readonly value?: number
}

const isObject = (it: unknown): it is Readonly<Record<string, unknown>> => typeof it === 'object' && it !== null

class Parser {
  private readonly places = new WeakMap<object, Places>()
  private readonly tokens: readonly Token[]
  private next = 0
  private terms = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  private get token(): Token {
    return this.tokens[this.next] as Token
  }

  private isNext(kind: Token['kind'], source: string): boolean {
    return this.token.kind === kind && this.token.source === source
  }

  private skip(kind: Token['kind'], source: string): boolean {
    if (!this.isNext(kind, source)) return false
    this.next++
    return true
  }

  private fail(wanted: string): never {
    const shown = this.token.kind === 'end' ? 'the expression ends' : `found ${this.token.source.slice(0, 40)}`
    throw new InvalidText(`${wanted} is missing: ${shown}`, this.token.at)
  }

  whole(): unknown {
    if (this.token.kind === 'end')
      throw new InvalidText('the expression is empty; write for example http.path starts "/admin"', 0)
    const tree = this.joined('or', 1)
    const { token } = this
    if (token.kind === 'end') return tree
    if (token.source === ')') throw new InvalidText('this parenthesis closes nothing', token.at)
    const near = suggest(token.source, joints)
    this.fail(near === null ? '"and" or "or"' : `"${near}"`)
  }

  private joined(joint: 'and' | 'or', depth: number): unknown {
    const { at } = this.token
    const inner = () => (joint === 'or' ? this.joined('and', depth) : this.negated(depth))
    const parts = [inner()]
    while (this.skip('word', joint)) parts.push(inner())
    if (parts.length === 1) return parts[0]
    const node = { [joint]: parts }
    this.places.set(node, { start: at })
    return node
  }

  private negated(depth: number): unknown {
    const { at } = this.token
    if (depth > deepest)
      throw new InvalidText(`conditions are nested more than ${deepest} deep`, at, 'rule-too-complex')
    if (this.skip('word', 'not')) {
      const node = { not: this.negated(depth + 1) }
      this.places.set(node, { start: at })
      return node
    }
    if (!this.skip('sign', '(')) return this.term()
    const tree = this.joined('or', depth + 1)
    if (!this.skip('sign', ')')) this.fail('")"')
    return tree
  }

  private field(): string {
    const { token } = this
    if (token.kind !== 'word') this.fail('a field such as http.path')
    if (joints.some((it) => it === token.source)) this.fail('a condition')
    this.next++
    const named = namedFields.find((it) => it === token.source)
    if (named === undefined || !this.skip('sign', '[')) return token.source
    const name = this.token
    if (name.kind !== 'text') this.fail('a name in double quotes')
    this.next++
    if (!this.skip('sign', ']')) this.fail('"]"')
    return `${named}.${this.text(name)}`
  }

  private term(): unknown {
    const { at } = this.token
    if (++this.terms > mostTerms)
      throw new InvalidText(`an expression has at most ${mostTerms} conditions`, at, 'rule-too-complex')
    const field = this.field()
    const known = readField(field)
    if (typeof known === 'string') throw new InvalidText(known, at)
    const { token } = this
    const op = token.kind === 'word' ? operators.find((it) => it === token.source) : undefined
    if (op === undefined) {
      const near = token.kind === 'word' && token.source.length > 2 ? suggest(token.source, operators) : null
      this.fail(near === null ? `a comparison (${operators.join(', ')})` : `"${near}"`)
    }
    this.next++
    const valueAt = this.token.at
    const node = op === 'exists' ? { field, op } : { field, op, value: this.value() }
    this.places.set(node, { start: at, op: token.at, value: valueAt })
    return node
  }

  private text(token: Token): string {
    try {
      return JSON.parse(token.source) as string
    } catch {
      throw new InvalidText('a backslash in a text is written twice (\\\\), a quote as \\"', token.at)
    }
  }

  private value(): unknown {
    const { token } = this
    if (token.kind === 'text') {
      this.next++
      return this.text(token)
    }
    if (token.kind === 'number') {
      this.next++
      if (!/^\d{1,15}$/.test(token.source))
        throw new InvalidText(`write numbers as digits and texts in double quotes: "${token.source}"`, token.at)
      return Number(token.source)
    }
    if (token.kind === 'word')
      throw new InvalidText(`texts are in double quotes: "${token.source.slice(0, 40)}"`, token.at)
    if (!this.skip('sign', '[')) this.fail('a value')
    const values: unknown[] = []
    while (!this.skip('sign', ']')) {
      if (values.length > 0 && !this.skip('sign', ',')) this.fail('"," or "]"')
      values.push(this.value())
    }
    return values
  }

  /** Where in the text the place of a tree is. */
  offsetOf(tree: unknown, pointer: string): number {
    let node = tree
    let best = 0
    for (const step of ['', ...pointer.split('/').slice(1)]) {
      if (step !== '') node = isObject(node) ? node[step] : undefined
      const places = isObject(node) ? this.places.get(node) : undefined
      if (places === undefined) continue
      best = places.start
      if (pointer.endsWith('/op')) best = places.op ?? best
      if (/\/value(?:\/\d+)?$/.test(pointer)) best = places.value ?? best
    }
    return best
  }
}

function placed(source: string, code: TextProblem['code'], reason: string, at: number): TextProblem {
  const lines = source.slice(0, at).split(/\r\n|\r|\n/)
  return { code, reason, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/**
 * Reads the text form.
 * @param source at most 4,096 characters; line ends are spaces
 * @returns the tree in the form of `readExpression`, or what is wrong and where
 */
export function parseExpression(
  source: string,
): { tree: Expression; problem: null } | { tree: null; problem: TextProblem } {
  const failed = (code: TextProblem['code'], reason: string, at: number) => ({
    tree: null,
    problem: placed(source, code, reason, at),
  })
  if (source.length > mostCharacters)
    return failed(
      'rule-expression-too-long',
      `an expression has at most ${mostCharacters} characters, this one has ${source.length}`,
      mostCharacters,
    )
  try {
    const parser = new Parser(tokensOf(source))
    const tree = parser.whole()
    try {
      return { tree: readExpression(tree), problem: null }
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error
      const { code, reason, pointer } = error.problem
      return failed(code, reason, parser.offsetOf(tree, pointer))
    }
  } catch (error) {
    if (!(error instanceof InvalidText)) throw error
    return failed(error.code, error.message, error.at)
  }
}

function printField(id: string): string {
  const field = readField(id)
  if (typeof field === 'string' || field.prefix === null || field.name === null) return id
  const isPlain = take(words, `a.${field.name}`, 0) === `a.${field.name}`
  return isPlain ? id : `${field.prefix}[${JSON.stringify(field.name)}]`
}

function printTerm({ field, op, value }: Term): string {
  if (value === undefined) return `${printField(field)} ${op}`
  const one = (it: string | number) => JSON.stringify(it)
  const shown = Array.isArray(value) ? `[${value.map(one).join(', ')}]` : one(value as string | number)
  return `${printField(field)} ${op} ${shown}`
}

function print(it: Expression): string {
  if (isTerm(it)) return printTerm(it)
  if ('not' in it) return `not ${printInner(it.not)}`
  return 'and' in it ? it.and.map(printInner).join(' and ') : it.or.map(printInner).join(' or ')
}

/** Parts of another connection are in parentheses, so that no reader needs to know which one binds more. */
const printInner = (it: Expression): string => (isTerm(it) || 'not' in it ? print(it) : `(${print(it)})`)

/** Writes an expression that `readExpression` returned; reading the text gives the same tree again. */
export const printExpression = (it: Expression): string => print(it)
