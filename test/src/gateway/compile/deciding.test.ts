/** What the compiler decides of expressions: conditions, chains and templates. */
import { describe, expect, test } from 'bun:test'
import type { Expression } from '../../../../src/gateway-policy/expression.ts'
import { nodeOf, NotExpressible, type Needs } from '../../../../src/gateway/compile/condition.ts'
import { Decider } from '../../../../src/gateway/compile/logic.ts'
import type { Condition, Node } from '../../../../src/gateway/compile/node.ts'
import { chain, Ids, longestLine, OutOfIds } from '../../../../src/gateway/compile/seclang.ts'
import { setup } from '../../../../src/gateway/compile/setup.ts'
import { inOrder, Templates } from '../../../../src/gateway/compile/template.ts'
import { dialectOf, type DialectName } from '../../../../src/gateway/dialects/index.ts'
import { policyOf } from '../../gateway-policy/policy.ts'
import { documentOf, noDocument } from './compiling.ts'

const coraza = dialectOf('coraza')

const decided = (expression: unknown, name: DialectName = 'coraza', templates = noDocument) => {
  const needs: Needs = { host: false, bodySize: false, deviations: new Set() }
  const ids = new Ids('rules')
  const decider = new Decider(ids, { name: 'f', next: 1 })
  try {
    const links = decider.decide(nodeOf(expression as Expression, dialectOf(name), templates, needs, 'some'))
    const written = links.map(({ target, operator }) => `${target} ${operator}`)
    return { written, text: decider.text, deviations: [...needs.deviations], host: needs.host, size: needs.bodySize }
  } catch (error) {
    if (error instanceof NotExpressible) return { refused: error.message }
    throw error
  }
}
const linesOf = (expression: unknown, name?: DialectName) => {
  const found = decided(expression, name)
  return 'refused' in found ? [found.refused] : [...(found.text === '' ? [] : [found.text.trim()]), ...found.written]
}

describe('a condition', () => {
  const header = (op: string, value: unknown) => ({ field: 'http.header.x', op, value })

  test('compares texts in six ways', () => {
    expect(
      [
        header('eq', 'a'),
        header('in', ['a', 'b']),
        header('starts', 'a'),
        header('ends', 'a'),
        header('contains', 'a.'),
        header('matches', '^a$'),
        header('matches', 'a|b'),
      ].flatMap((it) => linesOf(it)),
    ).toEqual(
      ['\\Aa\\z', '\\A(?:a|b)\\z', '\\Aa', 'a\\z', 'a\\x2e', '\\Aa\\z', 'a|b'].map(
        (it) => `REQUEST_HEADERS:x @rx ${it}`,
      ),
    )
    expect(linesOf(header('matches', '(a+)+'))).toEqual([
      'The pattern cannot be used: a repetition in it contains a choice or another repetition, which some engines try in exponential time.',
    ])
    expect(linesOf(header('matches', '\\uD83D'))[0]).toStartWith('Its pattern has what RE2 does not')
    expect(linesOf({ field: 'http.path', op: 'cidr', value: ['10.0.0.0/8'] })).toEqual([
      'http.path is not compared so.',
    ])
  })

  test('says where a pattern or a name may meet more than it says', () => {
    const deviations = (expression: unknown, name?: DialectName) => {
      const found = decided(expression, name)
      return 'refused' in found ? found.refused : found.deviations
    }
    const names = ['Names of query parameters and cookies are compared without regard to case.']
    expect([
      deviations(header('matches', '[^a]'), 'coraza'),
      deviations(header('matches', '[^a]'), 'modsecurity'),
      deviations(header('matches', 'a'), 'modsecurity'),
    ]).toEqual([[], ['The pattern does not tell characters beyond ASCII apart, so that it may match more.'], []])
    expect(
      ['http.query.q', 'http.query.1', 'http.cookie.q', 'http.header.q'].map((field) =>
        deviations({ field, op: 'eq', value: 'a' }),
      ),
    ).toEqual([names, [], names, []])
  })

  test('is turned round where its target is there once, and remembered where it may be there several times', () => {
    const not = (expression: unknown) => linesOf({ not: expression })
    expect(not({ field: 'http.method', op: 'eq', value: 'GET' })).toEqual(['REQUEST_METHOD !@rx (?i)\\AGET\\z'])
    expect(not({ field: 'http.query.q', op: 'exists' })).toEqual(['&ARGS_GET:q @eq 0'])
    expect(linesOf({ field: 'http.query.q', op: 'exists' })).toEqual(['&ARGS_GET:q @gt 0'])
    expect(not(header('eq', 'a'))).toEqual([
      'SecRule REQUEST_HEADERS:x "@rx \\Aa\\z" "id:20000,phase:1,t:none,pass,nolog,setvar:tx.f1=1"',
      '&TX:f1 @eq 0',
    ])
  })

  test('on a host or a size says what it needs', () => {
    expect(decided({ field: 'http.host', op: 'eq', value: 'a' })).toMatchObject({ host: true, size: false })
    const size = { written: ['TX:svc_body_size @gt 3'], host: false, size: true }
    expect(decided({ field: 'http.body.size', op: 'gt', value: 3 })).toMatchObject(size)
    expect(decided({ field: 'http.body.size', op: 'in', value: [1, 2] })).toMatchObject({ written: ['TX:f1 @eq 1'] })
    const refused = { refused: 'The size is not compared with a number.' }
    expect([
      decided({ field: 'http.body.size', op: 'eq', value: 'a' }),
      decided({ field: 'http.body.size', op: 'in', value: [1, 'a'] }),
    ]).toEqual([refused, refused])
  })

  test('on templates needs a document that has them', () => {
    const route = (op: string, value: unknown, templates: Templates) => {
      const found = decided({ field: 'http.route', op, value }, 'coraza', templates)
      return 'refused' in found ? found.refused : found.deviations
    }
    const unknown = 'No document is given, so the templates of its operations are not known.'
    const concrete = ['No document is given: a path that belongs to a more concrete template meets it too.']
    expect([
      route('exists', undefined, noDocument),
      route('starts', '/a', noDocument),
      route('eq', '/a', noDocument),
      route('in', ['/a', '/b'], noDocument),
    ]).toEqual([unknown, unknown, concrete, concrete])
    const document = documentOf('/a', '/b/{x}')
    const none = 'No operation of the document has such a template.'
    expect([
      route('exists', undefined, document),
      route('starts', '/b', document),
      route('starts', '/c', document),
      route('exists', undefined, documentOf()),
      route('eq', '/a', document),
      route('eq', '/c', document),
      route('in', ['/a', '/c', '/d'], document),
    ]).toEqual([
      [],
      [],
      none,
      none,
      [],
      ['The document has no operation with the template /c.'],
      ['The document has no operation with the template /c, /d.'],
    ])
  })
})

