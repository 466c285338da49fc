import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { OperationNames, Reached } from '../../../src/diff/reached.ts'

const of = (numbers: readonly number[]): Reached => {
  const made = new Reached()
  for (const number of numbers) made.add(number)
  return made
}
const numbers = fc.array(fc.nat(5000), { maxLength: 30 })

test('a set has what was added, in order, and says whether it was new', () => {
  fc.assert(
    fc.property(numbers, (all) => {
      const seen = new Set<number>()
      const made = new Reached()
      for (const number of all) {
        expect(made.add(number)).toBe(!seen.has(number))
        seen.add(number)
      }
      expect(made.numbers()).toEqual([...seen].sort((a, b) => a - b))
    }),
  )
})

test('joined and copied sets are independent, and equal sets have one key', () => {
  fc.assert(
    fc.property(numbers, numbers, (left, right) => {
      const a = of(left)
      const copy = a.copy()
      copy.join(of(right))
      expect(copy.numbers()).toEqual([...new Set([...left, ...right])].sort((x, y) => x - y))
      expect(a.key()).toBe(of(left.toReversed()).key())
      expect(copy.key()).toBe(of([...right, ...left]).key())
      expect(a.key() === copy.key()).toBe(right.every((it) => left.includes(it)))
    }),
  )
})

test('a set of one late operation is small, whatever its number', () => {
  const names = new OperationNames()
  for (let i = 0; i < 40_000; i++) names.numberOf(`GET /${i}`)
  const one = of([39_999])
  expect(one.key()).toBe('1249: 2147483648')
  expect(names.listOf(one)).toEqual(['GET /39999'])
})
