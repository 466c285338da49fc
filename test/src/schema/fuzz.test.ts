import { expect, test } from 'bun:test'
import { randomFrom } from '../diff/mutations.ts'
import { attack } from './judge.ts'

test('no verdict on generated pairs of schemas is refuted by another validator', () => {
  const { tally, refuted } = attack(600, randomFrom(20_261_121), 25)
  expect(refuted).toBeNull()
  expect(tally.unknown).toBeLessThan(600 / 20)
  expect(Math.min(tally.safe, tally.breaking)).toBeGreaterThan(100)
})
