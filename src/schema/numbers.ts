/** Exact arithmetic on the decimal numbers of JSON: a bound or step may be one that no double holds. */
import { compareNumbers, decimalOf, isExact, isInteger, numericOf } from '../document/exact.ts'
import type { Decimal, Numeric } from '../document/exact.ts'

/** An integer over a power of ten. */
interface Scaled {
  readonly units: bigint
  readonly places: number
}

const furthest = 2000

/** A number as an integer over a power of ten; null where that would be absurdly long. */
const scaledOf = (value: Numeric): Scaled | null => {
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  const { negative, digits, exponent } = decimalOf(value)
  if (digits === '') return { units: 0n, places: 0 }
  const places = digits.length - exponent
  if (Math.abs(places) > furthest || digits.length > furthest) return null
  const units = BigInt((negative ? '-' : '') + digits)
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places }
}

const unitsAt = (value: Scaled, places: number): bigint => value.units * 10n ** BigInt(places - value.places)

const numericAt = (units: bigint, places: number): Numeric => {
  const text = (units < 0n ? -units : units).toString()
  const digits = text === '0' ? '' : text.replace(/0+$/, '')
  const decimal: Decimal = { negative: units < 0n, digits, exponent: digits === '' ? 0 : text.length - places }
  return numericOf(decimal)
}

/** Whether `value` is a whole multiple of `step`, decided in decimal; null where the numbers are too far apart to tell. */
export const isMultiple = (value: Numeric, step: Numeric): boolean | null => {
  if (typeof value === 'number' && typeof step === 'number' && Number.isInteger(value) && Number.isInteger(step)) {
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value % step === 0
  }
  if (step === 1) return isInteger(value)
  const a = scaledOf(value)
  const b = scaledOf(step)
  if (!a || !b) return null
  const places = Math.max(a.places, b.places)
  return unitsAt(a, places) % unitsAt(b, places) === 0n
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b))

/** The least common multiple of positive steps; null where a step is absurdly long. */
const commonMultiple = (steps: readonly Numeric[]): Scaled | null => {
  const parts: Scaled[] = []
  for (const step of steps) {
    const part = scaledOf(step)
    if (part === null) return null
    parts.push(part)
  }
  const places = Math.max(...parts.map((part) => part.places))
  const [first = 1n, ...others] = parts.map((part) => unitsAt(part, places))
  const units = others.reduce((sum, next) => (sum / gcd(sum, next)) * next, first)
  return units.toString().length > furthest ? null : { units, places }
}

export interface NumberGoal {
  /** Infinite where there is no bound. */
  readonly low: Numeric
  readonly lowExclusive: boolean
  readonly high: Numeric
  readonly highExclusive: boolean
  readonly steps: readonly Numeric[]
  readonly notSteps: readonly Numeric[]
  /** Refuses single values. */
  readonly refuses: (value: Numeric) => boolean
}

const enough = 4000

/** A number of the goal; null when there is none; undefined when that could not be decided. */
export const findNumber = (goal: NumberGoal): Numeric | null | undefined => {
  const { low, high } = goal
  const width = compareNumbers(high, low)
  if (width < 0 || (width === 0 && (goal.lowExclusive || goal.highExclusive))) return null
  const fits = (value: Numeric): boolean =>
    (isExact(value) || Number.isFinite(value)) &&
    compareNumbers(value, low) >= (goal.lowExclusive ? Number.MIN_VALUE : 0) &&
    compareNumbers(high, value) >= (goal.highExclusive ? Number.MIN_VALUE : 0) &&
    goal.steps.every((step) => isMultiple(value, step) === true) &&
    goal.notSteps.every((step) => isMultiple(value, step) === false) &&
    !goal.refuses(value)
  if (goal.steps.length > 0) return findStep(goal, fits)
  return findReal(goal, fits)
}

