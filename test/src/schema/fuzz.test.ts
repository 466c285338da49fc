import { expect, test } from 'bun:test'
import { randomFrom } from '../diff/mutations.ts'
import { attack } from './judge.ts'

const pairs = 120

test('no verdict on generated pairs of schemas is refuted by another validator', () => {
  const { tally, refuted } = attack(pairs, randomFrom(20_261_121), 20)
  expect(refuted).toBeNull()
  expect(tally.unknown).toBeLessThan(pairs / 20)
  expect(Math.min(tally.safe, tally.breaking)).toBeGreaterThan(pairs / 6)
}, 60_000)
