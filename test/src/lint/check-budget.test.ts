import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { CheckBudget } from '../../../src/lint/check-budget.ts'
import { lint } from '../../../src/lint/lint.ts'
import { rules } from '../../../src/lint/rules.gen.ts'
import { shapes } from '../diff/hostile.ts'

const only = (...ids: readonly string[]) => Object.fromEntries(Object.entries(rules).filter(([id]) => ids.includes(id)))
const parse = (value: unknown) => parseDocument(JSON.stringify(value), { source: 'api.json' })

describe('the steps of checks are counted', () => {
  const schema: Json = { allOf: Array.from({ length: 100 }, () => ({ type: 'integer' })) }

  test('each value may take a quarter of what is left', () => {
    const budget = new CheckBudget(1000)
    expect(budget.validate(schema, 1, {})).toEqual([])
    expect(budget.left).toBe(899)
    expect(budget.validate({ allOf: [schema, schema, schema] }, 1, {})).toBeNull()
    expect(budget.left).toBe(899 - 225)
    expect(budget.validate({ type: 'string' }, 1, {})?.map(({ message }) => message)).toEqual(['must be string'])
  })

  test('however many values there are, they take no more than there is', () => {
    const budget = new CheckBudget(1000)
    const answers = Array.from({ length: 200 }, () => budget.validate(schema, 1, {}))
    expect(answers.filter((it) => it !== null)).toHaveLength(6)
    expect([budget.left, budget.validate({ type: 'integer' }, 1, {})]).toEqual([0, null])
  })
})

test('branches that lead back to their parent are checked until the steps are used up, and the rest is said', () => {
  const document = parse(shapes['examples-of-a-discriminator']!(1000)[0])
  const { findings } = lint(document, only('oas3-valid-media-example', 'oas3-valid-schema-example'))
  expect(new Set(findings.map(({ message }) => message))).toEqual(
    new Set([
      '"value" property must match exactly one schema in oneOf. None of the schemas matched, see the other errors reported for this value',
      'was not checked: that takes too many steps with this schema',
    ]),
  )
})

test('a path of thousands of parameters does not take thousands of copies of it', () => {
  const count = 3000
  const document = parse(shapes['parameters-of-one-path']!(count)[1])
  const { findings } = lint(document, only('path-params'))
  expect(findings.map(({ message }) => message.replace(/path ".*"\.$/s, 'path.'))).toEqual([
    ...Array.from({ length: 100 }, (_, i) => `Operation must define parameter "{p${i}}" as expected by path.`),
    'Operation must define 2900 more parameters as expected by path.',
  ])
  expect(Math.max(...findings.map(({ message }) => message.length))).toBeLessThanOrEqual(2003)
})
