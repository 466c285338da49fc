/** Expressions: the tree, the text form, and their evaluation. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { evaluate, type RequestRecord, type Truth } from '../../../src/gateway-policy/evaluate.ts'
import {
  InvalidExpression,
  isTerm,
  readExpression,
  termsOf,
  type Expression,
  type Term,
} from '../../../src/gateway-policy/expression.ts'
import { rangeOf } from '../../../src/gateway-policy/network.ts'
import { parseExpression, printExpression } from '../../../src/gateway-policy/text.ts'
import { givenTrees, trees, wholeRequests } from './arbitrary.ts'

const parse = (text: string): Expression => {
  const { tree, problem } = parseExpression(text)
  if (tree === null) throw new Error(JSON.stringify(problem))
  return tree
}
const problemOf = (text: string) => parseExpression(text).problem

test('reading what was printed gives the same tree', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      expect(parse(printExpression(tree))).toEqual(tree)
    }),
    { numRuns: 500 },
  )
})

test('reading a tree again changes nothing', () => {
  fc.assert(
    fc.property(givenTrees, (given) => expect(readExpression(readExpression(given))).toEqual(readExpression(given))),
  )
})

/** The same meaning, written without any of the code under test: sets of values and plain comparisons. */
function oracle(expression: Expression, request: Required<RequestRecord>): boolean {
  if (!isTerm(expression)) {
    if ('not' in expression) return !oracle(expression.not, request)
    if ('and' in expression) return expression.and.filter((one) => !oracle(one, request)).length === 0
    return expression.or.filter((one) => oracle(one, request)).length > 0
  }
  const value = expression.value
  const sent: Record<string, readonly (string | number)[]> = {
    'ip.src': [request.ip],
    'http.method': [request.method],
    'http.host': [request.host],
    'http.path': [decodeURIComponent(request.path)],
    'http.route': request.route === null ? [] : [request.route],
    'http.body.size': [request.bodySize],
    'geo.country': request.country === null ? [] : [request.country],
  }
  const [, kind, name = ''] = /^http\.(query|header|cookie)\.(.*)$/s.exec(expression.field) ?? []
  const named = { query: request.query, header: request.headers, cookie: request.cookies }[kind ?? ''] ?? {}
  const values = sent[expression.field] ?? named[name] ?? []
  const isInside = (ip: string) =>
    (value as string[]).map(rangeOf).some((net) => {
      const { family, from } = rangeOf(ip)
      return family === net.family && net.from <= from && from <= net.to
    })
  return values.some((one) => {
    if (expression.op === 'exists') return true
    if (expression.op === 'cidr') return isInside(String(one))
    if (expression.op === 'in') return (value as (string | number)[]).includes(one)
    if (expression.op === 'eq') return one === value
    if (expression.op === 'lt') return Number(one) < Number(value)
    if (expression.op === 'gt') return Number(one) > Number(value)
    const source = String(value).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    const pattern = { contains: source, starts: `^${source}`, ends: `${source}$`, matches: String(value) }[
      expression.op
    ]
    return new RegExp(pattern, 'u').test(String(one))
  })
}

const leans = fc.constantFrom('some', 'every')

