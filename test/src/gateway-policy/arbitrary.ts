/** Expressions and requests as fast-check makes them. */
import fc from 'fast-check'
import { readExpression, type Expression, type Term } from '../../../src/gateway-policy/expression.ts'
import type { RequestRecord } from '../../../src/gateway-policy/evaluate.ts'
import { sentPaths } from './servers.ts'

const words = fc.constantFrom('a', 'b', 'ab', '/a', '/a/b', 'A"\\', 'é', '*')
const names = fc.constantFrom('q', 'x-y', 'filter[a]', 'accept', 'Ä b')
const headers = fc.constantFrom('accept', 'X-Mode', 'user-agent')
const networks = fc.constantFrom(
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.3',
  '203.0.113.0/24',
  '0.0.0.0/1',
  '2001:db8::/32',
  '::1',
)

const textTerm = (field: string) =>
  fc.oneof(
    fc.record({ field: fc.constant(field), op: fc.constantFrom('eq', 'contains', 'starts', 'ends'), value: words }),
    fc.record({
      field: fc.constant(field),
      op: fc.constant('in'),
      value: fc.array(words, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      field: fc.constant(field),
      op: fc.constant('matches'),
      value: fc.constantFrom('^/a', 'b$', '[a-z]', '.*', '^.?$'),
    }),
  )

const anyTerm = fc.oneof(
  textTerm('http.path'),
  textTerm('http.host'),
  names.chain((name) => textTerm(`http.query.${name}`)),
  headers.chain((name) => textTerm(`http.header.${name}`)),
  names.map((name) => ({ field: `http.query.${name}`, op: 'exists' })),
  fc.constant({ field: 'http.route', op: 'exists' }),
  fc.record({
    field: fc.constant('ip.src'),
    op: fc.constant('cidr'),
    value: fc.array(networks, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ field: fc.constant('ip.src'), op: fc.constant('eq'), value: networks }),
  fc.record({
    field: fc.constant('http.method'),
    op: fc.constant('in'),
    value: fc.array(fc.constantFrom('GET', 'post', 'PUT'), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constant('http.body.size'),
    op: fc.constantFrom('eq', 'lt', 'gt'),
    value: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({
    field: fc.constant('geo.country'),
    op: fc.constant('in'),
    value: fc.array(fc.constantFrom('DE', 'fr'), { minLength: 1, maxLength: 2 }),
  }),
)

const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyTerm,
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    tie('node').map((not) => ({ not })),
  ),
}))

/** Trees of at most some conditions, as clients send them. */
export const givenTrees = node.filter((it) => JSON.stringify(it).split('"field"').length <= 12)
export const trees: fc.Arbitrary<Expression> = givenTrees.map(readExpression)
export const terms: fc.Arbitrary<Term> = anyTerm.map((it) => readExpression(it) as Term)

/** Expressions over nothing but the path. */
export const pathTrees: fc.Arbitrary<Expression> = fc
  .tuple(fc.array(textTerm('http.path'), { minLength: 1, maxLength: 3 }), fc.constantFrom('and', 'or'), fc.boolean())
  .map(([list, joint, isNegated]) => readExpression(isNegated ? { not: { [joint]: list } } : { [joint]: list }))

const values = fc.dictionary(names, fc.array(words, { minLength: 1, maxLength: 2 }), { maxKeys: 3 })
/** Paths that every server reads alike. */
const plainPaths = fc
  .constantFrom('a', 'b', 'ab', 'a/b', 'A"', 'é', '*', 'a+b', 'b:a', '')
  .map((it) => `/${encodeURIComponent(it).replaceAll('%2F', '/')}`)

/** Requests of which everything was recorded. */
export const wholeRequests: fc.Arbitrary<Required<RequestRecord>> = fc.record({
  ip: fc.constantFrom('10.1.2.3', '10.200.0.1', '203.0.113.9', '198.51.100.1', '2001:db8::5', '::1', '2a00::1'),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  host: words.map((it) => it.toLowerCase()),
  path: plainPaths,
  route: fc.constantFrom(null, '/a', '/a/{b}'),
  query: values,
  headers: fc.dictionary(
    headers.map((it) => it.toLowerCase()),
    fc.array(words, { minLength: 1, maxLength: 2 }),
  ),
  cookies: values,
  bodySize: fc.integer({ min: 0, max: 4 }),
  country: fc.constantFrom(null, 'DE', 'FR', 'US'),
})
/** Requests whose paths servers may read in several ways. */
export const oddRequests: fc.Arbitrary<Required<RequestRecord>> = fc
  .tuple(wholeRequests, sentPaths)
  .map(([request, path]) => ({ ...request, path }))
