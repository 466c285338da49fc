import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compareText } from '../../../src/kernel/order.ts'

test('texts are ordered as < orders them', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Number(a > b) - Number(a < b))
      expect(compareText(a, a)).toBe(0)
    }),
  )
  expect(['b', 'a', 'B', 'ab'].toSorted(compareText)).toEqual(['B', 'a', 'ab', 'b'])
})