test('tree, text and a naive evaluation agree about whole requests', () => {
  fc.assert(
    fc.property(trees, wholeRequests, leans, (tree, request, lean) => {
      const expected = oracle(tree, request)
      expect(evaluate(tree, request, lean)).toBe(expected)
      expect(evaluate(parse(printExpression(tree)), request, lean)).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

test('with parts missing the outcome is the same or unknown, never another', () => {
  const parts = ['ip', 'method', 'host', 'path', 'route', 'query', 'headers', 'cookies', 'bodySize', 'country'] as const
  fc.assert(
    fc.property(trees, wholeRequests, fc.subarray([...parts]), leans, (tree, request, missing, lean) => {
      const rest: RequestRecord = Object.fromEntries(
        Object.entries(request).filter(([key]) => !missing.some((it) => it === key)),
      )
      const found = evaluate(tree, rest, lean)
      if (found !== 'unknown') expect(found).toBe(oracle(tree, request))
      if (missing.length === parts.length) expect(found).toBe('unknown')
    }),
    { numRuns: 500 },
  )
})

test('a network that was recorded instead of an address is unknown where only a part of it is inside', () => {
  const inside = (cidr: string, ip: string): Truth => evaluate(parse(`ip.src cidr "${cidr}"`), { ip }, 'some')
  expect([
    inside('203.0.113.0/24', '203.0.113.0/24'),
    inside('203.0.0.0/16', '203.0.113.0/24'),
    inside('203.0.113.128/25', '203.0.113.0/24'),
    inside('198.51.100.0/24', '203.0.113.0/24'),
    inside('2001:db8::/32', '2001:db8:1::/48'),
    inside('::ffff:10.0.0.0', '10.0.0.0'),
    inside('10.0.0.0/8', 'not an address'),
  ]).toEqual([true, true, 'unknown', false, true, true, 'unknown'])
})

test('texts are written in one form', () => {
  const printed = (text: string) => printExpression(parse(text))
  expect(
    [
      'http.method eq "get"',
      'ip.src eq "10.0.0.1"',
      'ip.src in ["10.0.0.1", "::1"]',
      'http.header.User-Agent contains "Curl"',
      'http.host eq "API.example.com"',
      'geo.country in ["de"]',
      'http.query["filter[name]"] exists',
      'http.query["a b"] eq ""',
      '(http.path eq "/a" or http.path eq "/b") and not http.method eq "GET"',
      'http.path eq "/a" or http.path eq "/b" and http.method eq "GET"',
      'not not http.route exists',
      '((http.body.size gt 10))',
      '\n http.path\r\n\t eq "/\\u00e9\\""',
    ].map(printed),
  ).toEqual([
    'http.method eq "GET"',
    'ip.src cidr ["10.0.0.1/32"]',
    'ip.src cidr ["10.0.0.1/32", "::1/128"]',
    'http.header.user-agent contains "Curl"',
    'http.host eq "api.example.com"',
    'geo.country in ["DE"]',
    'http.query["filter[name]"] exists',
    'http.query["a b"] eq ""',
    '(http.path eq "/a" or http.path eq "/b") and not http.method eq "GET"',
    'http.path eq "/a" or (http.path eq "/b" and http.method eq "GET")',
    'not not http.route exists',
    'http.body.size gt 10',
    'http.path eq "/é\\""',
  ])
})

test('a text that cannot be read is refused with its place and what to write', () => {
  const cases: readonly [string, number, number, string][] = [
    ['', 1, 1, 'the expression is empty'],
    ['http.path == "/a"', 1, 11, 'write eq in place of =='],
    ['http.path eq "/a" && http.method eq "GET"', 1, 19, 'write and in place of &&'],
    ['http.path eq "/a" an http.method eq "GET"', 1, 19, '"and" is missing: found an'],
    ['http.pth eq "/a"', 1, 1, 'did you mean http.path?'],
    ['http.header eq "a"', 1, 1, 'http.header.NAME'],
    ['http.path\n  is "/a"', 2, 3, 'a comparison (eq, in'],
    ['http.path start "/a"', 1, 11, '"starts" is missing'],
    ['http.path eq /a', 1, 14, '"/" cannot be read'],
    ['http.path eq a', 1, 14, 'texts are in double quotes: "a"'],
    ["http.path eq 'a'", 1, 14, 'texts are in double quotes'],
    ['http.path eq "a', 1, 14, 'no closing quote'],
    ['http.path eq "a\\d"', 1, 14, 'a backslash in a text is written twice'],
    ['(http.path eq "/a"', 1, 19, '")" is missing: the expression ends'],
    ['http.path eq "/a")', 1, 18, 'this parenthesis closes nothing'],
    ['http.path in []', 1, 14, 'a list with at least one value'],
    ['http.path in ["a" "b"]', 1, 19, '"," or "]" is missing'],
    ['http.path exists', 1, 11, 'http.path can be compared with'],
    ['http.body.size gt "10"', 1, 19, 'a whole number of bytes'],
    ['http.body.size gt 1e3', 1, 19, 'write numbers as digits'],
    ['http.method eq "G ET"', 1, 16, 'not a method of HTTP'],
    ['geo.country eq "Germany"', 1, 16, 'not a country code'],
    ['ip.src cidr ["10.0.0.0/8", "10.0.0.1/8"]', 1, 13, 'the network is 10.0.0.0/8'],
    ['ip.src cidr "10.0.0.0/33"', 1, 13, 'is not an address or network'],
    ['http.path contains ""', 1, 20, 'every value contains an empty text'],
    ['http.header["a b"] exists', 1, 1, 'cannot be the name of a header'],
    ['and http.path eq "/a"', 1, 1, 'a condition is missing'],
    ['http.path eq "/a" and', 1, 22, 'a field such as http.path is missing'],
  ]
  for (const [text, line, column, reason] of cases)
    expect([text, problemOf(text)]).toEqual([
      text,
      { code: 'rule-expression-invalid', line, column, reason: expect.stringContaining(reason) as string },
    ])
})

test('limits are exact and named', () => {
  const joined = (count: number) => Array.from({ length: count }, (_, index) => `http.path eq "/${index}"`).join(' or ')
  expect(termsOf(parse(joined(64)))).toHaveLength(64)
  expect(problemOf(joined(65))?.code).toBe('rule-too-complex')
  const nested = (count: number) => `${'not '.repeat(count)}http.path eq "/a"`
  expect(parse(nested(31))).toBeDefined()
  expect(problemOf(nested(32))?.code).toBe('rule-too-complex')
  const long = (length: number) => `http.path eq "${'a'.repeat(length - 15)}"`
  expect([long(4096).length, problemOf(long(4096)), problemOf(long(4097))?.code]).toEqual([
    4096,
    null,
    'rule-expression-too-long',
  ])
  expect(problemOf(`${'('.repeat(2000)}http.path eq "/a"`)?.code).toBe('rule-too-complex')
  const list = (count: number) => `http.path in [${Array.from({ length: count }, (_, it) => `"${it}"`).join()}]`
  expect([problemOf(list(256)), problemOf(list(257))?.code]).toEqual([null, 'rule-too-complex'])
})

test('trees of clients are refused with the pointer of the problem', () => {
  const refused = (given: unknown) => {
    try {
      return readExpression(given)
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error
      return [error.problem.pointer, error.problem.code]
    }
  }
  const term = { field: 'http.path', op: 'eq', value: '/a' }
  const invalid = 'rule-expression-invalid'
  expect([
    refused(null),
    refused({ and: [] }),
    refused({ and: [term], or: [term] }),
    refused({ and: [term, { ...term, more: 1 }] }),
    refused({ not: { ...term, field: 7 } }),
    refused({ or: [{ ...term, op: 'cidr' }, term] }),
    refused({ or: [term, { ...term, value: undefined }] }),
    refused({ field: 'http.query.a', op: 'exists', value: true }),
    refused({ field: 'http.path', op: 'in', value: ['/a', 7] }),
    refused({ and: Array.from({ length: 65 }, () => term) }),
    refused({ and: [{ or: Array.from({ length: 40 }, () => term) }, { or: Array.from({ length: 40 }, () => term) }] }),
    refused({ field: 'http.path', op: 'eq', value: 'a\nb' }),
  ]).toEqual([
    ['', invalid],
    ['/and', invalid],
    ['/and', invalid],
    ['/and/1/more', invalid],
    ['/not/field', invalid],
    ['/or/0/op', invalid],
    ['/or/1/value', invalid],
    ['/value', invalid],
    ['/value/1', invalid],
    ['', 'rule-too-complex'],
    ['/and/1/or/24', 'rule-too-complex'],
    ['/value', invalid],
  ])
  expect(refused({ and: [term] })).toEqual(term as Term)
})
