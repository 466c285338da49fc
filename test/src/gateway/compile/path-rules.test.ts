/** Conditions on paths in the engine: what was compiled does what the rule means, also with paths that servers read in several ways. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { evaluate } from '../../../../src/gateway-policy/evaluate.ts'
import type { Expression } from '../../../../src/gateway-policy/expression.ts'
import { leanOf } from '../../../../src/gateway-policy/path-reading.ts'
import { judge, readRules } from '../../../fixtures/gateway/seclang.ts'
import { pathTrees } from '../../gateway-policy/arbitrary.ts'
import { exceptionOf, policyOf, ruleOf } from '../../gateway-policy/policy.ts'
import { sentPaths } from '../../gateway-policy/servers.ts'
import { compile } from './compiling.ts'
import { fileOf } from './seclang.ts'

const presets = { ...policyOf().presets, bot: 'off' as const, tier: 'off' as const }
const rulesOf = (policy: ReturnType<typeof policyOf>) => {
  const compiled = compile(policy)
  const text = ['10-setup.conf', '20-exceptions.conf', '30-rules.conf']
    .flatMap((it) => fileOf(compiled, it).split('\n'))
    .filter((it) => /^ *Sec(?:Rule|Action) /.test(it) && !/REQBODY_ERROR|MULTIPART/.test(it))
  return readRules(text.join('\n'))
}
const all: Expression = { not: { field: 'http.method', op: 'eq', value: 'PUT' } }

test('a rule with conditions on the path refuses and lets pass what the evaluation says', () => {
  fc.assert(
    fc.property(
      pathTrees,
      fc.constantFrom('block', 'allow'),
      fc.array(sentPaths, { minLength: 5, maxLength: 5 }),
      (expression, action, paths) => {
        const others = action === 'allow' ? [ruleOf({ id: 'r2', order: 20, expression: all })] : []
        const rules = rulesOf(policyOf({ presets, rules: [ruleOf({ expression, action }), ...others] }))
        const wrong = paths.filter((path) => {
          const applies = evaluate(expression, { path }, leanOf(action))
          return (judge(rules, { method: 'GET', uri: path }).status === 403) !== (applies === (action === 'block'))
        })
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: 100 },
  )
})

test('what is sent to a proxy, with another host in it, is refused by conditions on paths and not let pass', () => {
  const expression: Expression = { field: 'http.path', op: 'starts', value: '/open' }
  const uris = ['/open/a', 'http://other/open/a', 'http://other', '*', 'open/a']
  const of = (action: 'block' | 'allow') => {
    const others = action === 'allow' ? [ruleOf({ id: 'r2', order: 20, expression: all })] : []
    const rules = rulesOf(policyOf({ presets, rules: [ruleOf({ expression, action }), ...others] }))
    return uris.map((uri) => judge(rules, { method: 'GET', uri }).status)
  }
  expect(of('block')).toEqual([403, 403, 403, 403, 403])
  expect(of('allow')).toEqual([0, 403, 403, 403, 403])
})

test('an exception for a path or a route applies only where every server reads the path so', () => {
  const rule = ruleOf({ id: 'r1', expression: all })
  const text = (scope: { path: string | null; route: string | null }) => {
    const exceptions = [
      exceptionOf({
        scope: { ...scope, method: null, field: null },
        target: { groups: [], ruleRefs: ['rule:r1'] },
        expiresAt: '2990-01-01T00:00:00Z',
      }),
    ]
    const compiled = compile(policyOf({ presets, rules: [rule], exceptions }))
    // The reader knows neither clocks nor removals: what an exception would remove, lets pass here.
    const exempting = fileOf(compiled, '20-exceptions.conf')
      .replace(/SecRule TIME_EPOCH "@lt \d+"/, 'SecRule REQUEST_METHOD "@streq GET"')
      .replace(/pass,nolog,tag:'svc\/exception/, "allow,nolog,tag:'svc/exception")
    const setup = fileOf(compiled, '10-setup.conf')
    const lines = [setup, exempting, fileOf(compiled, '30-rules.conf')]
      .flatMap((it) => it.split('\n'))
      .filter((it) => /^ *Sec(?:Rule|Action) /.test(it) && !/REQBODY_ERROR|MULTIPART/.test(it))
    return readRules(lines.join('\n'))
  }
  const uris = [
    '/files/a',
    '/files/a/b',
    '/files//a',
    '/files/a%2fb',
    '/files/../a',
    '/files/..%2fa',
    '//files/a',
    '/files/;/../a',
  ]
  const of = (scope: { path: string | null; route: string | null }) => {
    const rules = text(scope)
    return uris.filter((uri) => judge(rules, { method: 'GET', uri }).status === 0)
  }
  expect(of({ path: '/files/*', route: null })).toEqual(['/files/a', '/files/a/b', '/files//a', '/files/a%2fb'])
  expect(of({ path: null, route: '/files/{name}' })).toEqual(['/files/a'])
})
