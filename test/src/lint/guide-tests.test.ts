import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { judgeGuideTest, readGuideTests, type GuideTest } from '../../../src/lint/guide-tests.ts'
import { lint } from '../../../src/lint/lint.ts'
import { rules } from '../../../src/lint/rules.gen.ts'
import { guideTestsAsText } from '../../../src/report/guide-tests.ts'

const read = (text: string) => readGuideTests(parseDocument(text, { source: 't.yaml' }))
const first = (text: string): GuideTest => read(`tests:\n${text}`).tests[0] as GuideTest

describe('a file of tests is refused with the place of what is wrong', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['- 1', 't.yaml:1:1: a test file must be an object with "tests"'],
    ['tests: []', 't.yaml:1:8: "tests" must be an array of tests'],
    ['tests: [{ given: {}, then: [] }]', 't.yaml:1:9: the test has no "name"'],
    [
      'tests: [{ name: a, given: 1, then: [] }]',
      't.yaml:1:27: "given" must be a document: an object, a string, or { file: NAME }',
    ],
    ['tests: [{ name: a, given: {} }]', 't.yaml:1:9: "then" must be an array of findings; use [] for no findings'],
    [
      'tests: [{ name: a, given: {}, then: [{ rule: r, path: info }] }]',
      't.yaml:1:55: "path" must be a JSON Pointer such as "/info/title", or an array of keys',
    ],
    [
      'tests: [{ name: a, given: {}, then: [{ rule: r, severity: bad }] }]',
      't.yaml:1:59: "severity" must be error, warn, info or hint',
    ],
    [
      'tests: [{ name: a, given: {}, then: [], x: 1 }]',
      't.yaml:1:44: unknown property "x"; use one of name, given, as, rules, then',
    ],
  ]
  for (const [text, message] of cases) test(text, () => expect(() => read(text)).toThrow(message))
})

const outcome = (then: string) => {
  const it = first(
    `  - name: a\n    rules: [info-contact, openapi-tags]\n    given: { openapi: 3.1.0, info: {} }\n    then: ${then}`,
  )
  const document = parseDocument('text' in it.given ? it.given.text : '', { source: it.source })
  return judgeGuideTest(it, lint(document, rules).findings)
}

test('what is expected is compared one for one', () => {
  const told = (then: string) => {
    const { missing, unexpected } = outcome(then)
    return [missing.map(({ rule }) => rule), unexpected.map(({ code }) => code)]
  }
  expect(told('[info-contact, openapi-tags]')).toEqual([[], []])
  expect(told('[{ rule: info-contact, path: [info] }, { rule: openapi-tags, path: "" }]')).toEqual([[], []])
  expect(told('[{ rule: info-contact, path: /x }]')).toEqual([['info-contact'], ['openapi-tags', 'info-contact']])
  expect(told('[{ rule: info-contact, message: /contact/ }, { rule: openapi-tags, message: tags }]')).toEqual([
    ['openapi-tags'],
    ['openapi-tags'],
  ])
  // The vague expectation does not take the finding of the exact one.
  expect(told('[info-contact, { rule: info-contact, path: /info }]')).toEqual([['info-contact'], ['openapi-tags']])
})

test('what a document says does not steer the terminal', () => {
  const it = first('  - name: "a\\e[31m"\n    given: {}\n    then: []')
  const text = guideTestsAsText(
    [{ file: 't.yaml', guide: 'g', outcomes: [{ test: it, missing: [], unexpected: [] }], untested: [] }],
    { colour: false },
  )
  expect(text).not.toContain('\u001b')
})
