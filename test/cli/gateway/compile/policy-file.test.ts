import { expect, test } from 'bun:test'
import { compileRelease, type CompileInput } from '../../../../src/gateway/compile/index.ts'
import { manifestOf, releaseProblems } from '../../../../cli/gateway/compile/manifest.ts'
import { readPolicyFile, usualPolicy } from '../../../../cli/gateway/compile/policy-file.ts'
import type { Json } from '../../../../src/kernel/json.ts'

const problemsOf = (value: Json): string[] => {
  const read = readPolicyFile(value, false)
  return 'policy' in read ? [] : read.map(({ path, message }) => `/${path.join('/')}: ${message}`)
}

test('an empty file is the usual policy', () => {
  const read = readPolicyFile({}, true)
  if (!('policy' in read)) throw new Error(JSON.stringify(read))
  expect(read.policy).toEqual(usualPolicy(true))
  expect(read.environment).toEqual({ slug: 'local', hostnames: [], basePaths: [] })
})

test('what a file does not say has its usual value', () => {
  const read = readPolicyFile(
    {
      groups: { sqli: 'log' },
      rules: [{ name: 'A', action: 'skip', expression: 'http.path starts "/a"', groups: ['xss'] }],
      exceptions: [
        { scope: { path: '/b' }, target: { groups: ['xss'] }, reason: 'r', expiresAt: '2030-01-01T00:00:00Z' },
      ],
      positive: { checks: { body: 'log' } },
    },
    true,
  )
  if (!('policy' in read)) throw new Error(JSON.stringify(read))
  const { policy } = read
  expect(policy.groups).toEqual({ sqli: { mode: 'log', reason: null } })
  expect(policy.rules.map(({ id, order, groups, expression }) => ({ id, order, groups, expression }))).toEqual([
    { id: 'rule-1', order: 10, groups: ['xss'], expression: { field: 'http.path', op: 'starts', value: '/a' } },
  ])
  expect(policy.exceptions.map(({ id, scope }) => ({ id, scope }))).toEqual([
    { id: 'exception-1', scope: { route: null, path: '/b', method: null, field: null } },
  ])
  expect(policy.positive?.checks).toEqual({
    unknownOperation: 'block',
    method: 'block',
    parameters: 'block',
    undeclaredQuery: 'log',
    contentType: 'block',
    body: 'log',
    security: 'log',
  })
})

test('everything that is wrong is named with its place', () => {
  expect(problemsOf({ tier: 'strct', ruls: [] })).toEqual([
    '/ruls: Unknown property "ruls"; did you mean "rules"?',
    '/tier: tier must be one of off, basic, standard, strict, not "strct"; did you mean "strict"?',
  ])
  expect(
    problemsOf({
      rules: [
        { name: 'A', action: 'block' },
        { name: 'B', action: 'block', expression: 'http.path is "/a"' },
        { name: 'C', action: 'block', expression: { field: 'http.path', op: 'eq', value: 5 } },
        { name: 'D', action: 'rate-limit', expression: 'http.path eq "/a"' },
      ],
      exceptions: [
        { scope: { path: '/*' }, target: { groups: ['xss'] }, reason: 'r', expiresAt: '2030-01-01T00:00:00Z' },
        { scope: { path: '/a' }, target: { groups: ['xss'] }, reason: 'r', expiresAt: 'tomorrow' },
      ],
    }),
  ).toEqual([
    '/rules/0: The rule "A" has no expression',
    '/rules/1/expression: Line 1, column 11 of the expression: a comparison (eq, in, contains, starts, ends, matches, cidr, exists, lt, gt) is missing: found is',
    '/rules/2/expression/value: http.path is compared with a text in double quotes',
    '/rules/3: The rule "D" needs a rate',
    '/exceptions/0: The exception is refused (exception-unscoped): "/*" is every path',
    '/exceptions/1: The end of the exception is not an instant; write it as 2026-12-24T00:00:00Z',
  ])
  const same = { id: 'a', name: 'A', action: 'log', expression: 'http.path eq "/a"' }
  expect(problemsOf({ rules: [same, same] })).toEqual(['/rules/1: rules[1] has the id "a" of another one'])
  expect(problemsOf({ rules: [{ name: 'A', action: 'block', expression: 'http.path starts "/"' }] })[0]).toStartWith(
    '/rules/0: The rule "A" is refused (rule-matches-all)',
  )
})

const input: CompileInput = {
  policy: usualPolicy(false),
  policyVersion: 1,
  environment: { id: 'local', slug: 'local', hostnames: [], basePaths: [] },
  document: null,
  dialect: 'modsecurity',
  releaseId: 'r',
  crs: 'bundled',
}

test('a release is checked against its manifest', () => {
  const compiled = compileRelease(input)
  const manifest = manifestOf(input, compiled, compiled.files)
  const files = new Map(compiled.files.map(({ path, text }) => [path, text]))
  expect(releaseProblems(manifest, files)).toEqual([])
  expect(manifest.off).toEqual(['group:data-leak', 'group:web-shell'])
  const changed = new Map(files)
  changed.set(
    '30-rules.conf',
    `SecAction "id:10000,phase:1,pass"\nSecAction "id:5,phase:1,pass"\n#${'x'.repeat(60_000)}\n`,
  )
  changed.set('more.conf', '')
  changed.delete('90-groups.conf')
  expect(releaseProblems(manifest, changed)).toEqual([
    '30-rules.conf: the file was changed after it was written',
    '90-groups.conf: the file is missing',
    'more.conf: the file does not belong to the release',
    'svc.conf: it includes 90-groups.conf, which is missing',
    '30-rules.conf:3: the line is longer than 60000 bytes; Coraza would ignore the rest of the file',
    '30-rules.conf: the rule 10000 is in 10-setup.conf already',
    '30-rules.conf: the number 5 of a rule is not one of the numbers that svc uses',
  ])
  expect(releaseProblems({ ...manifest, digest: '0'.repeat(64) }, files)).toEqual([
    'release.json: the digest is not that of its files',
  ])
})
