/** Keywords that no draft knows. */
import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../../src/kernel/json.ts'
import { CheckBudget } from '../../../../src/lint/check-budget.ts'
import { checkKnown } from '../../../../src/lint/schemas/keywords.ts'

const messages = (text: string): string[] => {
  const schema = JSON.parse(text) as JsonObject
  const at = { schema, path: [], root: schema, draft: '2020-12' }
  return checkKnown(at, new CheckBudget()).map(({ message }) => message)
}

test('an unknown keyword has no effect, whatever it is called; one of OpenAPI says what to write instead', () => {
  expect(
    messages('{"type": "string", "maxLenght": 5, "nullable": true, "constructor": 1, "toString": 1, "x-own": 1}'),
  ).toEqual([
    'Unknown keyword "maxLenght"; did you mean "maxLength"?',
    '"nullable" is a keyword of OpenAPI only; add "null" to "type".',
    'Unknown keyword "constructor"; it has no effect.',
    'Unknown keyword "toString"; it has no effect.',
  ])
})
