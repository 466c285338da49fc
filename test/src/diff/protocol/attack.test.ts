import { expect, test } from 'bun:test'
import { randomFrom } from '../mutations.ts'
import { attackWire } from './attack.ts'

// The long run is `npm run fuzz`.
test('no verdict on generated requests and responses is refuted by their texts', () => {
  const { refuted, tally } = attackWire(240, randomFrom(7))
  expect(refuted).toBeNull()
  expect(tally.safe + tally.breaking + tally.unproven).toBe(240)
}, 60_000)
