/** Values of parameters as texts: what a schema allows, as expressions that the text of a value has to match. */
import { isNumeric, isExact } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { PlacedValue } from '../../diff/side.ts'
import { exactFormats, formatPattern } from './format-patterns.ts'
import { roughly } from './schema-part.ts'
import { integerFormats } from '../../schema/validation/formats.ts'
import type { Dialect } from '../../schema/schema-source.ts'
import { integersBetween } from './numbers.ts'
import { Inexpressible, literal, translatePattern, type Alphabet, type Expression } from '../pattern.ts'

/** What the texts of a schema are read with. */
export interface TextContext {
  readonly dialect: Dialect
  readonly alphabet: Alphabet
  readonly find: (ref: string) => PlacedValue | null
  /** Reports what the expressions do not say. */
  readonly lose: (path: Path, reason: string) => void
}

/** A text fits if it matches every expression; with none any text fits. */
export type Text = readonly Expression[]

const any: Text = []
const whole = (body: string, exact = true): Expression => ({ body, whole: true, exact })

/** Repetitions of any character up to here are one expression. */
const longestCounted = 1000
const deepest = 16

const old = new Set<Dialect>(['swagger-2.0', 'openapi-3.0'])

/** The parts of a schema that hold together: what it refers to, its "allOf", and itself. */
export function partsOf(place: PlacedValue, context: TextContext, depth = 0): PlacedValue[] {
  if (!isObject(place.value) || depth > deepest) return [place]
  const { $ref: ref, allOf } = place.value
  const parts: PlacedValue[] = []
  if (typeof ref === 'string') {
    const found = context.find(ref)
    if (found === null) context.lose([...place.path, '$ref'], `Its reference "${ref}" cannot be resolved.`)
    else parts.push(...partsOf(found, context, depth + 1))
    if (old.has(context.dialect)) return parts
  }
  if (Array.isArray(allOf))
    for (const [i, value] of (allOf as readonly Json[]).entries())
      parts.push(...partsOf({ value, path: [...place.path, 'allOf', i] }, context, depth + 1))
  return [...parts, place]
}

/** The types that a schema names, "null" included where it is nullable; null where it names none. */
export function typesOf(schema: JsonObject, dialect: Dialect): ReadonlySet<string> | null {
  const { type } = schema
  const named = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : []
  if (named.length === 0) return null
  const nullable = old.has(dialect) && (schema.nullable === true || schema['x-nullable'] === true)
  return new Set(nullable ? [...named, 'null'] : named)
}

const scalarText = (value: Json): string | null => {
  if (typeof value === 'string') return value
  if (value === null) return 'null'
  if (isExact(value)) return value.text
  return typeof value === 'object' ? null : String(value)
}

/** A listed text: a plus sign may arrive as a space, and a number as with a fraction of nothing. */
const listed = (value: Json, alphabet: Alphabet): string | null => {
  const text = scalarText(value)
  if (text === null) return null
  const body = text
    .split('+')
    .map((it) => literal(it, alphabet))
    .join('[\\x2b\\x20]')
  if (value === null) return `(?:${body})?`
  return typeof value === 'number' && Number.isInteger(value) ? `${body}(?:\\.0+)?` : body
}

/** Matches no text. */
const never = '\\z\\x00'

const decimal = '-?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+\\x20-]?[0-9]+)?'

interface Bounds {
  low: bigint | null
  high: bigint | null
}

/** A bound beyond this is not compared: its digits would fill a line of the configuration. */
const largestBound = 10n ** 30n