/** The index of the multiple nearest to a bound, towards the inside. */
const indexAt = (bound: Numeric, step: Scaled, up: boolean): bigint | null => {
  const it = scaledOf(bound)
  if (!it) return null
  const places = Math.max(it.places, step.places)
  const [units, by] = [unitsAt(it, places), unitsAt(step, places)]
  const index = units / by
  const rest = units % by
  return rest === 0n ? index : up ? index + (rest > 0n ? 1n : 0n) : index - (rest < 0n ? 1n : 0n)
}

const isBounded = (bound: Numeric): boolean => isExact(bound) || Number.isFinite(bound)

const findStep = (goal: NumberGoal, fits: (value: Numeric) => boolean): Numeric | null | undefined => {
  const step = commonMultiple(goal.steps)
  if (step === null) return undefined
  if (goal.notSteps.some((other) => isMultiple(numericAt(step.units, step.places), other) === true)) return null
  const at = (index: bigint): Numeric => numericAt(step.units * index, step.places)
  const [low, high] = [isBounded(goal.low), isBounded(goal.high)]
  const first = low ? indexAt(goal.low, step, true) : high ? indexAt(goal.high, step, false) : 0n
  const last = low && high ? indexAt(goal.high, step, false) : null
  if (first === null || (low && high && last === null)) return undefined
  // Tries multiples upward from the lower end, downward from the upper end, or outward from zero.
  const sign = low || !high ? 1n : -1n
  for (let i = 0n; i < enough; i++) {
    const index = first + sign * i
    if (last !== null && index > last) return null
    const value = at(index)
    if (fits(value)) return value
  }
  if (!low && !high) {
    for (let i = 1n; i < enough; i++) {
      const value = at(-i)
      if (fits(value)) return value
    }
  }
  return undefined
}

/** 0.30000000000000004 is not what anybody means. */
const clean = (value: number): number => (Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15)))

/** The number between two others, as near to the middle as it takes no more than one digit more. */
const between = (low: Numeric, high: Numeric): Numeric | null => {
  const [a, b] = [scaledOf(low), scaledOf(high)]
  if (!a || !b) return null
  const places = Math.max(a.places, b.places) + 1
  return numericAt((unitsAt(a, places) + unitsAt(b, places)) / 2n, places)
}

/** What is tried of the reals, in its order: whole numbers first, then parts of the way, then what is close to the lower end. */
function* realsIn(goal: NumberGoal): Generator<Numeric> {
  const [low, high] = [Number(goal.low), Number(goal.high)]
  if (Number.isFinite(low)) {
    yield* [goal.low, Math.floor(low) + 1, low + 1, low + 0.5]
    for (let i = 2; i < 200; i++) yield Math.floor(low) + i
  } else if (Number.isFinite(high)) {
    yield* [goal.high, Math.ceil(high) - 1, high - 1, high - 0.5]
    for (let i = 2; i < 200; i++) yield Math.ceil(high) - i
  } else {
    for (let i = 0; i < 200; i++) yield i
  }
  yield goal.high
  const base = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 1 : 0
  const width = Number.isFinite(low) && Number.isFinite(high) ? high - low : 1
  for (let i = 1; i < 200; i++) {
    yield clean(base + width / (i + 1))
    yield clean(base + (width * i) / 211.37)
  }
  let narrow: Numeric | null = goal.high
  for (let i = 0; i < 8 && narrow !== null; i++) {
    narrow = between(goal.low, narrow)
    if (narrow !== null) yield narrow
  }
  if (isExact(goal.low) || isExact(goal.high)) yield* [goal.low, goal.high]
}

// The first that fits is nearly always among the first that are tried: the others are not made.
const findReal = (goal: NumberGoal, fits: (value: Numeric) => boolean): Numeric | null | undefined => {
  if (compareNumbers(goal.low, goal.high) === 0) return fits(goal.low) ? goal.low : null
  for (const value of realsIn(goal)) if (fits(value)) return value
  return undefined
}
