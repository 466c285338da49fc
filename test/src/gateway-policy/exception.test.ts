/** Exceptions: what stops them, and that none is ever wider than its scope. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { groupIds } from '../../../src/gateway-policy/catalogue.ts'
import {
  covers,
  exceptionRefusalsOf,
  isExempt,
  type MatchInRequest,
  type ProposedException,
} from '../../../src/gateway-policy/exception-check.ts'
import { exceptionState } from '../../../src/gateway-policy/model.ts'
import { exceptionOf, inHours, now } from './policy.ts'

const proposed = (it: Partial<ProposedException> = {}): ProposedException => ({ ...exceptionOf(), ...it })
const scope = (it: Partial<ProposedException['scope']>) =>
  proposed({ scope: { route: null, path: null, method: null, field: null, ...it } })
const codes = (it: ProposedException) => exceptionRefusalsOf(it, now).map(({ code }) => code)

test('an exception has an end within 30 days', () => {
  expect([
    codes(proposed()),
    codes(proposed({ expiresAt: null })),
    codes(proposed({ expiresAt: now })),
    codes(proposed({ expiresAt: inHours(-1) })),
    codes(proposed({ expiresAt: inHours(720) })),
    codes(proposed({ expiresAt: inHours(720.001) })),
    codes(proposed({ expiresAt: 'soon' })),
    codes(
      proposed({ expiresAt: null, target: { groups: [], ruleRefs: [] }, scope: { ...proposed().scope, field: 'q' } }),
    ),
  ]).toEqual([
    [],
    ['exception-unbounded'],
    ['exception-invalid'],
    ['exception-invalid'],
    [],
    ['exception-too-long'],
    ['exception-invalid'],
    ['exception-invalid', 'exception-unscoped', 'exception-unbounded'],
  ])
  expect(exceptionRefusalsOf(proposed({ expiresAt: inHours(720.001) }), now).map(({ reason }) => reason)).toEqual([
    'it would end after 31 days',
  ])
})

test('an exception is for one place', () => {
  const cases: readonly [Partial<ProposedException['scope']>, string[]][] = [
    [{}, ['exception-unscoped']],
    [{ method: 'POST', field: 'query:q' }, ['exception-unscoped']],
    [{ route: '/a', path: '/a' }, ['exception-invalid']],
    [{ route: '/{all}' }, ['exception-unscoped']],
    [{ route: '/{a}/{b}/' }, ['exception-unscoped']],
    [{ path: '/*' }, ['exception-unscoped']],
    [{ route: '/' }, []],
    [{ path: '/' }, []],
    [{ route: '/pets/{petId}' }, []],
    [{ path: '/files/*' }, []],
    [{ path: '/fi*' }, ['exception-invalid']],
    [{ path: '/a/../b' }, ['exception-invalid']],
    [{ path: '/a/./b' }, ['exception-invalid']],
    [{ path: '//a' }, ['exception-invalid']],
    [{ path: '/a%2fb' }, ['exception-invalid']],
    [{ path: '/a;x=1' }, ['exception-invalid']],
    [{ path: '/a?b' }, ['exception-invalid']],
    [{ path: 'a' }, ['exception-invalid']],
    [{ route: 'a' }, ['exception-invalid']],
    [{ route: '/a?b' }, ['exception-invalid']],
    [{ path: '/a', method: 'post' }, ['exception-invalid']],
    [{ path: '/a', method: 'POST' }, []],
    [{ path: '/a', field: 'q' }, ['exception-invalid']],
    [{ path: '/a', field: 'query:*' }, ['exception-invalid']],
    [{ path: '/a', field: 'json:note' }, ['exception-invalid']],
    [{ path: '/a', field: 'json:/*' }, ['exception-invalid']],
    [{ path: '/a', field: 'json:/*/*' }, ['exception-invalid']],
    [{ path: '/a', field: 'json:/items/*/note' }, []],
    [{ path: '/a', field: 'header:X-Note' }, []],
    [{ path: '/a', field: 'cookie:a\u0000b' }, ['exception-invalid']],
    [{ path: '/a', field: 'body:a' }, ['exception-invalid']],
    [{ route: '/{all}', method: 'post' }, ['exception-invalid']],
    [{ route: 'a', method: 'post', field: 'q' }, ['exception-invalid', 'exception-invalid', 'exception-invalid']],
    [{ route: '/{a}/b' }, []],
    [{ route: '/a{b}' }, []],
    [{ route: '//' }, ['exception-unscoped']],
  ]
  for (const [it, expected] of cases) expect([it, codes(scope(it)) as string[]]).toEqual([it, expected])
  const reason = (field: string) => exceptionRefusalsOf(scope({ path: '/a', field }), now)[0]?.reason
  expect([reason('json:note'), reason('json:/*'), reason('query:*')]).toEqual([
    '"json:note" is not a field; write query:NAME, header:NAME, cookie:NAME or json:/POINTER with * for a segment',
    'the pointer of a field names at least one property',
    'an exception names one field; leave the field out to mean all',
  ])
})

test('an exception is from rules that it names, and never from all groups', () => {
  const target = (groups: string[], ruleRefs: string[] = []) =>
    codes(proposed({ target: { groups: groups as never, ruleRefs } }))
  expect([
    target([]),
    target(['sqli']),
    target([...groupIds]),
    target(groupIds.slice(1)),
    target(['other']),
    target([], ['crs:942100', 'rule:abc', 'positive:body']),
    target([], ['942100']),
    target([], ['crs:x']),
  ]).toEqual([
    ['exception-unscoped'],
    [],
    ['exception-unscoped'],
    [],
    ['exception-invalid'],
    [],
    ['exception-invalid'],
    ['exception-invalid'],
  ])
})