describe('an expression', () => {
  const condition = (n: number, change: Partial<Condition> = {}): Node => ({
    condition: { target: `T${n}`, operator: '@eq 1', isSingle: false, opposite: null, ...change },
  })
  const anyOf = (count: number): Node => ({ or: Array.from({ length: count }, (_, n) => condition(n)) })
  const rulesOf = (node: Node) => {
    const decider = new Decider(new Ids('rules'), { name: 'f', next: 1 })
    const links = decider.decide(node)
    const flags = [...decider.text.matchAll(/setvar:tx\.(f\d+)=1/g)].map(([, name]) => name)
    return {
      links: links.map(({ target }) => target),
      rules: Object.entries(Object.groupBy(flags, (it) => it ?? '')).map(([name, list]) => `${name} ${list?.length}`),
    }
  }

  test('of alternatives is multiplied out up to sixteen, and remembered beyond', () => {
    const both = (a: number, b: number) => rulesOf({ and: [anyOf(a), anyOf(b)] })
    expect([both(1, 1), both(4, 4), both(1, 16)]).toEqual([
      { links: ['T0', 'T0'], rules: [] },
      { links: ['TX:f1'], rules: ['f1 16'] },
      { links: ['TX:f1'], rules: ['f1 16'] },
    ])
    // The larger side is remembered, of equal ones the first.
    expect([both(3, 6), both(6, 3), both(17, 16), both(17, 17), both(17, 1)]).toEqual([
      { links: ['TX:f2'], rules: ['f1 6', 'f2 3'] },
      { links: ['TX:f2'], rules: ['f1 6', 'f2 3'] },
      { links: ['TX:f2'], rules: ['f1 17', 'f2 16'] },
      { links: ['TX:f1', 'TX:f2'], rules: ['f1 17', 'f2 17'] },
      { links: ['TX:f1', 'T0'], rules: ['f1 17'] },
    ])
    const five = (from: number): Node => ({ or: Array.from({ length: 5 }, (_, n) => condition(from + n)) })
    const decider = new Decider(new Ids('rules'), { name: 'f', next: 1 })
    decider.decide({ and: [five(10), five(20)] })
    expect(decider.text.split('\n').slice(0, 5).join(' ').match(/T\d+/g)).toEqual(['T10', 'T11', 'T12', 'T13', 'T14'])
  })

  test('is turned round only where the target is there once and has an opposite', () => {
    const opposite = { target: 'T0', operator: '!@eq 1' }
    expect(
      [
        condition(0, { isSingle: true, opposite }),
        condition(0, { isSingle: true, opposite: null }),
        condition(0, { isSingle: false, opposite }),
      ].map((not) => rulesOf({ not }).links),
    ).toEqual([['T0'], ['&TX:f1'], ['&TX:f1']])
  })
})

