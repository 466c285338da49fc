/** The expressions of JSONPath filters: a small, closed grammar, read into a tree. Nothing in it can reach the host. */
import { patternOf, type Pattern } from '../../regex/pattern.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined | Pattern }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: Variable }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: Expression }
  | {
      readonly kind: 'call'
      readonly of: Expression | null
      readonly name: string
      readonly args: readonly Expression[]
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }

const variables = ['value', 'property', 'parent', 'parentProperty', 'path', 'root'] as const
export type Variable = (typeof variables)[number]

/** An expression or path that cannot be read; `at` is the offset in the text. */
export class PathSyntaxError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.name = 'PathSyntaxError'
    this.at = at
  }
}

/** Methods of texts and lists, type tests, and the functions of RFC 9535. */
const methods = new Set(
  'match test indexOf includes startsWith endsWith toLowerCase toUpperCase trim hasOwnProperty search slice substring at join toString'.split(
    ' ',
  ),
)
const functions = new Set(['length', 'count', 'match', 'search', 'value', 'String', 'Number', 'Boolean'])
const typeTests = new Set(
  'null boolean number string object array scalar integer undefined nonFinite other function'.split(' '),
)

const levels: readonly (readonly string[])[] = [
  ['||', '??'],
  ['&&'],
  ['===', '!==', '==', '!=', '=~', '~='],
  ['<=', '>=', '<', '>', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
]

const tokenPattern =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_][\w]*)|(===|!==|==|!=|<=|>=|=~|~=|&&|\|\||\?\?|\?\.|[-+*/%<>!()[\],.?:@$]))/y

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' }

/** Reads a quoted text that begins at `start`; answers it and the offset behind the closing quote. */
export function readQuoted(text: string, start: number): [string, number] {
  const quote = text[start]
  let out = ''
  for (let at = start + 1; at < text.length; at++) {
    const c = text[at] as string
    if (c === quote) return [out, at + 1]
    if (c !== '\\') {
      out += c
      continue
    }
    const next = text[++at] ?? ''
    if (next === 'u' && /^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5))) {
      out += String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16))
      at += 4
    } else out += escapes[next] ?? next
  }
  throw new PathSyntaxError('unterminated string', start)
}

class Reader {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  fail(message: string): never {
    throw new PathSyntaxError(message, this.at)
  }

  peek(): string | null {
    tokenPattern.lastIndex = this.at
    const found = tokenPattern.exec(this.text)
    return found === null ? this.peekOther() : (found[1] ?? found[2] ?? found[3] ?? null)
  }

  private peekOther(): string | null {
    this.skip()
    return this.at >= this.text.length ? null : (this.text[this.at] ?? null)
  }

  private skip(): void {
    while (this.at < this.text.length && /\s/.test(this.text[this.at] as string)) this.at++
  }

  next(): string {
    tokenPattern.lastIndex = this.at
    const found = tokenPattern.exec(this.text)
    if (found === null) return this.fail('invalid character in a filter')
    this.at = tokenPattern.lastIndex
    return found[1] ?? found[2] ?? (found[3] as string)
  }

  take(token: string): boolean {
    if (this.peek() !== token) return false
    this.next()
    return true
  }

  expect(token: string): void {
    if (!this.take(token)) this.fail(`expected "${token}"`)
  }

  whole(): Expression {
    const found = this.choice()
    this.skip()
    if (this.at < this.text.length) this.fail(`unexpected "${this.text.slice(this.at, this.at + 12)}"`)
    return found
  }

  private choice(): Expression {
    const test = this.level(0)
    if (!this.take('?')) return test
    const yes = this.choice()
    this.expect(':')
    return { kind: 'choice', test, yes, no: this.choice() }
  }

  private level(depth: number): Expression {
    const operators = levels[depth]
    if (operators === undefined) return this.unary()
    let left = this.level(depth + 1)
    for (let token = this.peek(); token !== null && operators.includes(token); token = this.peek()) {
      this.next()
      left = { kind: 'binary', operator: token, left, right: this.level(depth + 1) }
    }
    return left
  }

