import { expect, test } from 'bun:test'
import { catalogue, type Code } from '../../src/errors.ts'
import { browserHint, hintOf } from '../../web/src/parts/error-hint.ts'

test('no error in a browser tells people to run a command, to set a variable or to send a header', () => {
  const foreign =
    /\bsvc |--[a-z]|\bcurl\b|SVC_[A-Z]|`|\bbody\.|\/v1\/|X-API-Key|Retry-After|[Rr]un the command|\bAllow header|Content-Type/
  const codes = Object.keys(catalogue) as Code[]
  expect(codes.filter((code) => foreign.test(browserHint(code)) || browserHint(code) === '')).toEqual([])
  expect(browserHint('project-not-found')).toBe('Check the address, or choose a project from the list.')
  expect(hintOf('no-such-code')).toBeNull()
})
