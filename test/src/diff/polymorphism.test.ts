import { expect, test } from 'bun:test'
import { randomFrom } from './mutations.ts'
import { attackModels } from './polymorphism.ts'

test('no message refutes a safe verdict about discriminators, readOnly, writeOnly and choices', () => {
  expect(attackModels(300, randomFrom(7)).refuted).toBeNull()
})
