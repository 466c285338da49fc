/** Ranges of integers as regular expressions: the engines compare integers of one machine word only. */

const digits = (count: number): string => {
  if (count === 0) return ''
  return count === 1 ? '[0-9]' : `[0-9]{${count}}`
}
const between = (from: string, to: string): string => (from === to ? from : `[${from}-${to}]`)
const next = (digit: string, by: number): string => String(Number(digit) + by)

/** Texts of as many digits as both bounds have. */
function sameLength(low: string, high: string): string[] {
  if (low === '') return ['']
  const [first = '', last = ''] = [low[0], high[0]]
  const [lowRest, highRest] = [low.slice(1), high.slice(1)]
  if (/^0*$/.test(lowRest) && /^9*$/.test(highRest)) return [between(first, last) + digits(lowRest.length)]
  if (first === last) return sameLength(lowRest, highRest).map((it) => first + it)
  const parts = sameLength(lowRest, '9'.repeat(lowRest.length)).map((it) => first + it)
  if (Number(last) - Number(first) > 1) parts.push(between(next(first, 1), next(last, -1)) + digits(lowRest.length))
  return [...parts, ...sameLength('0'.repeat(highRest.length), highRest).map((it) => last + it)]
}

/** Digits of numbers from 0 on, without zeros in front. */
function magnitudes(low: bigint, high: bigint | null): string[] {
  const [from, to] = [String(low), high === null ? null : String(high)]
  if (to !== null && to.length === from.length) return sameLength(from, to)
  const parts = sameLength(from, '9'.repeat(from.length))
  if (to === null) return [...parts, `[1-9][0-9]{${from.length},}`]
  const [least, most] = [from.length, to.length - 2]
  if (least <= most) parts.push(`[1-9][0-9]{${least === most ? least : `${least},${most}`}}`)
  return [...parts, ...sameLength(`1${'0'.repeat(to.length - 1)}`, to)]
}

/**
 * The integers from `low` to `high`, null for no bound, as they are written in decimal; zeros in front are allowed.
 *
 * @returns an expression for whole texts; null where there is no such integer
 */
export function integersBetween(low: bigint | null, high: bigint | null): string | null {
  if (low !== null && high !== null && low > high) return null
  const parts: string[] = []
  if (low === null || low < 0n) {
    const least = high === null || high >= 0n ? 0n : -high
    parts.push(`-0*(?:${magnitudes(least, low === null ? null : -low).join('|')})`)
  }
  if (high === null || high >= 0n)
    parts.push(`0*(?:${magnitudes(low === null || low < 0n ? 0n : low, high).join('|')})`)
  return parts.join('|')
}
