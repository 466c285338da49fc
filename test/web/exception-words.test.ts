import { expect, test } from 'bun:test'
import type { SecurityException } from '../../src/api/gateway-shapes.ts'
import {
  endsSoon,
  exceptionBody,
  inHours,
  newWords,
  scopeWords,
  targetWords,
  wordsOf,
} from '../../web/src/features/gateway/exceptions/scope.ts'

const now = Date.UTC(2026, 0, 1)
const hour = 3_600_000
const exception = (over: Partial<SecurityException>): SecurityException =>
  ({
    scope: { route: '/pets/{id}', path: null, method: 'GET', field: 'query:limit' },
    target: { groups: [], ruleRefs: ['942100', '942110'] },
    reason: 'A false alarm',
    ticket: null,
    expiresAt: new Date(now + 48 * hour).toISOString(),
    ...over,
  }) as unknown as SecurityException

test('an exception that lasts keeps its end; one that ended, or has none, gets 24 hours', () => {
  const endOf = (expiresAt: string | null): string => wordsOf(exception({ expiresAt } as never), now).ends
  const at = (ms: number): string => new Date(ms).toISOString()
  expect(endOf(at(now + 48 * hour))).toBe(inHours(48, now))
  for (const end of [at(now), at(now - hour), 'never', null]) expect([end, endOf(end)]).toEqual([end, inHours(24, now)])
  expect(newWords(now).ends).toBe(inHours(24, now))
})

test('the words of an exception are those that it was made of', () => {
  const { ends: _, ...words } = wordsOf(exception({}), now)
  expect(words).toEqual({
    by: 'route',
    place: '/pets/{id}',
    method: 'GET',
    kind: 'query',
    field: 'limit',
    groups: [],
    ruleRefs: '942100\n942110',
    reason: 'A false alarm',
    ticket: '',
  })
  const other = exception({
    scope: { route: null, path: '/admin/*', method: null, field: null },
    target: { groups: ['sqli'], ruleRefs: null },
    ticket: 'OPS-1',
  } as never)
  expect(wordsOf(other, now)).toMatchObject({
    by: 'path',
    place: '/admin/*',
    method: '',
    kind: 'any',
    field: '',
    ruleRefs: '',
    ticket: 'OPS-1',
  })
  expect(wordsOf(exception({ scope: { route: null, path: null } } as never), now)).toMatchObject({
    by: 'route',
    place: '',
  })
  expect(wordsOf(exception({ scope: { field: 'body:x' } } as never), now)).toMatchObject({ kind: 'any', field: '' })
})

test('an active exception ends soon in its last 24 hours; one that ended does not', () => {
  const soon = (state: SecurityException['state'], ms: number): boolean =>
    endsSoon({ state, expiresAt: new Date(now + ms).toISOString() }, now)
  expect([soon('active', 24 * hour - 1), soon('active', 24 * hour), soon('active', 48 * hour)]).toEqual([
    true,
    false,
    false,
  ])
  expect([soon('expired', hour), soon('expired', -hour), soon('removed', hour)]).toEqual([false, false, false])
})

test('where an exception applies and what it exempts from is one line each', () => {
  expect(scopeWords(exception({}).scope)).toBe('GET /pets/{id} in query:limit')
  expect(scopeWords({ route: null, path: '/admin/*', method: null, field: null })).toBe(
    'any method /admin/* in any field',
  )
  expect(scopeWords({ route: null, path: null, method: null, field: null })).toBe('any method  in any field')
  expect(targetWords({ groups: ['sqli'], ruleRefs: ['942100'] })).toBe('SQL injection, 942100')
  expect(targetWords({ groups: ['gone' as 'sqli'], ruleRefs: [] })).toBe('gone')
})

test('what the service is sent has only what was filled in', () => {
  const ends = inHours(24, now)
  expect(exceptionBody({ ...newWords(now), place: ' /pets ', reason: ' r ', ends })).toMatchObject({
    scope: { route: '/pets' },
  })
  expect(
    exceptionBody({
      ...newWords(now),
      by: 'path',
      place: '/admin/*',
      method: 'post',
      kind: 'header',
      field: 'x-id',
      ruleRefs: '942100, 942110\n942120',
      ends,
    }),
  ).toMatchObject({
    scope: { path: '/admin/*', method: 'POST', field: 'header:x-id' },
    target: { ruleRefs: ['942100', '942110', '942120'] },
    ticket: null,
  })
  expect(exceptionBody({ ...newWords(now), ticket: ' OPS-1 ', ends: '' })).toMatchObject({
    ticket: 'OPS-1',
    expiresAt: null,
  })
})
