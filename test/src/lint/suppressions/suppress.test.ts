/** Suppressions in documents: which findings they cover, which suppress nothing, and what is reported about them. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../../src/document/parse.ts'
import { lint } from '../../../../src/lint/lint.ts'
import type { Finding, Severity } from '../../../../src/lint/finding.ts'
import { readRuleset } from '../../../../src/lint/read-ruleset.ts'
import { selectRules } from '../../../../src/lint/ruleset.ts'
import {
  applySuppressions,
  isSuppressed,
  joinSuppressions,
  readSuppressions,
  suppressFindings,
} from '../../../../src/lint/suppressions/suppress.ts'

const document = (text: string, source = 'a.yaml') => parseDocument(text, { source })
const read = (text: string, source?: string) => readSuppressions(document(text, source))
/** Each suppression as `kind rule -> scope (reason) at line:column`. */
const listed = (text: string, source?: string): string[] =>
  read(text, source).valid.map(
    ({ kind, rule, scope, reason, range: { start } }) =>
      `${kind} ${rule} -> ${scope.pointer ?? 'nothing'}${scope.line === null ? '' : ` or line ${scope.line + 1}`} (${reason ?? ''}) at ${start.line + 1}:${start.character + 1}`,
  )
const refused = (text: string, source?: string): string[] =>
  read(text, source).invalid.map(
    ({ message, range: { start } }) => `${start.line + 1}:${start.character + 1} ${message}`,
  )

test('the extension names a rule, a list of rules, or rules with reasons', () => {
  const text = `openapi: 3.1.0
x-lint-ignore: one
info:
  x-lint-ignore: [two, three]
paths:
  x-lint-ignore: four, five
  /a:
    get:
      x-lint-ignore: {six: kept for old clients, seven: null}
`
  expect(listed(text)).toEqual([
    'extension one ->  () at 2:16',
    'extension two -> /info () at 4:19',
    'extension three -> /info () at 4:24',
    'extension four -> /paths () at 6:18',
    'extension five -> /paths () at 6:18',
    'extension six -> /paths/~1a/get (kept for old clients) at 9:28',
    'extension seven -> /paths/~1a/get () at 9:57',
  ])
  expect(refused(text)).toEqual([])
})

test('names of properties, and values of the API, are no extensions', () => {
  const text = JSON.stringify({
    components: {
      schemas: {
        'x-lint-ignore': 'a',
        Pet: {
          properties: { 'x-lint-ignore': { type: 'string' }, default: { 'x-lint-ignore': 'found' } },
          example: { 'x-lint-ignore': 'b' },
          default: { 'x-lint-ignore': 'c' },
          enum: [{ 'x-lint-ignore': 'd' }],
          examples: [{ 'x-lint-ignore': 'e' }],
        },
      },
      examples: { One: { 'x-lint-ignore': 'also', value: { 'x-lint-ignore': 'f' } } },
      responses: { default: { 'x-lint-ignore': 'third' } },
    },
  })
  expect(listed(text, 'a.json').map((it) => it.split(' at ')[0])).toEqual([
    'extension found -> /components/schemas/Pet/properties/default ()',
    'extension also -> /components/examples/One ()',
    'extension third -> /components/responses/default ()',
  ])
})

test('an extension without the id of a rule suppresses nothing', () => {
  const none =
    'x-lint-ignore names no rule, so it suppresses nothing; write the id of a rule, a list of ids, or an object of ids with reasons.'
  for (const value of ['true', '7', 'null', '""', '", "', '[]', '{}', '[7]', '{"a": 7}', '[["a"]]']) {
    const text = `{"x-lint-ignore": ${value}}`
    expect([value, listed(text, 'a.json'), refused(text, 'a.json')]).toEqual([value, [], [`1:19 ${none}`]])
  }
  expect(refused('{"x-lint-ignore": ["*", "parser", "one"]}', 'a.json')).toEqual([
    '1:20 "*" is not the id of a rule, so it suppresses nothing; name each rule.',
    '1:25 Problems of the text ("parser") cannot be suppressed; correct the text.',
  ])
})

test('comments suppress the node of their line, of the next line with content, or the file', () => {
  const text = `# svc-ignore-file whole -- generated
# svc-ignore first
openapi: 3.1.0 # svc-ignore inline, second -- a reason -- with dashes
info:
  title: "x # svc-ignore no" #svc-ignore quoted
  description: |
    text # svc-ignore no
    # svc-ignore no
paths:
  # svc-ignore next

  # another comment
  /a:
    get:
      parameters:
        # svc-ignore: item
        - name: a
          in: query
      tags: [
        a, # svc-ignore element
      ] # svc-ignore closing
      # svc-ignored is a word of the text, and so is svc-ignore
# svc-ignore end
`
  expect(listed(text)).toEqual([
    'file-comment whole ->  (generated) at 1:1',
    'comment first -> /openapi or line 3 () at 2:1',
    'comment inline -> /openapi or line 3 (a reason -- with dashes) at 3:16',
    'comment second -> /openapi or line 3 (a reason -- with dashes) at 3:16',
    'comment quoted -> /info/title or line 5 () at 5:30',
    'comment next -> /paths/~1a or line 13 () at 10:3',
    'comment item -> /paths/~1a/get/parameters/0 or line 17 () at 16:9',
    'comment element -> /paths/~1a/get/tags/0 or line 20 () at 20:12',
    'comment closing -> nothing () at 21:9',
    'comment end -> nothing () at 23:1',
  ])
  expect(refused(text)).toEqual([])
})