/** The integers that the bounds of a schema allow; bounds between integers are rounded outwards where `integral` is false. */
function boundsOf(schema: JsonObject, integral: boolean, tooLarge: (word: string) => void): Bounds {
  /** A bound as an integer, rounded up or down; null where there is none that is compared. */
  const boundAt = (word: string, up: boolean): bigint | null => {
    const value = schema[word]
    if (!isNumeric(value)) return null
    const whole = isExact(value) ? roundedText(value.text, up) : roundedNumber(value, up)
    if (whole !== null && whole <= largestBound && whole >= -largestBound) return whole
    tooLarge(word)
    return null
  }
  const isFlag = (word: string): boolean => schema[word] === true
  /** The integer beyond an exclusive bound: the next one where only integers count. */
  const beyond = (word: string, isLow: boolean): bigint | null => {
    const bound = boundAt(word, !isLow)
    if (bound === null || !integral) return bound
    return isLow ? bound + 1n : bound - 1n
  }
  const lows = [
    isFlag('exclusiveMinimum') ? beyond('minimum', true) : boundAt('minimum', integral),
    beyond('exclusiveMinimum', true),
  ]
  const highs = [
    isFlag('exclusiveMaximum') ? beyond('maximum', false) : boundAt('maximum', !integral),
    beyond('exclusiveMaximum', false),
  ]
  if (integral && (schema.format === 'int32' || schema.format === 'int64')) {
    const { low, high } = integerFormats[schema.format]
    lows.push(BigInt(isExact(low) ? low.text : low))
    highs.push(BigInt(isExact(high) ? high.text : high))
  }
  const largest = (list: readonly (bigint | null)[]): bigint | null =>
    list.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)
  const least = (list: readonly (bigint | null)[]): bigint | null =>
    list.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)
  return { low: largest(lows), high: least(highs) }
}

const roundedNumber = (value: number, up: boolean): bigint | null =>
  Number.isFinite(value) ? BigInt(up ? Math.ceil(value) : Math.floor(value)) : null

/** A decimal text rounded to an integer; null for one with an exponent, which is beyond every bound that is compared. */
function roundedText(text: string, up: boolean): bigint | null {
  if (!/^-?[0-9]{1,31}(?:\.[0-9]+)?$/.test(text)) return null
  const [whole = '', fraction = ''] = text.split('.')
  const isBetween = /[1-9]/.test(fraction)
  const isNegative = text.startsWith('-')
  const truncated = BigInt(whole)
  if (!isBetween) return truncated
  if (up) return isNegative ? truncated : truncated + 1n
  return isNegative ? truncated - 1n : truncated
}

/**
 * Expressions for numbers with an exponent, as programs write them: with one digit before the point. Bounds limit the exponent.
 * Programs write integers in this way from 10^21 on.
 */
function withExponent(low: bigint | null, high: bigint | null, integral: boolean): string[] {
  const mantissa = integral ? '[1-9](?:\\.[0-9]{1,20})?' : '[1-9](?:\\.[0-9]*)?'
  const powersOf = (from: bigint | null, to: bigint | null): string | null => {
    // Magnitudes from `from` to `to`; null for no limit.
    if (to !== null && to < 1n) return null
    // At the edge some numbers with this exponent are within the bounds and some are not. Fractions may have it, and the report says so.
    const exact = integral ? 1 : 0
    const least = Math.max(integral ? 21 : 0, from === null || from < 1n ? 0 : String(from).length - 1 + exact)
    const most = to === null ? null : String(to).length - 1 - exact
    return integersBetween(BigInt(least), most === null ? null : BigInt(most))
  }
  const isPositive = high === null || high > 0n
  const isNegative = low === null || low < 0n
  const alternatives: string[] = []
  const add = (sign: string, powers: string | null): void => {
    if (powers !== null) alternatives.push(`${sign}${mantissa}[eE][+\\x20]?(?:${powers})`)
  }
  if (isPositive) add('', powersOf(low, high))
  if (isNegative) add('-', powersOf(high === null ? null : -high, low === null ? null : -low))
  if (integral) return alternatives
  const nearZero = `${mantissa}[eE]-[0-9]+`
  if (isPositive && (low === null || low <= 0n)) alternatives.push(nearZero)
  if (isNegative && (high === null || high >= 0n)) alternatives.push(`-${nearZero}`)
  if ((low === null || low <= 0n) && (high === null || high >= 0n))
    alternatives.push('-?0(?:\\.0*)?[eE][+\\x20-]?[0-9]+')
  return alternatives
}

