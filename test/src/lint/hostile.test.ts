import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { readRuleset } from '../../../src/lint/read-ruleset.ts'
import { selectRules } from '../../../src/lint/ruleset.ts'

const findingsOf = async (ruleset: string, document: string) => {
  const { guide, problems } = await readRuleset(parseDocument(ruleset, { source: 'rules.yaml' }), async () => null)
  expect(problems).toEqual([])
  const text = parseDocument(document, { source: 'api.yaml' })
  return lint(text, selectRules(guide, 'api.yaml')).findings.map(({ code, pointer, message }) => [
    code,
    pointer,
    message,
  ])
}

const name = `${'a'.repeat(40)}!`

test.each([
  [
    'a pattern',
    `rules: { r: { given: $.info.title, message: '{{error}}', then: { function: pattern, functionOptions: { match: '^(a+)+$' } } } }`,
    [['r', '/info/title', `"${name}" must match the pattern "^(a+)+$"`]],
  ],
  [
    'a pattern of back references',
    `rules: { r: { given: $.info.title, message: '{{error}}', then: { function: pattern, functionOptions: { match: '^(a+)+\\1$' } } } }`,
    [['r', '/info/title', 'was not checked: the pattern "^(a+)+\\\\1$" takes too long for this string']],
  ],
  [
    'a filter',
    `rules: { r: { given: '$.info[?(@.match(/^(a|aa)+$/))]', message: hit, then: { function: falsy } } }`,
    [],
  ],
  [
    'a schema',
    `rules: { r: { given: $.info, message: hit, then: { function: schema, functionOptions: { schema: { properties: { title: { pattern: '^(a|a?)+$' } } } } } } }`,
    [['r', '/info/title', 'hit']],
  ],
  [
    'a separator of the letters it separates',
    `rules: { r: { given: $.info.title, message: hit, then: { function: casing, functionOptions: { type: flat, separator: { char: a } } } } }`,
    [['r', '/info/title', 'hit']],
  ],
])(
  '%s that would take years ends',
  async (_, ruleset, expected) => {
    expect(await findingsOf(ruleset, `openapi: 3.1.0\ninfo: { title: "${name}" }\npaths: {}`)).toEqual(expected)
  },
  60_000,
)

test('a chain of twenty thousand references ends', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => index)
  const schemas = names.map((at) => [
    `S${at}`,
    { properties: { a: { $ref: `#/components/schemas/S${(at + 1) % 20_000}` } } },
  ])
  const value = { openapi: '3.0.0', info: {}, paths: {}, components: { schemas: Object.fromEntries(schemas) } }
  const document = parseDocument(JSON.stringify(value), { source: 'api.json' })
  const rules = { r: { given: ['$..[?(@property === "S19999")]'], then: [{ run: () => [{ message: 'here' }] }] } }
  expect(lint(document, rules).findings.map((it) => it.pointer)).toEqual(['/components/schemas/S19999'])
})
