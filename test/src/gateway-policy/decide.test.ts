/** Questions about all requests, compared with asking every request of a small world. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Question, withinEffort } from '../../../src/gateway-policy/decide.ts'
import { Effort } from '../../../src/gateway-policy/effort.ts'
import { evaluate, type RequestRecord } from '../../../src/gateway-policy/evaluate.ts'
import { readExpression, termsOf, type Expression } from '../../../src/gateway-policy/expression.ts'
import type { Family } from '../../../src/gateway-policy/network.ts'
import { rangeOf } from '../../../src/gateway-policy/network.ts'
import { parseExpression } from '../../../src/gateway-policy/text.ts'

const treeOf = (text: string): Expression => {
  const { tree, problem } = parseExpression(text)
  if (tree === null) throw new Error(JSON.stringify(problem))
  return tree
}
const ask = (tree: Expression): Question => new Question(tree, new Effort(2_000_000))

/** Every choice of some of the values, the empty one too. */
const subsets = (values: readonly string[]): string[][] =>
  values.reduce<string[][]>((known, one) => [...known, ...known.map((it) => [...it, one])], [[]])
const texts = ['a', 'ab', 'aab', 'ac', 'ad', 'b', 'db', 'c', 'd']

/** What requests can have for each field, as far as the conditions of `conditions` can tell requests apart. */
const world: Readonly<Record<string, readonly RequestRecord[]>> = {
  'ip.src': ['10.0.0.1', '10.1.0.1', '1.1.1.1', '200.1.1.1', '2001:db8::1', '1::', 'f000::'].map((ip) => ({ ip })),
  'http.method': ['GET', 'POST', 'PUT'].map((method) => ({ method })),
  'geo.country': [null, 'DE', 'FR', 'US'].map((country) => ({ country })),
  'http.body.size': [0, 1, 2, 3, 4].map((bodySize) => ({ bodySize })),
  'http.path': ['', ...texts].map((it) => ({ path: `/${it}` })),
  'http.route': [null, '/', '/a', '/ab', '/ac', '/b'].map((route) => ({ route })),
  'http.host': texts.map((host) => ({ host })),
  'http.query.q': subsets(['a', 'ab', 'ac', 'b', 'd']).map((q) => ({ query: { q } })),
}
const fields = Object.keys(world)

const conditionsOf = (field: string, ops: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(ops).flatMap(([op, values]) => values.map((value) => ({ field, op, value })))
const shape = { ends: ['b'], matches: ['b$|c$'] }
const conditions = [
  ...conditionsOf('ip.src', { cidr: [['10.0.0.0/8'], ['10.1.0.0/16', '2001:db8::/32'], ['0.0.0.0/1'], ['::/1']] }),
  ...conditionsOf('http.method', { in: [['GET'], ['GET', 'POST']] }),
  ...conditionsOf('geo.country', { in: [['DE'], ['FR', 'DE']] }),
  ...conditionsOf('http.body.size', { eq: [1, 2], lt: [1, 2], gt: [1, 2] }),
  ...conditionsOf('http.path', { eq: ['/a', '/b'], in: [['/b', '/ab']], starts: ['/a'], ...shape }),
  ...conditionsOf('http.route', { eq: ['/a', '/b'], in: [['/b', '/ab']], starts: ['/a'], exists: [undefined] }),
  ...conditionsOf('http.host', { eq: ['a', 'b'], in: [['b', 'ab']], starts: ['a'], ...shape }),
  ...conditionsOf('http.query.q', { eq: ['a', 'ab'], in: [['a', 'b']], starts: ['a'], exists: [undefined] }),
]

const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...conditions),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    tie('node').map((not) => ({ not })),
  ),
}))
const fieldsIn = (tree: Expression): string[] => [...new Set(termsOf(tree).map((it) => it.field))]
/** Trees over few fields, so that every request that differs in them can be asked. */
const smallTrees = node
  .filter((it) => JSON.stringify(it).split('"field"').length <= 9)
  .map(readExpression)
  .filter((it) => fieldsIn(it).reduce((count, name) => count * (world[name] ?? []).length, 1) <= 500)

const treesWithAddresses = smallTrees.filter((it) => fieldsIn(it).includes('ip.src'))

/** All requests that differ in these fields. */
const requestsOf = (names: readonly string[]): RequestRecord[] =>
  names.reduce<RequestRecord[]>(
    (known, name) => known.flatMap((one) => (world[name] ?? []).map((it) => ({ ...one, ...it }))),
    [{}],
  )
const meets = (tree: Expression, request: RequestRecord): boolean => {
  const found = evaluate(tree, request, 'every')
  if (found === 'unknown') throw new Error('the request says everything that is asked for')
  return found
}
const familyOf = (ip: string): Family => (ip.includes(':') ? 6 : 4)

test('whether some request meets an expression, and some does not', () => {
  fc.assert(
    fc.property(smallTrees, (tree) => {
      const outcomes = requestsOf(fieldsIn(tree)).map((it) => meets(tree, it))
      expect([ask(tree).some(), ask(tree).some(false)]).toEqual([outcomes.includes(true), outcomes.includes(false)])
    }),
    { numRuns: 500 },
  )
})

test('whether parts of a request can be chosen so that every request that has them meets an expression', () => {
  fc.assert(
    fc.property(smallTrees, fc.subarray(fields), (tree, free) => {
      const names = fieldsIn(tree)
      const others = requestsOf(names.filter((it) => !free.includes(it)))
      const expected = requestsOf(names.filter((it) => free.includes(it))).some((chosen) =>
        others.every((other) => meets(tree, { ...chosen, ...other })),
      )
      expect(ask(tree).everyFor(({ id }) => free.includes(id))).toBe(expected)
    }),
    { numRuns: 1500 },
  )
})

test('which addresses requests can come from that meet an expression, and whether it depends on them', () => {
  fc.assert(
    fc.property(treesWithAddresses, (tree) => {
      const others = requestsOf(fieldsIn(tree).filter((it) => it !== 'ip.src'))
      const addresses = requestsOf(['ip.src']).map(({ ip = '' }) => ip)
      const question = ask(tree)
      for (const family of [4, 6] as const)
        expect(question.addressesOf(family).filter((it) => it.family !== family)).toEqual([])
      const isIn = (ip: string): boolean => {
        const { family, from } = rangeOf(ip)
        return question.addressesOf(family).some((it) => it.family === family && it.from <= from && from <= it.to)
      }
      expect(addresses.filter(isIn)).toEqual(
        addresses.filter((ip) => others.some((other) => meets(tree, { ...other, ip }))),
      )
      for (const family of [4, 6] as const) {
        const mine = addresses.filter((ip) => familyOf(ip) === family)
        const expected = others.some((other) => new Set(mine.map((ip) => meets(tree, { ...other, ip }))).size > 1)
        expect([family, question.dependsOnAddress(family)]).toEqual([family, expected])
      }
    }),
    { numRuns: 500 },
  )
})

test('the last address of a family is an address of its own', () => {
  const last = ask(treeOf('ip.src cidr "255.255.255.255"'))
  const end = 2n ** 32n - 1n
  expect(last.addressesOf(4)).toEqual([{ family: 4, from: end, to: end }])
  expect([last.addressesOf(6), last.dependsOnAddress(4), last.dependsOnAddress(6)]).toEqual([[], true, false])
})

test('a field that is not known is an error, and so is what fails in a question', () => {
  expect(() => ask({ field: 'http.nothing', op: 'eq', value: 'a' })).toThrow(RangeError)
  const failing = () => {
    throw new TypeError('broken')
  }
  expect(() => withinEffort(failing)).toThrow(TypeError)
})
