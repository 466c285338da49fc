/** What is unsafe, decided for all requests at once. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { groupIds, type GroupId } from '../../../src/gateway-policy/catalogue.ts'
import { Question, withinEffort } from '../../../src/gateway-policy/decide.ts'
import { Effort } from '../../../src/gateway-policy/effort.ts'
import { evaluate } from '../../../src/gateway-policy/evaluate.ts'
import type { RuleAction } from '../../../src/gateway-policy/model.ts'
import { matchesNothing, patternProblem, refusalsOf } from '../../../src/gateway-policy/rule-check.ts'
import { parseExpression } from '../../../src/gateway-policy/text.ts'
import { trees, wholeRequests } from './arbitrary.ts'

const treeOf = (text: string) => {
  const { tree, problem } = parseExpression(text)
  if (tree === null) throw new Error(JSON.stringify(problem))
  return tree
}
const all: readonly GroupId[] = groupIds
const refused = (action: RuleAction, text: string, groups: readonly GroupId[] = ['sqli'], basePaths: string[] = []) =>
  refusalsOf({ action, expression: treeOf(text), groups }, { groupsInUse: all, basePaths }).map(({ code }) => code)
const effort = () => new Effort(2_000_000)

test('a rule that every request meets is refused however it is written', () => {
  for (const text of [
    'http.path starts "/"',
    'http.path matches ".*"',
    'http.path matches "^/"',
    'not (http.path eq "/a" and not http.path eq "/a")',
    'not http.path eq "/a" or http.path starts "/"',
    'http.path eq "/a" or (not http.path eq "/a" and (http.method eq "GET" or not http.method eq "GET"))',
    'http.body.size lt 11 or http.body.size gt 10',
    'ip.src cidr ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"]',
    'not (ip.src cidr "10.0.0.0/8" and ip.src cidr "192.168.0.0/16")',
    'http.query.q exists or not http.query.q eq "a"',
    'http.host matches "."',
    'http.route exists or not http.route starts "/a"',
    'not http.method in ["GET", "POST"] or not http.method in ["PUT"]',
    'http.path matches "^[^a]*$" or http.path contains "a"',
  ]) {
    expect([text, refused('log', text).includes('rule-matches-all')]).toEqual([text, true])
    expect(matchesNothing({ not: treeOf(text) })).toBe(true)
  }
  for (const text of [
    'http.path starts "/a"',
    'http.path matches "^/."',
    'http.body.size lt 11 or http.body.size gt 11',
    'ip.src cidr ["0.0.0.0/1", "128.0.0.0/1", "::/1"]',
    'not (http.query.q eq "a" and http.query.q eq "b")',
    'http.query.q contains "a" or not http.query.q exists',
    'not geo.country in ["DE"]',
    'http.route exists',
    'http.path matches "^[^a]*$" or http.path contains "ab"',
  ])
    expect([text, refused('log', text).includes('rule-matches-all')]).toEqual([text, false])
})

test('networks that leave no address out are refused, also split and under other conditions', () => {
  const cases: readonly [RuleAction, string, boolean][] = [
    ['block', 'ip.src cidr "0.0.0.0/0"', true],
    ['block', 'ip.src cidr ["0.0.0.0/1", "128.0.0.0/1"] and http.path eq "/x"', true],
    ['block', '(ip.src cidr "0.0.0.0/1" or ip.src cidr "128.0.0.0/1") and http.path eq "/x"', true],
    ['block', 'not (not ip.src cidr "0.0.0.0/2" and not ip.src cidr ["64.0.0.0/2", "128.0.0.0/1"])', true],
    ['block', 'ip.src cidr "::/0" and http.path eq "/x"', true],
    ['log', 'ip.src cidr "10.0.0.0/8" or not ip.src cidr "10.0.0.0/8"', true],
    ['block', 'ip.src cidr ["0.0.0.0/1", "128.0.0.0/2"]', false],
    ['block', 'not ip.src cidr "10.0.0.0/8" and http.path eq "/x"', false],
    ['allow', 'not ip.src cidr "10.0.0.0/8" and http.path eq "/x"', true],
    ['allow', 'ip.src cidr "0.0.0.0/1" and http.path eq "/x"', true],
    ['allow', 'ip.src cidr ["2000::/4"]', true],
    ['allow', 'ip.src cidr ["2000::/5"]', false],
    ['skip', 'ip.src cidr ["0.0.0.0/2", "64.0.0.0/2"] and http.path eq "/x"', true],
    ['allow', 'ip.src cidr "0.0.0.0/2" and http.path eq "/x"', false],
    ['allow', 'ip.src cidr "10.0.0.0/8"', false],
  ]
  for (const [action, text, isRefused] of cases)
    expect([action, text, refused(action, text).includes('rule-cidr-any')]).toEqual([action, text, isRefused])
})

test('what lets requests pass is limited to places or addresses', () => {
  const cases: readonly [string, boolean][] = [
    ['http.method eq "GET"', true],
    ['http.host eq "api.example.com"', true],
    ['http.header.x-internal eq "1"', true],
    ['http.header.user-agent contains "monitor" or ip.src cidr "10.0.0.0/8"', true],
    ['http.query.debug exists or http.path eq "/a"', true],
    ['geo.country in ["DE"]', true],
    ['not http.path eq "/a" or http.method eq "GET"', true],
    ['ip.src cidr "10.0.0.0/8"', false],
    ['http.path starts "/public/"', false],
    ['http.route eq "/a" and http.method eq "GET"', false],
    [
      'http.header.x-internal eq "1" and (http.path eq "/a" or http.method eq "GET" and ip.src cidr "10.0.0.0/8")',
      false,
    ],
    ['not http.path eq "/a"', false],
  ]
  for (const action of ['allow', 'skip'] as const)
    for (const [text, isRefused] of cases)
      expect([action, text, refused(action, text).includes('rule-allow-unscoped')]).toEqual([action, text, isRefused])
  for (const action of ['block', 'log', 'rate-limit'] as const)
    expect(refused(action, 'http.method eq "PUT"')).toEqual([])
})

test('a rule must not skip all managed groups that are in use', () => {
  const place = 'http.path eq "/a"'
  expect(refused('skip', place, all)).toEqual(['rule-skip-all-managed'])
  expect(refused('skip', place, all.slice(1))).toEqual([])
  const inUse = { groupsInUse: ['sqli', 'xss'] as const, basePaths: [] }
  const skip = (groups: readonly GroupId[]) =>
    refusalsOf({ action: 'skip', expression: treeOf(place), groups }, inUse).map(({ code }) => code)
  expect([skip(['sqli', 'xss']), skip(['sqli', 'rce'])]).toEqual([['rule-skip-all-managed'], []])
})

test('patterns that some engine cannot run, or not in bounded time, are refused with the reason', () => {
  const reasons = (source: string) => patternProblem(source)
  expect(['^/a/[0-9]+$', 'a|b', String.raw`\bword\b`, '^.*a.*$', 'x{1000}', '(?:ab)+'].map(reasons)).toEqual(
    Array.from({ length: 6 }, () => null),
  )
  const cases: readonly [string, string][] = [
    ['(', 'it is not a regular expression'],
    [String.raw`\-`, 'it is not a regular expression'],
    ['^(?=a)', 'it looks ahead'],
    ['(?<!a)b', 'it looks ahead'],
    [String.raw`(a)\1`, 'it refers back'],
    ['x{1001}', 'more than 1,000 times'],
    ['x{1001,}', 'more than 1,000 times'],
    ['(a+)+$', 'exponential time'],
    ['(a|aa)*$', 'exponential time'],
    ['a*b*c*d', 'several unlimited repetitions'],
  ]
  for (const [source, reason] of cases)
    expect([source, reasons(source)]).toEqual([source, expect.stringContaining(reason) as string])
  expect(refused('block', 'http.path matches "(a+)+$"')).toEqual(['rule-regex-unsafe'])
})

test('values of credentials are not compared; whether they were sent is', () => {
  for (const field of [
    'header.authorization',
    'header.Cookie',
    'header.x-api-key',
    'cookie.session',
    'cookie.connect.sid',
    'cookie.JSESSIONID',
    'query.access_token',
    'query.apikey',
    'header.x-csrf-token',
    'query.password',
  ]) {
    expect([field, refused('block', `http.${field} contains "a"`)]).toEqual([field, ['rule-reads-credential']])
    expect([field, refused('block', `http.${field} exists and http.path eq "/a"`)]).toEqual([field, []])
  }
  for (const field of ['header.accept', 'cookie.theme', 'query.author', 'query.side', 'header.x-tokens-left-behind'])
    expect([field, refused('block', `http.${field} contains "a"`)]).toEqual([field, []])
})

test('addresses that clients write themselves decide nothing', () => {
  for (const name of ['X-Forwarded-For', 'forwarded', 'x-real-ip', 'true-client-ip', 'CF-Connecting-IP']) {
    const text = `http.header.${name} contains "10."`
    expect([name, refused('block', text), refused('log', text)]).toEqual([name, ['rule-untrusted-forwarded-ip'], []])
  }
  expect(refused('block', 'http.query.forwarded contains "10."')).toEqual([])
})

test('a rule that stops every health check is refused', () => {
  const cases: readonly [string, boolean][] = [
    ['http.path eq "/healthz"', true],
    ['http.path starts "/h"', true],
    ['http.path contains "ping"', true],
    ['http.method in ["GET", "HEAD"]', true],
    ['http.path starts "/read" and (http.header.accept exists or not http.header.accept exists)', true],
    ['not http.query.q exists', true],
    ['http.body.size lt 1', true],
    ['http.path eq "/shop/livez"', false],
    ['http.path eq "/healthz" and not ip.src cidr "10.0.0.0/8"', false],
    ['http.path eq "/healthz" and http.header.user-agent contains "curl"', false],
    ['http.path eq "/healthz" and http.query.verbose exists', false],
    ['http.path starts "/ready" and http.method eq "POST"', false],
  ]
  for (const [text, isRefused] of cases)
    for (const action of ['block', 'rate-limit'] as const)
      expect([text, refused(action, text)]).toEqual([text, isRefused ? ['rule-blocks-health'] : []])
  expect(refused('block', 'http.path eq "/shop/livez"', [], ['/shop/'])).toEqual(['rule-blocks-health'])
  expect(refused('log', 'http.path eq "/healthz"')).toEqual([])
})

test('a challenge is for browsers', () => {
  const path = 'http.path starts "/login"'
  expect([
    refused('challenge', path),
    refused('challenge', `${path} and http.header.accept contains "text/html"`),
    refused('challenge', `${path} and http.header.accept contains "text/html, */*"`),
    refused('challenge', `${path} and not http.header.accept contains "text/html"`),
    refused(
      'challenge',
      `${path} and (http.header.sec-fetch-mode eq "navigate" or http.header.accept contains "text/html")`,
    ),
    refused('challenge', `${path} and (http.header.sec-fetch-mode eq "navigate" or http.header.accept exists)`),
    refused('block', path),
  ]).toEqual([['rule-challenge-on-api'], [], [], ['rule-challenge-on-api'], [], ['rule-challenge-on-api'], []])
})

