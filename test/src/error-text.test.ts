import { expect, test } from 'bun:test'
import { messageTemplate } from '../../src/error-text.ts'
import { catalogue, type Code } from '../../src/errors.ts'

test('details stand in capitals', () => {
  expect(messageTemplate('project-not-found')).toBe('There is no project "PROJECT" in this tenant.')
  expect(messageTemplate('scope-denied')).toBe("The API key's scopes (SCOPES) do not reach this operation.")
  expect(messageTemplate('quota-exceeded')).toBe("The plan's QUOTA are used up: USED of MAX.")
})

test('every code has a sentence, a hint and codes of their kinds', () => {
  for (const code of Object.keys(catalogue) as Code[]) {
    const { status, exit, hint } = catalogue[code]
    const good = {
      code: /^[a-z]+(-[a-z]+)*$|^[a-z]+(_[a-z]+)*$/.test(code),
      message: messageTemplate(code).length > 2 && !/undefined|\[object/.test(messageTemplate(code)),
      hint: hint.length > 10,
      status: status >= 400 && status < 600,
      exit: exit !== 0,
    }
    expect([code, good]).toEqual([code, { code: true, message: true, hint: true, status: true, exit: true }])
  }
})
