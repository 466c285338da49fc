/** Policies with a document. */
import { expect, test } from 'bun:test'
import { compileRelease } from '../../../../src/gateway/compile/index.ts'
import type { DialectName } from '../../../../src/gateway/dialects/index.ts'
import type { Policy, RuleAction } from '../../../../src/gateway-policy/model.ts'
import { exceptionOf, policyOf, ruleOf } from '../../gateway-policy/policy.ts'
import { input } from './compiling.ts'
import { fileOf, idsOf, linesOf } from './seclang.ts'

const documented = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: Object.fromEntries(
    ['/pets/{id}', '/pets/mine', '/{kind}/mine', '/pets'].map((path) => [
      path,
      {
        parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: {},
        })),
        get: { responses: { 200: { description: 'OK' } } },
        ...(path === '/pets'
          ? {
              post: {
                requestBody: { content: { 'application/vnd.pet+json': {} } },
                responses: { 201: { description: 'Made' } },
              },
            }
          : {}),
      },
    ]),
  ),
}
const positive: Policy['positive'] = {
  projectId: 'p1',
  version: 'latest',
  mode: 'block',
  checks: {
    unknownOperation: 'block',
    method: 'block',
    parameters: 'block',
    undeclaredQuery: 'log',
    contentType: 'block',
    body: 'block',
    security: 'off',
  },
  stripPrefix: null,
}
const withDocument = (policy: Partial<Policy>, dialect: DialectName = 'coraza') =>
  compileRelease(input(policyOf({ positive, ...policy }), { document: documented, dialect }))

test('the document comes with its routes, each before those that are less concrete, and its media types', () => {
  const compiled = withDocument({})
  expect(compiled.routes.map(({ method, route }) => `${method} ${route}`)).toEqual([
    'GET /pets',
    'POST /pets',
    'GET /pets/mine',
    'GET /pets/{id}',
    'GET /{kind}/mine',
  ])
  expect(JSON.parse(fileOf(compiled, 'routes.json'))).toEqual([...compiled.routes])
  expect(compiled.operations).toBe(5)
  expect(fileOf(compiled, '10-setup.conf').includes('|application/vnd.pet+json|')).toBe(true)
  expect(idsOf(compiled).filter((id) => id >= 30_000).length).toBeGreaterThan(5)
  expect(
    compiled.settings
      .filter(({ setting }) => setting.startsWith('positive:'))
      .map(({ setting, state }) => [setting, state]),
  ).toContainEqual(['positive:unknownOperation', 'enforced'])
})

test('a path belongs to one template: those that come before it are excluded', () => {
  const route = (value: string, action: RuleAction = 'allow') => {
    const compiled = withDocument({ rules: [ruleOf({ action, expression: { field: 'http.route', op: 'eq', value } })] })
    const links = linesOf(compiled, '30-rules.conf').filter((it) => it.includes('TX:svc_path'))
    return {
      links: links.map((it) => /SecRule \S+ "([^"]+)"/.exec(it)?.[1]),
      setting: compiled.settings.find(({ setting }) => setting === 'rule:r1'),
    }
  }
  expect(route('/pets/mine')).toEqual({
    links: ['@rx \\A/pets/mine\\z', '@eq 0'],
    setting: { setting: 'rule:r1', state: 'enforced', reason: null },
  })
  expect(route('/{kind}/mine').links).toEqual([
    '@rx \\A/[^/]+/mine\\z',
    '!@rx \\A/pets/mine\\z|\\A/pets/[^/]+\\z',
    '@eq 0',
  ])
  // What refuses applies to an odd path, too, where a reading of it fits.
  expect(route('/pets/mine', 'block').links).toEqual([
    '@rx \\A/pets/mine\\z',
    '@gt 0',
    '@rx (?:\\A/pets/mine\\z)|\\A\\x3f\\z',
  ])
  expect(route('/none').setting?.state).toBe('approximated')
})

test('what is not below any template, or below all of them, is one expression of all', () => {
  const compiled = withDocument({ rules: [ruleOf({ expression: { not: { field: 'http.route', op: 'exists' } } })] })
  const lines = linesOf(compiled, '30-rules.conf')
  expect(lines.map((it) => /SecRule \S+ "!?@\w+/.exec(it)?.[0]).slice(0, 3)).toEqual([
    'SecRule TX:svc_path "!@rx',
    'SecRule &TX:svc_path_odd "@gt',
    'SecRule TX:svc_f1 "@eq',
  ])
  expect(lines[0]).toContain('TX:svc_path "!@rx \\A/pets\\z|\\A/pets/mine\\z|')
})

test('one query parameter that the document does not declare can be excepted in Coraza', () => {
  const exceptions = [
    exceptionOf({
      scope: { route: '/pets', path: null, method: 'GET', field: 'query:debug' },
      target: { groups: [], ruleRefs: ['positive:undeclaredQuery'] },
    }),
  ]
  const last = linesOf(withDocument({ exceptions }), '20-exceptions.conf').at(-1)
  expect(last).toContain('"t:none,ctl:ruleRemoveTargetByTag=svc/positive/undeclaredQuery;ARGS_GET_NAMES:debug"')
  const states = (dialect: DialectName) =>
    withDocument({ exceptions }, dialect).settings.find(({ setting }) => setting === 'exception:e1')?.state
  expect([states('coraza'), states('modsecurity')]).toEqual(['approximated', 'not-enforced'])
})