describe('lines and numbers', () => {
  test('no line is longer than engines read', () => {
    const of = (length: number) => {
      const line = (value: string) => chain({ id: 1, links: [], actions: [value] })
      return line('a'.repeat(length - line('').trimEnd().length))
    }
    expect(of(longestLine).trimEnd()).toHaveLength(longestLine)
    expect(() => of(longestLine + 1)).toThrow(RangeError)
  })

  test('every number of a range is used, and none beyond', () => {
    const ids = new Ids('setup')
    expect([ids.take(), ...Array.from({ length: 999 }, () => ids.take())].at(-1)).toBe(10_999)
    expect(() => ids.take()).toThrow(OutOfIds)
    ids.back(10_999)
    expect(ids.take()).toBe(10_999)
  })

  test('the threshold of responses is one less than that of requests, and at least one', () => {
    const outbound = (threshold: number | null) =>
      /outbound_anomaly_score_threshold=(\d+)/.exec(
        setup(policyOf({ presets: { ...policyOf().presets, threshold } }), coraza, null),
      )?.[1]
    expect([outbound(null), outbound(7), outbound(2), outbound(1)]).toEqual(['4', '6', '1', '1'])
  })
})

describe('templates', () => {
  test('what is written out comes before variables, and equal templates stay in their order', () => {
    const routes = ['/{x}', '/a', '/b/{y}', '/b/c', '/a'].map((route, at) => ({ method: `M${at}`, route, pattern: '' }))
    expect(inOrder(routes).map(({ method, route }) => `${method} ${route}`)).toEqual([
      'M1 /a',
      'M4 /a',
      'M3 /b/c',
      'M2 /b/{y}',
      'M0 /{x}',
    ])
  })

  const asSent = (templates: Templates, ...chosen: string[]) => {
    const node = templates.node(chosen, 'every')
    const targets: string[] = []
    const visit = (it: Node): void => {
      if ('condition' in it) targets.push(it.condition.operator)
      else if ('not' in it) visit(it.not)
      else for (const part of 'and' in it ? it.and : it.or) visit(part)
    }
    visit(node)
    return targets.filter((it) => it.includes('@rx'))
  }

  test('a path belongs to a template only where it belongs to none before it that may have it', () => {
    const document = documentOf('/a/b', '/c/d', '/a/{x}', '/{y}/{z}')
    expect(asSent(document, '/a/b')).toEqual(['@rx /a/b'])
    expect(asSent(document, '/a/{x}')).toEqual(['@rx /a/[^/]+', '!@rx /a/b'])
    expect(asSent(document, '/{y}/{z}')).toEqual(['@rx /[^/]+/[^/]+', '!@rx /a/b|/c/d|/a/[^/]+'])
    expect(asSent(document, '/a/{x}', '/a/b')).toEqual(['@rx /a/[^/]+|/a/b'])
    // Of a template that the document does not have: only what is written out in it is another one.
    const unknown = asSent(document, '/a/{n}')
    expect(unknown.slice(1)).toEqual(['!@rx /a/b'])
  })

  test('without a document templates are below the paths of the API', () => {
    const [plain = ''] = asSent(new Templates(null, []), '/a')
    const [based = ''] = asSent(new Templates(null, ['/v1']), '/a')
    const matches = (operator: string, path: string) =>
      new RegExp(operator.replace('@rx ', '').replaceAll('\\A', '^').replaceAll('\\z', '$')).test(path)
    expect([matches(plain, '/a'), matches(plain, '/v1/a'), matches(based, '/a'), matches(based, '/v1/a')]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('several patterns are one as long as it fits a line', () => {
    const of = (a: number, b: number) =>
      asSent(
        new Templates(
          [
            { method: 'GET', route: '/a', pattern: 'a'.repeat(a) },
            { method: 'GET', route: '/b', pattern: 'b'.repeat(b) },
          ],
          [],
        ),
        '/a',
        '/b',
      ).length
    expect([of(7000, longestLine / 4 - 7001), of(7000, longestLine / 4 - 7000)]).toEqual([1, 2])
  })
})
