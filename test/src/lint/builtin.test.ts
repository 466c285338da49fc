/** Which builtin rules the rulesets with Spectral's names contain: exactly those of Spectral. */
import { expect, test } from 'bun:test'
import { rules } from '../../../src/lint/rules.gen.ts'
import { builtinRulesets } from '../../../src/lint/rulesets/builtin.ts'

const own = Object.entries(rules)
  .filter(([, rule]) => rule.origin === 'svc')
  .map(([id]) => id)

test('rules of svc for OpenAPI and Arazzo are not in the rulesets of Spectral', () => {
  const isShared = (id: string): boolean => /^(oas|arazzo|openapi|operation|path|tag|info)/.test(id)
  expect(own.filter(isShared)).toEqual([
    'arazzo-no-cycles',
    'arazzo-operation-exists',
    'arazzo-operation-source',
    'arazzo-source-available',
    'arazzo-step-call',
    'arazzo-step-depends-on',
    'arazzo-step-messages',
    'arazzo-values-exist',
    'arazzo-workflow-exists',
    'oas-required-declared',
    'oas3_2-additional-operations',
    'oas3_2-example-value',
    'oas3_2-querystring',
    'oas3_2-server-name-unique',
    'oas3_2-tag-parent',
    'operation-4xx-response',
    'operation-error-schema',
    'operation-example',
    'operation-security',
    'operation-summary',
  ])
  for (const name of ['spectral:oas', 'spectral:oas2', 'spectral:oas3', 'spectral:arazzo'])
    expect(Object.keys(builtinRulesets[name] ?? {}).filter((id) => own.includes(id))).toEqual([])
})

test('the rulesets of Spectral have as many rules as in Spectral 6.16, and svc has all of them', () => {
  expect(Object.keys(builtinRulesets['spectral:oas'] ?? {}).length).toBe(57)
  expect(Object.keys(builtinRulesets['spectral:arazzo'] ?? {}).length).toBe(22)
  expect(Object.keys(builtinRulesets['spectral:asyncapi'] ?? {}).length).toBe(55)
  expect(Object.keys(builtinRulesets['svc:recommended'] ?? {})).toEqual(Object.keys(rules))
})

test('every builtin rule is documented', () => {
  const poor = Object.entries(rules).filter(
    ([, { description, help }]) =>
      !/^.{10,160}\.$/s.test(description) || !/^[A-Z].{10,}\.$/s.test(help.why) || !/^[A-Z].{8,}\.$/s.test(help.remedy),
  )
  expect(poor.map(([id]) => id)).toEqual([])
})
