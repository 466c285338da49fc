/** Severities that svc.yaml sets over those of a guide, by file and place. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import type { Rule, Ruleset } from '../../../src/lint/rule.ts'
import { applyOverrides, isIgnored, unknownRules } from '../../../src/project-file/apply-rules.ts'
import type { RuleOverride } from '../../../src/project-file/settings.ts'

const report: Rule = { given: ['$.paths.*'], then: [{ run: () => [{ message: 'found' }] }], severity: 'warning' }
const guide: Ruleset = { a: report, b: { ...report, severity: 'info' } }
const off: Rule = { ...report, severity: 'hint' }
const find = (id: string): Rule | undefined => (id === 'spare' ? off : undefined)
const nameOf = (source: string): string => source.replace('./', '')
const override = (files: string[], rules: RuleOverride['rules']): RuleOverride => ({
  files,
  rules,
  at: Object.fromEntries(Object.keys(rules).map((rule, line) => [rule, { line, character: 2 }])),
})

const found = (
  overrides: readonly RuleOverride[],
  ignore: readonly string[] = [],
  source = './api/a.yaml',
): string[] => {
  const ruleset = applyOverrides(guide, { overrides, ignore }, { find, nameOf })
  const document = parseDocument('openapi: 3.1.0\npaths: {/x: {}, /y: {}}', { source })
  return lint(document, ruleset)
    .findings.map((it) => `${it.code} ${it.severity} ${it.pointer}`)
    .toSorted()
}

test('without overrides a guide stays as it is', () => {
  expect(found([])).toEqual(['a warning /paths/~1x', 'a warning /paths/~1y', 'b info /paths/~1x', 'b info /paths/~1y'])
})

test('rules of all files are turned off, on, and get another severity', () => {
  expect(found([override(['**'], { a: 'off', b: 'error', spare: true })])).toEqual([
    'b error /paths/~1x',
    'b error /paths/~1y',
    'spare hint /paths/~1x',
    'spare hint /paths/~1y',
  ])
  expect(found([override(['**'], { a: 'off', b: 'off' }), override(['**'], { a: true, spare: 'error' })])).toEqual([
    'a warning /paths/~1x',
    'a warning /paths/~1y',
    'spare error /paths/~1x',
    'spare error /paths/~1y',
  ])
})

test('rules of some files and places', () => {
  const overrides = [
    override(['api/**'], { a: 'error', spare: 'error' }),
    override(['api/a.yaml#/paths/~1y'], { a: 'off', b: 'off' }),
    override(['#/paths/~1x'], { spare: 'hint' }),
  ]
  expect(found(overrides)).toEqual([
    'a error /paths/~1x',
    'b info /paths/~1x',
    'spare error /paths/~1y',
    'spare hint /paths/~1x',
  ])
  expect(found(overrides, [], './other.yaml')).toEqual([
    'a warning /paths/~1x',
    'a warning /paths/~1y',
    'b info /paths/~1x',
    'b info /paths/~1y',
    'spare hint /paths/~1x',
  ])
  // What is said of all files later holds for them too.
  expect(found([...overrides, override(['**'], { a: 'hint', b: 'off', spare: 'off' })])).toEqual([
    'a hint /paths/~1x',
    'a hint /paths/~1y',
  ])
})

test('nothing is found in what is ignored', () => {
  expect(found([], ['api/**'])).toEqual([])
  expect(found([], ['other/**'])).toHaveLength(4)
  expect(found([], ['a.yaml#/paths/~1x'])).toEqual(['a warning /paths/~1y', 'b info /paths/~1y'])
  const ignore = ['vendor/**', 'a.yaml#/paths']
  expect(
    [
      ['vendor/x/y.yaml', '/info'],
      ['a.yaml', '/paths/~1x'],
      ['a.yaml', '/pathsOfOthers'],
      ['b.yaml', '/paths'],
    ].map(([name = '', pointer = '']) => isIgnored(ignore, name, pointer)),
  ).toEqual([true, true, false, false])
})

test('a rule that no one has is named with its place', () => {
  expect(unknownRules(guide, [override(['**'], { a: 'off', nope: 'off', spare: true })], { find })).toEqual([
    { rule: 'nope', at: { line: 1, character: 2 } },
  ])
})