  private unary(): Expression {
    const token = this.peek()
    if (token !== null && ['!', '-', '+', 'void', 'typeof'].includes(token)) {
      this.next()
      return { kind: 'unary', operator: token, operand: this.unary() }
    }
    return this.postfix(this.primary())
  }

  private primary(): Expression {
    const token = this.peek()
    if (token === '"' || token === "'" || token === '`') return this.quoted()
    if (token === '/') return this.regex()
    if (token === '(') {
      this.next()
      const inner = this.choice()
      this.expect(')')
      return inner
    }
    if (token === '[') return { kind: 'list', items: this.list('[', ']') }
    if (token === '@') return this.current()
    if (token === '$') {
      this.next()
      return { kind: 'variable', name: 'root' }
    }
    if (token !== null && /^\d/.test(token)) return { kind: 'literal', value: Number(this.next()) }
    return this.word()
  }

  private word(): Expression {
    const word = this.next()
    const constants = { true: true, false: false, null: null, undefined: undefined }
    if (Object.hasOwn(constants, word)) return { kind: 'literal', value: constants[word as keyof typeof constants] }
    if (functions.has(word) && this.peek() === '(')
      return { kind: 'call', of: null, name: word, args: this.list('(', ')') }
    return this.fail(`unknown name "${word}" in a filter`)
  }

  private quoted(): Expression {
    this.skip()
    const [value, end] = readQuoted(this.text, this.at)
    this.at = end
    return { kind: 'literal', value }
  }

  private regex(): Expression {
    this.skip()
    const found = /\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/y
    found.lastIndex = this.at
    const parts = found.exec(this.text)
    if (parts === null) return this.fail('unterminated regular expression')
    this.at = found.lastIndex
    const value = patternOf(parts[1] as string, (parts[2] as string).replace(/[gy]/g, ''))
    return value === null ? this.fail('invalid regular expression') : { kind: 'literal', value }
  }

  private current(): Expression {
    this.expect('@')
    const word = /[A-Za-z]+/y
    word.lastIndex = this.at
    const name = word.exec(this.text)?.[0]
    if (name === undefined) return { kind: 'variable', name: 'value' }
    this.at = word.lastIndex
    if ((variables as readonly string[]).includes(name)) return { kind: 'variable', name: name as Variable }
    if (!typeTests.has(name)) return this.fail(`unknown name "@${name}" in a filter`)
    this.expect('(')
    this.expect(')')
    return { kind: 'call', of: { kind: 'variable', name: 'value' }, name: `@${name}`, args: [] }
  }

  private list(open: string, close: string): Expression[] {
    this.expect(open)
    const items: Expression[] = []
    if (this.take(close)) return items
    do items.push(this.choice())
    while (this.take(','))
    this.expect(close)
    return items
  }

  private postfix(start: Expression): Expression {
    let of = start
    for (;;) {
      if (this.take('[')) {
        const name = this.choice()
        this.expect(']')
        of = { kind: 'member', of, name }
      } else if (this.take('.') || this.take('?.')) {
        if (this.peek() === '[') continue
        const name = this.memberName()
        if (this.peek() !== '(') of = { kind: 'member', of, name: { kind: 'literal', value: name } }
        else if (methods.has(name)) of = { kind: 'call', of, name, args: this.list('(', ')') }
        else this.fail(`the method "${name}" is not allowed in a filter`)
      } else return of
    }
  }

  private memberName(): string {
    const name = /[A-Za-z_$][\w$]*|\d+/y
    name.lastIndex = this.at
    const found = name.exec(this.text)?.[0]
    if (found === undefined) return this.fail('expected a name')
    this.at = name.lastIndex
    return found
  }
}

/**
 * Reads the expression of a filter.
 * @throws PathSyntaxError for what is outside the grammar
 */
export const parseExpression = (text: string): Expression => new Reader(text).whole()
