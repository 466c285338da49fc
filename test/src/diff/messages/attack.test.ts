import { expect, test } from 'bun:test'
import { randomFrom } from '../mutations.ts'
import { attackMessages } from './attack.ts'
import { attackModes } from './modes.ts'

// The long runs are `npm run fuzz`.
test('no verdict on generated API descriptions is refuted by an interpreter of their messages', () => {
  const { tally, refuted } = attackMessages(80, randomFrom(7), { tries: 12 })
  expect(refuted).toBeNull()
  expect(tally.safe + tally.breaking + tally.unknown + tally.unproven).toBe(80)
  expect(tally.unknown).toBeLessThan(8)
  expect(Math.min(tally.safe, tally.breaking)).toBeGreaterThan(8)
}, 60_000)

test('bodies of generated schemas are decided as the schemas are', () => {
  const { tally, refuted } = attackModes(120, randomFrom(7))
  expect(refuted).toBeNull()
  expect(Math.min(tally.safe, tally.breaking)).toBeGreaterThan(15)
}, 60_000)
