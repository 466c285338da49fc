/** Templates of change reports: what is read of them, what is refused and where, and how much they may write. */
import { expect, test } from 'bun:test'
import type { ChangeModel } from '../../../src/change-report/model.ts'
import { changeModelOf } from '../../../src/change-report/model.ts'
import { checkTemplate, longestText, renderTemplate } from '../../../src/change-report/template.ts'
import type { Change } from '../../../src/diff/change.ts'

const change = (number: number): Change => ({
  id: 'schema-type-changed',
  severity: 'breaking',
  classification: 'breaking',
  method: 'GET',
  path: `/things/${number}`,
  direction: 'response',
  base: null,
  head: null,
  before: 'string',
  after: 'integer',
  message: `Number ${number}\n<b>next line</b>`,
  witness: null,
  operations: [`GET /things/${number}`],
  consumers: [],
  fingerprint: String(number),
})

const modelOf = (count: number): ChangeModel =>
  changeModelOf({
    project: { id: 'p', slug: 'pets', name: 'Pets' },
    from: { revisionId: '1', label: '1.0.0' },
    to: { revisionId: '2', label: '2.0.0' },
    changes: Array.from({ length: count }, (_, number) => change(number)),
    verdict: 'breaking',
    consumers: [],
  })
const two = modelOf(2)
const body = (text: string, model = two): string => renderTemplate({ header: '', body: text, footnote: '' }, model).body
const problems = (text: string) =>
  checkTemplate({ header: '', body: text, footnote: '' }).map(({ line, column, message }) => [line, column, message])

test('values, lists, what is not there, comments, and tags that stand alone on a line', () => {
  expect(body('{{ project.name }} {{counts.total}}{{!\nnothing }}')).toBe('Pets 2')
  expect(body('a\n  {{#breaking}}  \n- {{message}} {{from.label}}\n{{/breaking}}\nb')).toBe(
    'a\n- Number 0 &lt;b&gt;next line&lt;/b&gt; 1.0.0\n- Number 1 &lt;b&gt;next line&lt;/b&gt; 1.0.0\nb',
  )
  expect(body('{{#nonBreaking}}x{{/nonBreaking}}{{^nonBreaking}}none{{/nonBreaking}}')).toBe('none')
  expect(body('{{#from}}{{label}}{{/from}}')).toBe('1.0.0')
})

test('values are words: no markup of theirs, no line of their own, no way out of a code span', () => {
  const evil = { ...change(1), message: '`a` and [b](https://c)\n# d <script> @all', witness: null, id: 'x`[y](z)\n' }
  const facts = { project: { id: 'p', slug: 'p', name: '![p](q)' }, from: null, to: { revisionId: '2', label: '2' } }
  const model = changeModelOf({ ...facts, changes: [evil], verdict: 'breaking', consumers: [] })
  expect(body('{{project.name}}|{{#breaking}}{{message}}|`{{id}}`{{/breaking}}', model)).toBe(
    "!\\[p](q)|`a` and \\[b](https://c) # d &lt;script&gt; @\u200Ball|`x'[y](z) `",
  )
})

test('what cannot be used is reported with its line and column', () => {
  const known = 'project, from, to, initialPublication, headline, conclusion, maxSeverity, counts'
  const [unknown] = problems('one\ntwo {{nothing_like_it}}')
  expect(unknown?.slice(0, 2)).toEqual([2, 5])
  expect(String(unknown?.[2])).toStartWith(`unknown field "nothing_like_it"; use one of ${known}`)
  expect(problems('{{headlin}}')).toEqual([[1, 1, 'unknown field "headlin"; did you mean "headline"?']])
  expect([
    problems('{{project.nope}}').length,
    problems('{{constructor}}{{project.__proto__}}').length,
    problems('{{#breaking}}{{message}}{{/breaking}}'),
    problems('{{message}}').length,
    problems('{{> part}}').length,
  ]).toEqual([1, 2, [], 1, 1])
  expect(problems('{{{headline}}}')).toEqual([[1, 1, 'use two braces; three braces are not supported']])
  expect(problems('x\n\n {{headline')).toEqual([[3, 2, '"{{" without "}}"']])
  expect(problems('{{headline}\n}}')).toEqual([[1, 1, '"{{" without "}}"']])
  expect(problems('{{#from}}\n{{/to}}')).toEqual([
    [1, 1, '{{#from}} has no closing tag'],
    [2, 1, '{{/to}} has no opening tag'],
  ])
  expect(problems('{{^from}}{{#breaking}}{{#docsOnly}}x{{/docsOnly}}{{/breaking}}{{/from}}')).toEqual([
    [1, 23, 'the list "docsOnly" cannot be used within the list "breaking"'],
  ])
  expect(problems(`${'{{#from}}'.repeat(21)}x${'{{/from}}'.repeat(21)}`)).toEqual([
    [1, 181, '{{#from}} is nested deeper than 20 sections'],
  ])
})

test('ten thousand changes: the model names how many it leaves out, and no text grows past its bound', () => {
  const many = modelOf(10_000)
  expect([many.breaking.length, many.omitted, many.counts.breaking]).toEqual([300, 9700, 10_000])
  const long = body(`{{#breaking}}${'x'.repeat(90_000)}{{/breaking}}`, many)
  expect(long.length).toBeLessThan(longestText + 200)
  expect(long).toEndWith(`… The rest is omitted: the text is longer than ${longestText} characters.`)
  // Texts of the longest size whose tags repeat: each ends. How long they take is measured by bench/hostile.ts.
  for (const text of [
    `{{${' '.repeat(99_998)}`,
    '{{'.repeat(50_000),
    '{{ '.repeat(33_000),
    '{{#from}}'.repeat(11_000),
    '{{#breaking}}{{/breaking}}'.repeat(3800),
    '{{headline}}'.repeat(8000),
    ' \n'.repeat(50_000),
  ]) {
    checkTemplate({ header: '', body: text, footnote: '' })
    body(text, many)
  }
})
