import type { Json } from '../kernel/json.ts'
import { compareText } from '../kernel/order.ts'

/**
 * Decimal numbers of any size. JSON's numbers are decimals "of arbitrary precision" (RFC 8259 leaves the range open, JSON Schema
 * 2020-12, core, section 4.2.1 does not); a double represents the shortest decimal that reads back as it.
 */
export interface Decimal {
  readonly negative: boolean
  /** Without zeros at either end; "" for zero. */
  readonly digits: string
  /** The value is 0.digits × 10^exponent. */
  readonly exponent: number
}

const literal = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/
const longest = 100_000

/** The decimal that a text writes; null where it is not a decimal number, or one beyond all measure. */
export const decimalOfText = (text: string): Decimal | null => {
  const found = text.length > longest ? null : literal.exec(text)
  if (found === null || (found[2] ?? '') + (found[3] ?? '') === '') return null
  const whole = found[2] ?? ''
  const all = whole + (found[3] ?? '')
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return { negative: false, digits, exponent: 0 }
  const exponent = whole.length - (all.length - all.replace(/^0+/, '').length) + Number(found[4] ?? 0)
  return Math.abs(exponent) > 1e9 ? null : { negative: found[1] === '-', digits, exponent }
}

const textOf = ({ negative, digits, exponent }: Decimal): string => {
  const sign = negative ? '-' : ''
  if (digits === '') return '0'
  if (exponent > 400 || exponent < -30)
    return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e${exponent - 1}`
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`
  if (digits.length <= exponent) return sign + digits + '0'.repeat(exponent - digits.length)
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

/** A number that no double holds: equal decimals have equal texts. In JSON of svc it is its text, because most readers would round a number. */
export class ExactNumber {
  readonly text: string

  constructor(decimal: Decimal) {
    this.text = textOf(decimal)
  }

  toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }
}

/** A number of a document as comparisons read it. */
export type Numeric = number | ExactNumber

/** Whether a value of a document is a number that no double holds. */
export const isExact = (value: unknown): value is ExactNumber => value instanceof ExactNumber

/**
 * A value as JSON in which numbers that no double holds keep their digits, without the quotes that `toJSON` gives them.
 * @param indent as of `JSON.stringify`
 * @returns undefined for what JSON does not have
 */
export const writeExactly = (value: unknown, indent?: number): string | undefined =>
  JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, key, given: unknown) {
      const own = this[key]
      // An older browser has no rawJSON, and shows the text.
      return isExact(own) ? ((JSON as { rawJSON?(text: string): unknown }).rawJSON?.(own.text) ?? own.text) : given
    },
    indent,
  )

export const isNumeric = (value: unknown): value is Numeric => typeof value === 'number' || isExact(value)

/** An exact number as a value among others: only what asks `isExact` first may look at it. */
export const exactAsJson = (value: Numeric): Json => value as Json

const known = new WeakMap<ExactNumber, Decimal>()

/** The decimal of a number. */
export const decimalOf = (value: Numeric): Decimal => {
  if (!isExact(value)) return decimalOfText(String(value)) ?? { negative: value < 0, digits: '1', exponent: 1e9 }
  let decimal = known.get(value)
  if (decimal === undefined) known.set(value, (decimal = decimalOfText(value.text) ?? decimalOfText('0')!))
  return decimal
}

/** The number of a decimal: a double where one represents it exactly. */
export const numericOf = (decimal: Decimal): Numeric => {
  const exact = new ExactNumber(decimal)
  const near = Number(exact.text)
  if (!Number.isFinite(near)) return exact
  const other = decimalOf(near)
  const same =
    other.digits === decimal.digits && other.exponent === decimal.exponent && other.negative === decimal.negative
  return same || (decimal.digits === '' && near === 0) ? near + 0 : exact
}

/** The number that a text writes; null where it writes none. */
export const numericOfText = (text: string): Numeric | null => {
  const decimal = decimalOfText(text)
  return decimal && numericOf(decimal)
}

const compareSize = (a: Decimal, b: Decimal): number => {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length
  if (a.exponent !== b.exponent) return a.exponent - b.exponent
  return compareText(a.digits, b.digits)
}

/** Below zero where `a` is the smaller number, zero where they are equal. Infinities are doubles. */
export const compareNumbers = (a: Numeric, b: Numeric): number => {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a < b) return -1
    return a > b ? 1 : 0
  }
  if (a === Infinity || b === -Infinity) return 1
  if (b === Infinity || a === -Infinity) return -1
  const [left, right] = [decimalOf(a), decimalOf(b)]
  const [signA, signB] = [left, right].map((it) => {
    if (it.digits === '') return 0
    return it.negative ? -1 : 1
  }) as [number, number]
  if (signA !== signB) return signA - signB
  return signA < 0 ? compareSize(right, left) : compareSize(left, right)
}

/** Whether a number has no fraction. */
export const isInteger = (value: Numeric): boolean => {
  if (typeof value === 'number') return Number.isInteger(value)
  const { digits, exponent } = decimalOf(value)
  return digits.length <= exponent
}
