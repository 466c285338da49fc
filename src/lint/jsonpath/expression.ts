/**
 * Filter expressions of JSONPath as Spectral's users write them: a JavaScript-like grammar read into closures. What the
 * grammar does not name does not exist: no global, no assignment, no call but the listed ones.
 */

/** What an expression may look at. */
export interface Scope {
  /** `@` */
  readonly value: unknown
  /** `@property`: the key of the value; null at the root. */
  readonly property: string | number | null
  /** `@parent` */
  readonly parent: unknown
  /** `@parentProperty` */
  readonly parentProperty: string | number | null
  /** `@path`, in bracket notation. */
  readonly path: () => string
  /** `@root` and `$` */
  readonly root: unknown
}

export type Expression = (scope: Scope) => unknown

/** The expression cannot be read; `offset` counts characters from its beginning. */
export class ExpressionError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

type Token =
  | { readonly kind: 'name' | 'at' | 'operator'; readonly text: string; readonly offset: number }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string; readonly offset: number }

const tokenPattern =
  /\s*(?:(?<at>@[a-zA-Z]*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<operator>===|!==|==|!=|<=|>=|=~|&&|\|\||[<>!().[\],+\-%*?:$])|(?<name>[A-Za-z_][\w-]*))/y

const regexPattern = /\s*\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([dgimsuvy]*)/y

