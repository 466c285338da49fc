import { expect, test } from 'bun:test'
import { hasClaim, highestRole, judge, ruleText } from '../../../server/role-rules/evaluate.ts'

const verdictOf = (claim: string, value: string, claims: Record<string, unknown>) => {
  const { verdict, reason } = judge({ claim, value }, claims)
  return [verdict, reason]
}

test('a rule fits a text, an item of a list, and a value at a path', () => {
  expect([
    verdictOf('groups', 'svc-admins', { groups: ['users', 'svc-admins'] }),
    verdictOf('groups', 'svc-*', { groups: 'svc-editors' }),
    verdictOf('groups', 'svc-?', { groups: ['svc-10', 'svc-1'] }),
    verdictOf('realm_access.roles', 'api', { realm_access: { roles: ['api'] } }),
    verdictOf('https://acme.com/groups', 'api', { 'https://acme.com/groups': ['api'] }),
    verdictOf('a.b.c', 'x', { 'a.b': { c: 'x' } }),
    verdictOf('level', '3', { level: 3 }),
  ]).toEqual([
    ['fits', '"groups" has "svc-admins"'],
    ['fits', '"groups" has "svc-editors"'],
    ['fits', '"groups" has "svc-1"'],
    ['fits', '"realm_access.roles" has "api"'],
    ['fits', '"https://acme.com/groups" has "api"'],
    ['fits', '"a.b.c" has "x"'],
    ['fits', '"level" has "3"'],
  ])
})

test('characters are compared as they are, and the whole value', () => {
  expect([
    verdictOf('groups', 'Admins', { groups: ['admins'] }),
    verdictOf('groups', 'admins', { groups: ['svc-admins'] }),
    verdictOf('groups', 'admins', { groups: [] }),
    verdictOf('groups', '*', { groups: [] }),
  ]).toEqual([
    ['does-not-fit', '"groups" has nothing that fits "Admins"'],
    ['does-not-fit', '"groups" has nothing that fits "admins"'],
    ['does-not-fit', '"groups" is an empty list'],
    ['does-not-fit', '"groups" is an empty list'],
  ])
})

test('what cannot be decided is undecided: absent, a reference, another kind of value', () => {
  const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } }
  expect([
    verdictOf('groups', 'a', {}),
    verdictOf('groups', 'a', { groups: null }),
    verdictOf('groups', 'a', overage),
    verdictOf('groups', 'a', { groups: { a: true } }),
    verdictOf('groups', 'a', { groups: ['a', {}] }),
    verdictOf('constructor', 'a', {}),
    verdictOf('groups.length', '1', { groups: ['a'] }),
    verdictOf('groups', 'a', { groups: Array.from({ length: 10_001 }, () => 'a') }),
  ]).toEqual([
    ['undecided', 'the claim "groups" is absent'],
    ['undecided', 'the claim "groups" is absent'],
    [
      'undecided',
      'the identity provider sent a reference instead of "groups": the person is in too many groups for its token',
    ],
    ['undecided', 'the claim "groups" is neither a text nor a list of texts'],
    ['undecided', 'the claim "groups" is neither a text nor a list of texts'],
    ['undecided', 'the claim "constructor" is absent'],
    ['undecided', 'the claim "groups.length" is absent'],
    ['undecided', 'the claim "groups" has more than 10000 values'],
  ])
})

test('an address counts only where the provider proved it', () => {
  const email = 'ann@acme.com'
  expect([
    verdictOf('email', '*@acme.com', { email, email_verified: true }),
    verdictOf('email', '*@acme.com', { email, email_verified: 'true' }),
    verdictOf('email', '*@acme.com', { email, email_verified: false }),
    verdictOf('email', '*@acme.com', { email }),
  ]).toEqual([
    ['fits', '"email" has "ann@acme.com"'],
    ['fits', '"email" has "ann@acme.com"'],
    ['does-not-fit', 'the address is not verified'],
    ['does-not-fit', 'the address is not verified'],
  ])
})

test('the highest role counts, and a rule is said in words', () => {
  expect([highestRole(['viewer', 'admin', 'editor']), highestRole(['viewer']), highestRole([])]).toEqual([
    'admin',
    'viewer',
    null,
  ])
  expect([
    ruleText({ claim: 'groups', value: 'a' }, 'scim'),
    ruleText({ claim: 'department', value: 'R&D' }, 'https://id.example'),
  ]).toEqual(['group a of scim', 'department = R&D of https://id.example'])
  expect([hasClaim({ a: { b: [] } }, 'a.b'), hasClaim({}, 'a.b')]).toEqual([true, false])
})