test('comments without rules, in JSON, and with other line ends', () => {
  expect(refused('a: 1 # svc-ignore\nb: 2 # svc-ignore-file -- why\nc: 3 # svc-ignore all\n')).toEqual([
    '1:6 "# svc-ignore" names no rule, so it suppresses nothing; write # svc-ignore RULE -- reason.',
    '2:6 "# svc-ignore-file" names no rule, so it suppresses nothing; write # svc-ignore-file RULE -- reason.',
    '3:6 "all" is not the id of a rule, so it suppresses nothing; name each rule.',
  ])
  expect(listed('{"a": "# svc-ignore b"}', 'a.json')).toEqual([])
  expect(listed('\uFEFFa: 1\r\n# svc-ignore b\r\nc: 2\r\n')).toEqual(['comment b -> /c or line 3 () at 2:1'])
})

const ruleset = async (text: string) =>
  selectRules((await readRuleset(document(text, 'guide.yaml'), async () => null)).guide, 'a.yaml')
const run = async (text: string, unused: Severity | 'off' = 'warning') => {
  const rules = await ruleset(`rules:
  no-x: {given: $..x, severity: error, then: {function: falsy}}
  no-y: {given: $..y, severity: error, then: {function: falsy}}
  no-ignore: {given: $..x-lint-ignore, severity: error, then: {function: falsy}}
`)
  const parsed = document(text)
  const { findings } = lint(parsed, rules)
  const result = suppressFindings(findings, readSuppressions(parsed), {
    unused,
    rules: () => new Set(Object.keys(rules)),
  })
  const told = (it: Finding): string => `${it.severity} ${it.code} ${it.pointer}`
  return {
    left: result.findings.map((it) => (it.code.endsWith('suppression') ? `${told(it)}: ${it.message}` : told(it))),
    suppressed: result.suppressed.map(({ finding, by }) => `${told(finding)} by ${by.kind}`),
  }
}

test('findings of the named rules at the object and below are suppressed, and no others', async () => {
  expect(
    await run(`a:
  x: 1 # svc-ignore no-x
  y: 1
b:
  # svc-ignore no-x, no-y
  c: {x: 1, d: {y: 1}}
  x: 1
`),
  ).toEqual({
    left: ['error no-y /a/y', 'error no-x /b/x'],
    suppressed: ['error no-x /a/x by comment', 'error no-x /b/c/x by comment', 'error no-y /b/c/d/y by comment'],
  })
})

test('a rule may forbid the extension, and the extension cannot suppress that', async () => {
  expect(await run('a: {x: 1, x-lint-ignore: [no-x, no-ignore]}\n')).toEqual({
    left: [
      'error no-ignore /a/x-lint-ignore',
      'warning unused-suppression /a/x-lint-ignore/1: The suppression of no-ignore matches no finding; remove it.',
    ],
    suppressed: ['error no-x /a/x by extension'],
  })
})

test('unused suppressions are reported unless another guide may have the rule', async () => {
  const text = '# svc-ignore-file no-x, no-z, of-another-guide\na: 1 # svc-ignore\n'
  expect(await run(text)).toEqual({
    left: [
      'warning invalid-suppression : "# svc-ignore" names no rule, so it suppresses nothing; write # svc-ignore RULE -- reason.',
      'warning unused-suppression : The suppression of no-x matches no finding; remove it.',
      'warning unused-suppression : The style guide has no rule "no-z"; did you mean no-x?',
    ],
    suppressed: [],
  })
  expect((await run(text, 'error')).left.filter((it) => it.startsWith('error')).length).toBe(2)
  expect((await run(text, 'off')).left.filter((it) => it.includes('unused'))).toEqual([])
})

test('every suppression that covers a finding counts as used; findings of the text are never suppressed', async () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  const scope = { source: 'a.yaml', files: null, pointer: '', line: null }
  const one = { kind: 'extension', reason: null, source: 'a.yaml', path: [], range, scope } as const
  const finding = (code: string): Finding =>
    ({ code, source: 'a.yaml', pointer: '/a', path: ['a'], range, severity: 'error' }) as unknown as Finding
  const [r, again, parser] = [
    { ...one, rule: 'r' },
    { ...one, rule: 'r' },
    { ...one, rule: 'parser' },
  ]
  const all = [finding('r'), finding('parser')]
  expect(applySuppressions(all, [r, again, parser])).toEqual({
    left: [finding('parser')],
    suppressed: [{ finding: finding('r'), by: r }],
    unused: [parser],
  })
  expect(applySuppressions(all, [])).toEqual({ left: all, suppressed: [], unused: [] })
})

test('a file that several documents refer to suppresses once; fixers ask for one finding', () => {
  const text = 'a: {x-lint-ignore: r}\n'
  const own = readSuppressions(document(text))
  expect(
    joinSuppressions([
      ['a.yaml', own],
      ['b.yaml', own],
      ['a.yaml', own],
    ]).valid.length,
  ).toBe(2)
  const at = (pointer: string, path: string[]): boolean =>
    isSuppressed(document(text), { code: 'r', source: 'a.yaml', pointer, path } as unknown as Finding)
  expect([at('/a', ['a']), at('/a/b', ['a', 'b']), at('/b', ['b'])]).toEqual([true, true, false])
})

test('lint itself reports and grades what a document suppresses: a service does not read suppressions', async () => {
  const rules = await ruleset('rules: {no-x: {given: $..x, severity: error, then: {function: falsy}}}\n')
  const { findings, rules: counted } = lint(document('x-lint-ignore: no-x\nx: 1 # svc-ignore no-x\n'), rules)
  expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(['no-x /x'])
  expect(counted).toEqual([{ code: 'no-x', severity: 'error', hits: 1, targets: 1, findings: 1 }])
})
