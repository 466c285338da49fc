import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiHintOf } from '../../src/errors/api-hints.ts'
import { fillMessage, messageForDocs, messageForPeople } from '../../src/errors/entry.ts'
import { exitCodes, exitPrecedence } from '../../src/errors/exit-codes.ts'
import { browserHintOf, catalogue, SvcError, type Code } from '../../src/errors.ts'

const codes = Object.keys(catalogue) as Code[]

test('messages are filled with the values of their context', () => {
  expect(new SvcError('project-not-found', { project: 'a {b} [c]' }).message).toBe(
    'There is no project "a {b} [c]" in this organization.',
  )
  expect(new SvcError('scope-denied', { scopes: ['diff:read', 'lint:read'] }).message).toBe(
    'The scopes of this API key (diff:read, lint:read) do not allow this operation.',
  )
  expect(new SvcError('config-invalid', { problems: ['a', 'b'] }).message).toBe('Invalid configuration:\n  a\n  b')
  // The sentence of a library may end with a full stop of its own.
  expect([
    fillMessage('Invalid: {a}.', { a: 'no key.' }),
    fillMessage('Invalid: {a}.', { a: 'no key …' }),
    fillMessage('Invalid: {a}.', { a: 'cut ...' }),
    fillMessage('{a}, {b}', { a: 'one.', b: 'two.' }),
  ]).toEqual(['Invalid: no key.', 'Invalid: no key ….', 'Invalid: cut ....', 'one., two.'])
  expect(new SvcError('auth-rate-limited', { retry_after: 0 }).message).toBe(
    'Too many sign-in attempts; try again in 0 seconds.',
  )
  expect(new SvcError('auth-rate-limited', { retry_after: 1 }).message).toBe(
    'Too many sign-in attempts; try again in 1 second.',
  )
})

test('an optional part is left out where its value is empty', () => {
  const messageOf = (near?: string | null): string =>
    new SvcError('style-guide-not-found', near === undefined ? { guide: 'a' } : { guide: 'a', near }).message
  expect([messageOf(), messageOf(null), messageOf('ab')]).toEqual([
    'There is no style guide "a".',
    'There is no style guide "a".',
    'There is no style guide "a". Did you mean "ab"?',
  ])
  expect(new SvcError('contract-not-found', { consumer: 'c', revision: 0 }).message).toBe(
    'The consumer "c" has no declared contract with the revision 0.',
  )
})

test('a context of another version of the service does not fail', () => {
  expect(fillMessage('{a} of {b:number} in {c:list}[, {d}]', {})).toBe('{a} of {b} in {c}')
  expect(fillMessage('{a} {toString}', { a: ['x'] })).toBe('x {toString}')
})

test('documents show the names of the placeholders', () => {
  expect(messageForDocs(catalogue['scope-denied'].message)).toBe(
    'The scopes of this API key ({scopes}) do not allow this operation.',
  )
  expect(messageForDocs(catalogue['style-guide-not-found'].message)).toBe(
    'There is no style guide "{guide}". Did you mean "{near}"?',
  )
})

test('people see no names of placeholders', () => {
  const shown = (code: Code) => messageForPeople(catalogue[code].message)
  expect(shown('project-not-found')).toBe('There is no project "…" in this organization.')
  expect(shown('style-guide-not-found')).toBe('There is no style guide "…".')
  expect(shown('quota-exceeded')).toBe('The limit of the plan is reached: … of … …')
  expect([messageForPeople('{reason}'), messageForPeople('Invalid name: {reason}.')]).toEqual(['', 'Invalid name: …'])
  expect(messageForPeople('Try again in {retry_after:seconds}.')).toBe('Try again in … seconds.')
  expect(codes.filter((code) => /[{}[\]]/.test(shown(code)))).toEqual([])
})

test('every code has a message, a hint and codes of their kinds', () => {
  for (const code of codes) {
    const { status, exit, hint, message } = catalogue[code]
    const good = {
      code: /^[a-z]+(-[a-z]+)*$|^[a-z]+(_[a-z]+)*$/.test(code),
      message: message.length > 2 && !/\{\}|\{\d/.test(message),
      hint: /^[A-Z"].{9,}\.$/.test(hint),
      status: status >= 400 && status < 600,
      exit: (exit as number) !== 0,
    }
    expect([code, good]).toEqual([code, { code: true, message: true, hint: true, status: true, exit: true }])
  }
  const messages = codes.map((code) => catalogue[code].message)
  // Two addresses that cannot be fetched: one is refused, the other fails.
  expect(messages.filter((it, index) => messages.indexOf(it) !== index)).toEqual(['Cannot fetch {url}: {reason}.'])
})

test('hints for callers of the API name no command, and those of the command line no request', () => {
  const command = /svc [a-z]|(?:^|[ "(])--[a-z]/
  expect(codes.filter((code) => command.test(apiHintOf({ code })))).toEqual([])
  const request = /(?:GET|POST|PUT|PATCH|DELETE) [/…{][^p]|HTTP clients|X-API-Key/
  expect(codes.filter((code) => request.test(catalogue[code].hint))).toEqual([])
  expect(apiHintOf({ code: 'credentials-missing' })).toBe(
    'Send an API key in the header X-API-Key, or "Authorization: Bearer TOKEN".',
  )
  expect(apiHintOf({ code: 'email-taken' })).toBe(catalogue['email-taken'].hint)
})

test('hints for browsers name no command, option, variable or request', () => {
  const advice = /\bsvc |--\w|\bSVC_|\b(GET|POST|PUT|PATCH|DELETE) \/|\bX-[A-Z]/
  expect(codes.filter((code) => advice.test(browserHintOf(code)))).toEqual([])
  expect(new SvcError('project-not-found', { project: 'a' }).browserHint).toBe('Choose a project from the list.')
  expect(new SvcError('email-taken', { email: 'a' }).browserHint).toBe(catalogue['email-taken'].hint)
})

test('every exit code has a row, a name and a place in the order', () => {
  const listed = exitCodes.map((it) => it.code)
  expect(listed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 70, 130, 143])
  expect(exitPrecedence.toSorted((a, b) => a - b)).toEqual(listed)
  expect(new Set(exitCodes.map((it) => it.name)).size).toBe(listed.length)
  expect(codes.filter((code) => !listed.includes(catalogue[code].exit))).toEqual([])
})

test('the script of the pipelines uses the same order', () => {
  const script = readFileSync(join(import.meta.dir, '../../scripts/check-specification.sh'), 'utf8')
  const order = /^order="([\d ]+)"/m.exec(script)?.[1]?.split(' ').map(Number)
  expect(order).toEqual([...exitPrecedence])
})