/** Reads schemas as the texts that their values have. */
class TextReader {
  private readonly context: TextContext
  constructor(context: TextContext) {
    this.context = context
  }

  read(place: PlacedValue, depth: number): Text {
    if (depth > deepest) return any
    const parts = partsOf(place, this.context)
    // What a part says about texts or numbers counts where another part says that the value is one.
    const typed = parts.map(({ value }) => (isObject(value) ? typesOf(value, this.context.dialect) : null))
    const known = typed.find((it) => it !== null) ?? null
    return parts.flatMap((part) => this.own(part, known, depth))
  }

  /** What a schema says by itself. */
  private own(place: PlacedValue, known: ReadonlySet<string> | null, depth: number): Text {
    const { value, path } = place
    if (value === false) return [whole(never)]
    if (!isObject(value)) return any
    const schema = value
    for (const word of ['not', 'if', 'propertyNames', 'contains'])
      if (schema[word] !== undefined && schema[word] !== true)
        this.context.lose([...path, word], `"${word}" cannot be said about the text of a parameter.`)
    const found: Expression[] = [...this.unions(place, depth)]
    if (Array.isArray(schema.enum))
      return [...found, ...this.listing(schema.enum as readonly Json[], schema, [...path, 'enum'])]
    if (schema.const !== undefined && !old.has(this.context.dialect))
      return [...found, ...this.listing([schema.const], schema, [...path, 'const'])]
    return [...found, ...this.typed(place, schema, typesOf(schema, this.context.dialect) ?? known)]
  }

  private unions(place: PlacedValue, depth: number): Text {
    const schema = place.value as JsonObject
    return (['anyOf', 'oneOf'] as const).flatMap((word): Text => {
      const branches = schema[word]
      if (!Array.isArray(branches) || branches.length === 0) return any
      const path = [...place.path, word]
      const texts = (branches as readonly Json[]).map((value, i) => this.read({ value, path: [...path, i] }, depth + 1))
      if (texts.some((it) => it.length === 0)) return any
      if (texts.some((it) => it.length > 1))
        this.context.lose(
          path,
          'Of each branch one condition is checked: an expression cannot ask for several at once.',
        )
      const body = texts
        .map(([first]) => {
          if (first) return first.whole ? `\\A(?:${first.body})\\z` : `(?:${first.body})`
          return ''
        })
        .join('|')
      return [{ body, whole: false, exact: false }]
    })
  }

  private listing(values: readonly Json[], schema: JsonObject, path: Path): Text {
    const nullable = typesOf(schema, this.context.dialect)?.has('null') === true
    const texts = [...values, ...(nullable ? [null] : [])].map((it) => listed(it, this.context.alphabet))
    if (texts.some((it) => it === null)) {
      this.context.lose(path, 'It lists lists or objects, whose texts depend on how they are written.')
      return any
    }
    const body = [...new Set(texts)].join('|')
    if (body.length > 16_000) {
      this.context.lose(path, 'It lists more than a line of the configuration can hold.')
      return any
    }
    return [whole(body)]
  }

  private typed(place: PlacedValue, schema: JsonObject, types: ReadonlySet<string> | null): Text {
    if (types === null) return any
    const bodies: string[] = []
    let several: Text | null = null
    for (const type of types) {
      if (type === 'string') {
        several = this.strings(place, schema)
        if (types.size === 1) return several
        if (several.length === 0) return any
        if (several.length > 1)
          this.context.lose(
            place.path,
            'Of its strings one condition is checked, because other types are allowed beside them.',
          )
        const [first] = several
        bodies.push(first ? (first.whole ? `\\A(?:${first.body})\\z` : `(?:${first.body})`) : '')
      } else {
        const body = this.scalar(type, place, schema)
        if (body === null) return any
        bodies.push(several === null && !types.has('string') ? body : `\\A(?:${body})\\z`)
      }
    }
    return types.has('string') ? [{ body: bodies.join('|'), whole: false, exact: false }] : [whole(bodies.join('|'))]
  }

