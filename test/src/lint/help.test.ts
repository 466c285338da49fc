import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import type { Rule } from '../../../src/lint/rule.ts'
import { rules } from '../../../src/lint/rules.gen.ts'

const found = (id: string, rule: Rule, text: string): string[] => {
  const document = parseDocument(text, { source: 'example.yaml' })
  expect(document.problems).toEqual([])
  const documents = Object.fromEntries(
    Object.entries(rule.help?.beside ?? {}).map(([source, it]) => [source, parseDocument(it, { source })]),
  )
  return lint(document, { [id]: rule }, { documents })
    .findings.filter((it) => it.code === id)
    .map((it) => it.message)
}

describe('the examples of a rule', () => {
  for (const [id, rule] of Object.entries(rules)) {
    const { help } = rule
    test(id, () => {
      if (help === undefined) throw new Error('the rule says nothing to those who ask')
      expect(found(id, rule, help.bad).length).toBeGreaterThan(0)
      expect(found(id, rule, help.good)).toEqual([])
      for (const sentence of [rule.description ?? '', help.why, help.remedy]) expect(sentence).toMatch(/^[^\s].*[.?]$/s)
      expect(rule.documentationUrl).toStartWith('https://')
    })
  }
})
