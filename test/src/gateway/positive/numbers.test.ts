import { expect, test } from 'bun:test'
import { integersBetween } from '../../../../src/gateway/positive/numbers.ts'
import { randomOf } from '../../../fixtures/gateway/random-schemas.ts'

const matches = (low: bigint | null, high: bigint | null, text: string): boolean =>
  new RegExp(`^(?:${integersBetween(low, high) ?? '(?!)'})$`).test(text)

test('exactly the integers of a range match', () => {
  const random = randomOf(1)
  const any = (): bigint => BigInt(Math.floor((random() - 0.5) * 10 ** (1 + Math.floor(random() * 12))))
  for (let i = 0; i < 400; i++) {
    const [a, b] = [any(), any()]
    const [low, high] = [random() < 0.1 ? null : a < b ? a : b, random() < 0.1 ? null : a < b ? b : a]
    const near = [a, b, 0n, any()].flatMap((it) => [it - 1n, it, it + 1n, it * 10n, it / 10n])
    const wrong = near.filter(
      (it) => matches(low, high, String(it)) !== ((low === null || it >= low) && (high === null || it <= high)),
    )
    expect({ low, high, wrong }).toEqual({ low, high, wrong: [] })
  }
})

test('zeros in front count for nothing, and a range without integers has no expression', () => {
  const texts = ['007', '-0', '0', '00', '8', '-1', '', '+7', '7.0']
  expect(texts.filter((it) => matches(0n, 7n, it))).toEqual(['007', '0', '00'])
  expect(integersBetween(5n, 4n)).toBe(null)
})