  /** The texts of a type other than string; null for any. */
  private scalar(type: string, { path }: PlacedValue, schema: JsonObject): string | null {
    switch (type) {
      case 'boolean':
        return 'true|false'
      case 'null':
        return '(?:null)?'
      case 'integer':
      case 'number':
        return this.numbers(type === 'integer', path, schema)
      default:
        return null
    }
  }

  private numbers(integral: boolean, path: Path, schema: JsonObject): string {
    if (isNumeric(schema.multipleOf) && !(integral && schema.multipleOf === 1))
      this.context.lose([...path, 'multipleOf'], 'Multiples cannot be seen in the text of a parameter.')
    const { low, high } = boundsOf(schema, integral, (word) =>
      this.context.lose([...path, word], 'Bounds beyond 10^30 are not compared.'),
    )
    if (low === null && high === null && !integral) return decimal
    const exponents = withExponent(low, high, integral)
    const zero = low === 0n ? '|-0+' : ''
    if (integral) return [`(?:${integersBetween(low, high) ?? never}${zero})(?:\\.0*)?`, ...exponents].join('|')
    // Between two integers fractions have the sign of the number, so that the bound itself takes none but zeros.
    const inner = integersBetween(low, high) ?? never
    const negative = low === null || low < 0n
    for (const word of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
      if (isNumeric(schema[word]))
        this.context.lose(
          [...path, word],
          'The bound of a number with a fraction is checked to the next integer, of one with an exponent to the next power of ten.',
        )
    const belowOne = negative ? '-?0?\\.[0-9]+|-0(?:\\.[0-9]*)?' : '0?\\.[0-9]+|-0(?:\\.0*)?'
    return [`(?:${inner})(?:\\.[0-9]*)?`, belowOne, ...exponents].join('|')
  }

  private strings({ path }: PlacedValue, schema: JsonObject): Text {
    const found: Expression[] = []
    if (typeof schema.pattern === 'string') this.tryPattern(schema.pattern, [...path, 'pattern'], found)
    const shape = typeof schema.format === 'string' ? formatPattern(schema.format) : undefined
    if (shape !== undefined) {
      this.tryPattern(shape, [...path, 'format'], found)
      if (!exactFormats.has(String(schema.format))) this.context.lose([...path, 'format'], roughly)
    }
    const length = this.lengths(path, schema)
    if (length !== null) found.push(whole(length))
    return found
  }

  private tryPattern(source: string, path: Path, found: Expression[]): void {
    try {
      found.push(translatePattern(source, { alphabet: this.context.alphabet, plus: true }))
    } catch (thrown) {
      if (!(thrown instanceof Inexpressible)) throw thrown
      this.context.lose(path, thrown.message)
    }
  }

  private lengths(path: Path, schema: JsonObject): string | null {
    const least = typeof schema.minLength === 'number' && schema.minLength > 0 ? schema.minLength : 0
    const most = typeof schema.maxLength === 'number' ? Math.max(0, schema.maxLength) : null
    if (least === 0 && most === null) return null
    const point = this.context.alphabet === 'unicode' ? '(?s:.)' : '(?:[\\x00-\\x7f]|[\\xc2-\\xf4][\\x80-\\xbf]+)'
    const tooLong = most !== null && most > longestCounted
    if (least > longestCounted || tooLong) {
      const word = tooLong ? 'maxLength' : 'minLength'
      this.context.lose([...path, word], 'Lengths above 1,000 are not counted: RE2 counts no further.')
    }
    if (least > longestCounted || (tooLong && least === 0)) return null
    if (most === null || tooLong) return least === 1 ? `${point}+` : `${point}{${least},}`
    return `${point}{${least},${most}}`
  }
}

/** The texts of the values of a schema, as far as expressions can say it; more texts fit where they cannot. */
export const textOf = (place: PlacedValue, context: TextContext): Text => new TextReader(context).read(place, 0)
