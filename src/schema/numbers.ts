/** Exact arithmetic on the decimal numbers of JSON, for `multipleOf` (0.3 is a multiple of 0.1). */

interface Decimal {
  readonly units: bigint
  readonly places: number
}

/** A number as an integer over a power of ten; null where that would be absurdly long. */
const decimal = (value: number): Decimal | null => {
  const found = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!found) return null
  const fraction = found[3] ?? ''
  const places = fraction.length - Number(found[4] ?? 0)
  if (Math.abs(places) > 400) return null
  const units = BigInt(`${found[1]}${found[2]}${fraction}`)
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places }
}

const scaled = (value: Decimal, places: number): bigint => value.units * 10n ** BigInt(places - value.places)

/** Whether `value` is a whole multiple of `step`, decided in decimal. */
export const isMultiple = (value: number, step: number): boolean => {
  if (Number.isInteger(value) && Number.isInteger(step) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return value % step === 0
  }
  const a = decimal(value)
  const b = decimal(step)
  if (!a || !b) return false
  const places = Math.max(a.places, b.places)
  return scaled(a, places) % scaled(b, places) === 0n
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b))

/** The least common multiple of positive steps; null where it is out of the range of a double. */
export const commonMultiple = (steps: readonly number[]): number | null => {
  const parts = steps.map(decimal)
  if (parts.some((part) => part === null)) return null
  const places = Math.max(...parts.map((part) => part!.places))
  let units = 1n
  let first = true
  for (const part of parts) {
    const next = scaled(part!, places)
    units = first ? next : (units / gcd(units, next)) * next
    first = false
  }
  const value = Number(`${units}e-${places}`)
  return Number.isFinite(value) && value > 0 && isMultiple(value, steps[0]!) ? value : null
}

export interface NumberGoal {
  readonly low: number
  readonly lowExclusive: boolean
  readonly high: number
  readonly highExclusive: boolean
  readonly steps: readonly number[]
  readonly notSteps: readonly number[]
  /** Refuses single values. */
  readonly refuses: (value: number) => boolean
}

const enough = 4000

/** A number of the goal; null when there is none; undefined when that could not be decided. */
export const findNumber = (goal: NumberGoal): number | null | undefined => {
  const { low, high } = goal
  if (low > high || (low === high && (goal.lowExclusive || goal.highExclusive))) return null
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    (goal.lowExclusive ? value > low : value >= low) &&
    (goal.highExclusive ? value < high : value <= high) &&
    goal.steps.every((step) => isMultiple(value, step)) &&
    !goal.notSteps.some((step) => isMultiple(value, step)) &&
    !goal.refuses(value)
  if (goal.steps.length > 0) return findStep(goal, fits)
  return findReal(goal, fits)
}

/** The index of the multiple nearest to a bound, towards the inside; exact, because doubles lose the fraction of large numbers. */
const indexAt = (bound: number, step: Decimal, up: boolean): bigint | null => {
  const it = decimal(bound)
  if (!it) return null
  const places = Math.max(it.places, step.places)
  const [units, by] = [scaled(it, places), scaled(step, places)]
  const index = units / by
  const rest = units % by
  return rest === 0n ? index : up ? index + (rest > 0n ? 1n : 0n) : index - (rest < 0n ? 1n : 0n)
}

const findStep = (goal: NumberGoal, fits: (value: number) => boolean): number | null | undefined => {
  const step = commonMultiple(goal.steps)
  const exact = step === null ? null : decimal(step)
  if (step === null || exact === null) return undefined
  if (goal.notSteps.some((other) => isMultiple(step, other))) return null
  const at = (index: bigint): number => Number(`${exact.units * index}e${-exact.places}`)
  const [low, high] = [Number.isFinite(goal.low), Number.isFinite(goal.high)]
  const first = low ? indexAt(goal.low, exact, true) : high ? indexAt(goal.high, exact, false) : 0n
  const last = low && high ? indexAt(goal.high, exact, false) : null
  if (first === null) return undefined
  // Tries multiples upward from the lower end, downward from the upper end, or outward from zero.
  const sign = low || !high ? 1n : -1n
  for (let i = 0n; i < enough; i++) {
    const index = first + sign * i
    if (last !== null && index > last) return null
    if (fits(at(index))) return at(index)
  }
  if (!low && !high) {
    for (let i = 1n; i < enough; i++) if (fits(at(-i))) return at(-i)
  }
  return undefined
}

/** 0.30000000000000004 is not what anybody means. */
const clean = (value: number): number => (Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15)))

const findReal = (goal: NumberGoal, fits: (value: number) => boolean): number | null | undefined => {
  const { low, high } = goal
  if (low === high) return fits(low) ? low : null
  const candidates: number[] = []
  if (Number.isFinite(low)) {
    candidates.push(low, Math.floor(low) + 1, low + 1, low + 0.5)
    for (let i = 2; i < 200; i++) candidates.push(Math.floor(low) + i)
  } else if (Number.isFinite(high)) {
    candidates.push(high, Math.ceil(high) - 1, high - 1, high - 0.5)
    for (let i = 2; i < 200; i++) candidates.push(Math.ceil(high) - i)
  } else {
    for (let i = 0; i < 200; i++) candidates.push(i)
  }
  candidates.push(high)
  const base = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 1 : 0
  const width = Number.isFinite(low) && Number.isFinite(high) ? high - low : 1
  for (let i = 1; i < 200; i++) candidates.push(clean(base + width / (i + 1)), clean(base + (width * i) / 211.37))
  return candidates.find(fits)
}
