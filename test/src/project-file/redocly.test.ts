/** What `svc init` takes over from redocly.yaml: rules whose findings on documents that break them are those that Redocly CLI had. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { rules } from '../../../src/lint/rules.gen.ts'
import { differentRules, sameRules } from '../../../src/project-file/convert/redocly.ts'
import recorded from './recorded/redocly.json' with { type: 'json' }

const findingsOf = (rule: string, text: string): string[] => {
  const document = parseDocument(text, { source: 'api.yaml' })
  const known = rules[rule]
  return known === undefined ? [] : lint(document, { [rule]: known }).findings.map((it) => it.pointer)
}

const above = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))

// What is missing is reported at its holder by one and at its place by the other; the name of a key or at the key.
const isSamePlace = (a: string, b: string): boolean =>
  a === b || above(a) === b || above(b) === a || above(a) === above(b)

const agrees = (
  rule: string,
  { document, found }: { readonly document: string; readonly found: readonly string[] },
) => {
  const ours = findingsOf(rule, document).toSorted()
  return ours.length === found.length && ours.every((it, index) => isSamePlace(it, found[index] ?? ''))
}

const casesOf = (name: string) => recorded.cases.filter(({ rule }) => rule === name)

test.each(Object.entries(sameRules))('%s is %s: the same findings on every recorded document', (name, rule) => {
  const cases = casesOf(name)
  expect(cases.some(({ found }) => found.length > 0)).toBe(true)
  expect(
    cases.filter((it) => !agrees(rule, it)).map((it) => [it.document, it.found, findingsOf(rule, it.document)]),
  ).toEqual([])
})

test.each(Object.entries(differentRules))(
  '%s is not taken over: on some document the findings differ',
  (name, reason) => {
    const [rule = ''] = reason.split(' ')
    expect(Object.hasOwn(rules, rule)).toBe(true)
    expect(casesOf(name).every((it) => agrees(rule, it))).toBe(false)
  },
)