const unquote = (text: string): string =>
  text.slice(1, -1).replaceAll(/\\(.)/gs, (_, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char)

function readRegex(text: string, offset: number): { readonly value: RegExp; readonly end: number } | null {
  regexPattern.lastIndex = offset
  const match = regexPattern.exec(text)
  if (!match) return null
  try {
    // A stateful flag would make one test depend on the previous one.
    return { value: new RegExp(match[1] ?? '', (match[2] ?? '').replaceAll(/[gy]/g, '')), end: regexPattern.lastIndex }
  } catch {
    throw new ExpressionError(`"${match[0].trim()}" is no regular expression`, offset)
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let offset = 0
  while (text.slice(offset).trim() !== '') {
    const regex = readRegex(text, offset)
    if (regex) {
      tokens.push({ kind: 'value', value: regex.value, text: '/…/', offset })
      offset = regex.end
      continue
    }
    tokenPattern.lastIndex = offset
    const match = tokenPattern.exec(text)
    if (!match?.groups)
      throw new ExpressionError(`"${text.slice(offset, offset + 10).trim()}" is not understood`, offset)
    const { at, number, text: quoted, operator, name } = match.groups
    if (at !== undefined) tokens.push({ kind: 'at', text: at, offset })
    else if (number !== undefined) tokens.push({ kind: 'value', value: Number(number), text: number, offset })
    else if (quoted !== undefined) tokens.push({ kind: 'value', value: unquote(quoted), text: quoted, offset })
    else tokens.push({ kind: operator === undefined ? 'name' : 'operator', text: operator ?? name ?? '', offset })
    offset = tokenPattern.lastIndex
  }
  return tokens
}

/** A property of a value, its own only; lengths of texts and lists included. Nothing for null. */
function member(value: unknown, key: unknown): unknown {
  if (typeof value === 'string' || Array.isArray(value)) {
    if (key === 'length') return value.length
    return typeof key === 'number' || /^\d+$/.test(String(key)) ? value[Number(key)] : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, String(key)) ? (value as Record<string, unknown>)[String(key)] : undefined
}

const typeNames: Readonly<Record<string, string>> = { string: 'String', number: 'Number', boolean: 'Boolean' }

const constructorName = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return 'Array'
  if (typeof value === 'object') return value === null ? undefined : 'Object'
  return typeNames[typeof value]
}

type Method = (self: unknown, args: readonly unknown[]) => unknown
const onText =
  (run: (self: string, arg: unknown) => unknown): Method =>
  (self, args) =>
    typeof self === 'string' || typeof self === 'number' ? run(String(self), args[0]) : undefined
const toRegex = (arg: unknown): RegExp => (arg instanceof RegExp ? arg : new RegExp(String(arg)))

const methods: Readonly<Record<string, Method>> = {
  match: onText((self, arg) => toRegex(arg).exec(self)),
  startsWith: onText((self, arg) => self.startsWith(String(arg))),
  endsWith: onText((self, arg) => self.endsWith(String(arg))),
  toLowerCase: onText((self) => self.toLowerCase()),
  toUpperCase: onText((self) => self.toUpperCase()),
  trim: onText((self) => self.trim()),
  toString: onText((self) => self),
  includes: (self, [arg]: readonly unknown[]) =>
    Array.isArray(self) ? self.includes(arg) : onText((text) => text.includes(String(arg)))(self, [arg]),
  indexOf: (self, [arg]: readonly unknown[]) =>
    Array.isArray(self) ? self.indexOf(arg) : onText((text) => text.indexOf(String(arg)))(self, [arg]),
  test: (self, [arg]) => (self instanceof RegExp ? self.test(String(arg)) : undefined),
  hasOwnProperty: (self: unknown, [arg]: readonly unknown[]) =>
    typeof self === 'object' && self !== null && Object.hasOwn(self, String(arg)),
}

const compare = (operator: string, left: unknown, right: unknown): boolean => {
  if (operator === '=~') return right instanceof RegExp && typeof left === 'string' && right.test(left)
  if (operator === '===') return left === right
  if (operator === '!==') return left !== right
  const equal = left === right || (left ?? null) === (right ?? null) || looselyEqual(left, right)
  if (operator === '==') return equal
  if (operator === '!=') return !equal
  const [a, b] = typeof left === 'string' && typeof right === 'string' ? [left, right] : [Number(left), Number(right)]
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}

const looselyEqual = (left: unknown, right: unknown): boolean =>
  (typeof left === 'number' && typeof right === 'string') || (typeof left === 'string' && typeof right === 'number')
    ? Number(left) === Number(right)
    : false

class Parser {
  readonly #tokens: readonly Token[]
  readonly #end: number
  #index = 0
  constructor(text: string) {
    this.#tokens = tokenize(text)
    this.#end = text.length
  }

  parse(): Expression {
    const expression = this.#or()
    const rest = this.#tokens[this.#index]
    if (rest) throw new ExpressionError(`"${rest.text}" is not expected here`, rest.offset)
    return expression
  }

  #take(...texts: string[]): Token | null {
    const token = this.#tokens[this.#index]
    if (!token || token.kind === 'value' || !texts.includes(token.text)) return null
    this.#index += 1
    return token
  }

  #expect(text: string): void {
    if (this.#take(text)) return
    const token = this.#tokens[this.#index]
    throw new ExpressionError(
      `"${text}" is expected${token ? ` before "${token.text}"` : ' at the end'}`,
      token?.offset ?? this.#end,
    )
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#take('||')) {
      const [a, b] = [left, this.#and()]
      left = (scope) => a(scope) || b(scope)
    }
    return left
  }

  #and(): Expression {
    let left = this.#comparison()
    while (this.#take('&&')) {
      const [a, b] = [left, this.#comparison()]
      left = (scope) => a(scope) && b(scope)
    }
    return left
  }

  #comparison(): Expression {
    let left = this.#unary()
    for (;;) {
      const operator = this.#take('===', '!==', '==', '!=', '<=', '>=', '<', '>', '=~')
      if (!operator) return left
      const [a, b] = [left, this.#unary()]
      left = (scope) => compare(operator.text, a(scope), b(scope))
    }
  }

  #unary(): Expression {
    if (this.#take('!')) {
      const operand = this.#unary()
      return (scope) => !operand(scope)
    }
    if (this.#take('-')) {
      const operand = this.#unary()
      return (scope) => -Number(operand(scope))
    }
    if (this.#take('void')) {
      this.#unary()
      return () => undefined
    }
    if (this.#take('typeof')) {
      const operand = this.#unary()
      return (scope) => typeof operand(scope)
    }
    return this.#postfix(this.#primary())
  }

  #primary(): Expression {
    const token = this.#tokens[this.#index]
    if (!token) throw new ExpressionError('the expression ends too early', this.#end)
    this.#index += 1
    if (token.kind === 'value') return () => token.value
    if (token.kind === 'at') return atOf(token)
    if (token.text === '$') return (scope) => scope.root
    if (token.text === '(') {
      const inner = this.#or()
      this.#expect(')')
      return inner
    }
    if (token.text === '[') return this.#list()
    if (Object.hasOwn(words, token.text)) return () => words[token.text]
    throw new ExpressionError(`"${token.text}" is no value`, token.offset)
  }

  #list(): Expression {
    const items: Expression[] = []
    while (!this.#take(']')) {
      items.push(this.#or())
      if (!this.#take(',')) {
        this.#expect(']')
        break
      }
    }
    return (scope) => items.map((item) => item(scope))
  }

  #postfix(start: Expression): Expression {
    let object = start
    for (;;) {
      const self = object
      if (this.#take('[')) {
        const key = this.#or()
        this.#expect(']')
        object = (scope) => member(self(scope), key(scope))
      } else if (this.#take('.')) object = this.#afterDot(self)
      else return object
    }
  }

  #afterDot(self: Expression): Expression {
    const token = this.#tokens[this.#index]
    this.#index += 1
    if (token?.kind !== 'name') throw new ExpressionError('a name is expected after "."', token?.offset ?? this.#end)
    const { text } = token
    if (this.#take('(')) {
      const args = this.#arguments()
      const method = Object.hasOwn(methods, text) ? methods[text] : undefined
      if (!method) throw new ExpressionError(`there is no method "${text}"`, token.offset)
      return (scope) =>
        method(
          self(scope),
          args.map((arg) => arg(scope)),
        )
    }
    if (text === 'constructor') {
      this.#expect('.')
      if (!this.#take('name')) throw new ExpressionError('only ".constructor.name" is known', token.offset)
      return (scope) => constructorName(self(scope))
    }
    return (scope) => member(self(scope), text)
  }

  #arguments(): Expression[] {
    const args: Expression[] = []
    while (!this.#take(')')) {
      args.push(this.#or())
      if (!this.#take(',')) {
        this.#expect(')')
        break
      }
    }
    return args
  }
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, undefined: undefined }

function atOf(token: Token): Expression {
  const known: Readonly<Record<string, Expression>> = {
    '@': (scope) => scope.value,
    '@property': (scope) => scope.property,
    '@parent': (scope) => scope.parent,
    '@parentProperty': (scope) => scope.parentProperty,
    '@path': (scope) => scope.path(),
    '@root': (scope) => scope.root,
  }
  const found = Object.hasOwn(known, token.text) ? known[token.text] : undefined
  if (!found) throw new ExpressionError(`"${token.text}" is unknown`, token.offset)
  return found
}

/**
 * Reads a filter expression.
 * @throws ExpressionError where it is none
 */
export const parseExpression = (text: string): Expression => new Parser(text).parse()