const places = ['/search', '/search/x', '/searching', '/pets', '/pets/1', '/pets/1/notes', '/'] as const
const routes = ['/search', '/search/{id}', '/pets', '/pets/{petId}', '/pets/{petId}/notes', '/'] as const
const fields = [
  'query:q',
  'query:r',
  'header:X-Note',
  'json:/items/3/note',
  'json:/items/3/name',
  'json:/items',
] as const

const matches: fc.Arbitrary<Required<MatchInRequest>> = fc.record({
  ruleRef: fc.constantFrom('crs:942100', 'crs:941100', 'rule:r1'),
  groupId: fc.constantFrom('sqli', 'xss', null),
  field: fc.constantFrom(...fields, null),
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom(...routes, null),
  path: fc.constantFrom(...places),
})
const scopes = fc.oneof(
  fc.constantFrom(...routes).map((route) => ({ route, path: null })),
  fc.constantFrom('/search', '/search/*', '/pets/*', '/pets/1', '/').map((path) => ({ route: null, path })),
)
const exceptions = fc
  .record({
    place: scopes,
    method: fc.constantFrom(null, 'POST'),
    field: fc.constantFrom(null, 'query:q', 'header:x-note', 'json:/items/*/note'),
    groups: fc.subarray(['sqli', 'xss'] as const),
    ruleRefs: fc.subarray(['crs:942100', 'rule:r1']),
    expires: fc.integer({ min: -2, max: 2 }),
    removed: fc.boolean(),
  })
  .map(({ place, method, field, groups, ruleRefs, expires, removed }) =>
    exceptionOf({
      scope: { ...place, method, field },
      target: { groups, ruleRefs },
      expiresAt: inHours(expires),
      removedAt: removed ? now : null,
    }),
  )

test('an exception covers what is in its scope, and never anything else', () => {
  fc.assert(
    fc.property(exceptions, matches, (entry, match) => {
      const { scope, target } = entry
      const inside = [
        target.ruleRefs.includes(match.ruleRef) || target.groups.some((group) => group === match.groupId),
        scope.route !== null
          ? match.route === scope.route
          : scope.path?.endsWith('/*') === true
            ? match.path.startsWith(scope.path.slice(0, -1)) && match.path !== scope.path.slice(0, -1)
            : match.path === scope.path,
        scope.method === null || match.method === scope.method,
        scope.field === null ||
          (scope.field.startsWith('json')
            ? match.field === 'json:/items/3/note'
            : scope.field.toLowerCase() === match.field?.toLowerCase()),
      ]
      expect(covers(entry, match)).toBe(!inside.includes(false))
      const active = entry.removedAt === null && entry.expiresAt > now
      expect(isExempt([entry], match, now)).toBe(active && !inside.includes(false))
      expect(exceptionState(entry, now)).toBe(entry.removedAt !== null ? 'removed' : active ? 'active' : 'expired')
    }),
    { numRuns: 2000 },
  )
})

test('an exception without a place covers nothing, and one for a property of a body covers no other field', () => {
  const match = { ruleRef: 'crs:942100', groupId: 'sqli', method: 'POST', route: '/a', path: '/a' }
  expect([covers(scope({}), match), covers(scope({ route: '/a' }), match)]).toEqual([false, true])
  const note = scope({ route: '/a', field: 'json:/note' })
  const fields = ['json:/note', 'query:/note', 'json:/note/x', 'json:/', null]
  expect(fields.map((field) => covers(note, { ...match, field }))).toEqual([true, false, false, false, false])
})

test('an exception covers a path that every server reads so', () => {
  const covered = (scope: { path: string | null; route: string | null }, path: string) =>
    covers(exceptionOf({ scope: { ...scope, method: null, field: null } }), {
      ruleRef: 'crs:942100',
      groupId: 'sqli',
      route: '/files/{name}',
      path,
    })
  const paths = [
    '/files/a',
    '/files/a;b',
    '/files//a',
    '/files/a%2fb',
    '/files/../a',
    '/files/..%2fa',
    '//files/a',
    '/files/a%252e',
  ]
  expect(paths.map((it) => covered({ path: '/files/*', route: null }, it))).toEqual([
    true, true, true, true, false, false, false, true,
  ]) // prettier-ignore
  expect(paths.map((it) => covered({ path: null, route: '/files/{name}' }, it))).toEqual([
    true, false, false, false, false, false, false, false,
  ]) // prettier-ignore
})

test('with less recorded the answer is the same or unknown', () => {
  fc.assert(
    fc.property(exceptions, matches, fc.subarray(['path', 'method', 'field'] as const), (entry, match, missing) => {
      const rest: MatchInRequest = Object.fromEntries(
        Object.entries(match).filter(([key]) => !missing.some((one) => one === key)),
      ) as unknown as MatchInRequest
      // A template matches many paths: it is only given where it matches the path.
      const fits =
        match.route === null || new RegExp(`^${match.route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(match.path)
      if (!fits) return
      const [part, whole] = [covers(entry, rest), covers(entry, match)]
      if (part !== 'unknown') expect([part, whole]).toEqual([part, part])
    }),
    { numRuns: 2000 },
  )
  const at = (path: string, route: string | null) => covers(scope({ path }), { ruleRef: 'x', groupId: 'sqli', route })
  expect([
    at('/pets/*', '/pets/{petId}'),
    at('/pets/*', '/pets/{petId}/notes'),
    at('/pets/*', '/pets'),
    at('/pets/1', '/pets/{petId}'),
    at('/pets/1', '/pets/{petId}/notes'),
    at('/pets/mine', '/pets/mine'),
    at('/owners/*', '/pets/{petId}'),
    at('/pets/1', null),
  ]).toEqual([true, true, false, 'unknown', false, true, false, 'unknown'])
})