test('what cannot be decided within the effort is refused, in bounded steps', () => {
  // A pigeonhole problem: every part would have to be tried with every other.
  const holes = 7
  const at = (pigeon: number, hole: number) => `http.query.p${pigeon}h${hole} exists`
  const some = Array.from(
    { length: holes + 1 },
    (_, pigeon) => `(${Array.from({ length: holes }, (_, hole) => at(pigeon, hole)).join(' or ')})`,
  )
  const text = `http.path eq "/a" and ${some.join(' and ')}`
  expect(termsCount(text)).toBeLessThanOrEqual(64)
  expect(refused('block', text)).toEqual([])
  const tiny = withinEffort(() => new Question(treeOf(text), new Effort(50)).some())
  expect(tiny).toBe(null)
  const many = Array.from({ length: 60 }, (_, index) => `http.path contains "${'abcdef'[index % 6]}${index}"`)
  expect(refused('block', many.join(' or '))).toEqual([])
  expect(refused('block', `not (${many.slice(0, 24).join(' and ')})`)).toEqual(['rule-too-complex'])
  expect(matchesNothing(treeOf(many.slice(0, 24).join(' and ')))).toBe(null)
})

const termsCount = (text: string): number => text.split(/ and | or /).length

test('what some request does, the decision knows: it never says that none does, or all do', () => {
  fc.assert(
    fc.property(trees, fc.array(wholeRequests, { minLength: 20, maxLength: 20 }), (tree, requests) => {
      const question = new Question(tree, effort())
      const [some, someNot] = [question.some(true), question.some(false)]
      for (const request of requests) {
        if (evaluate(tree, request, 'every') === true) expect(some).toBe(true)
        else expect(someNot).toBe(true)
      }
      expect(some || someNot).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('an expression and its opposite are decided alike, also twice denied and split', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const some = (it: typeof tree, outcome = true) => new Question(it, effort()).some(outcome)
      expect(some({ not: tree })).toBe(some(tree, false))
      expect(some({ not: { not: tree } })).toBe(some(tree))
      expect(some({ or: [tree, { not: tree }] }, false)).toBe(false)
      expect(some({ and: [tree, { not: tree }] })).toBe(false)
      expect(
        refusalsOf(
          { action: 'log', expression: { not: { and: [tree, { not: tree }] } }, groups: [] },
          { groupsInUse: all, basePaths: [] },
        ).map(({ code }) => code),
      ).toContain('rule-matches-all')
    }),
    { numRuns: 200 },
  )
})
