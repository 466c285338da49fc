/** What `svc init` takes over from redocly.yaml: rules whose findings on documents that break them are those that Redocly CLI had. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { readRuleset } from '../../../src/lint/read-ruleset.ts'
import { rules } from '../../../src/lint/rules.gen.ts'
import { selectRules } from '../../../src/lint/ruleset.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { convertAssertion } from '../../../src/project-file/convert/redocly-assertions.ts'
import { convertRedocly, differentRules, sameRules } from '../../../src/project-file/convert/redocly.ts'
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

test.each(recorded.assertions.rules)(
  'the assertion $name as a rule of a ruleset: the same findings',
  async ({ name, written, found }) => {
    const made = convertAssertion(name, written)
    expect(made).toBeObject()
    const ruleset = parseDocument(JSON.stringify({ rules: { made } }), { source: 'rules.json' })
    const { guide, problems } = await readRuleset(ruleset, () => Promise.resolve(null))
    expect(problems).toEqual([])
    const document = parseDocument(recorded.assertions.document, { source: 'api.yaml' })
    const ours = lint(document, selectRules(guide, 'api.yaml'))
      .findings.map((one) => one.pointer)
      .toSorted()
    expect([ours.length, ours.filter((at, index) => !isSamePlace(at, found[index] ?? '-'))]).toEqual([found.length, []])
  },
)

test('an assertion that cannot be said in a ruleset is left with its reason', () => {
  const subject = { type: 'Operation', property: 'summary' }
  const reasons = [
    { subject },
    { subject, assertions: { defined: true }, where: [] },
    { subject: { type: 'Schema', property: 'x' }, assertions: { defined: true } },
    { subject: { ...subject, filterInParentKeys: ['get'] }, assertions: { defined: true } },
    { subject, assertions: { ref: true } },
    { subject: { type: 'Operation' }, assertions: { defined: true } },
  ].map((it) => convertAssertion('rule/x', it as Json))
  expect(reasons).toEqual([
    'an assertion needs "subject" and "assertions"',
    '"where" of an assertion is not converted',
    'objects of the type Schema are not converted',
    '"filterInParentKeys" of its subject is not converted',
    'its assertion "ref" is not converted',
    'its assertion "defined" is not converted',
  ])
  const { settings, ruleset, left } = convertRedocly(
    { rules: { 'rule/a': { subject, assertions: { defined: true } }, 'plugin/b': 'error' } },
    { hasRule: () => false },
  )
  expect([settings.guide, ruleset?.file, Object.keys(ruleset?.value.rules ?? {}), left]).toEqual([
    'redocly-rules.yaml',
    'redocly-rules.yaml',
    ['a'],
    ['rules.plugin/b: a rule of a plugin; write it as a rule of a ruleset'],
  ])
})
