/** What gates read is valid against the schemas of its formats, with any content. */
import { expect, test } from 'bun:test'
import { junitProblems, sarifProblems } from '../../schemas/judges.ts'
import { evidenceAsJunit, evidenceAsSarif, type SecondOpinion } from '../../../src/compat/gate-output.ts'
import { differencesBetween, readForeignFindings } from '../../../src/compat/second-opinion.ts'
import type { Change } from '../../../src/diff/change.ts'
import { diff } from '../../../src/diff/diff.ts'
import type { ChangeReport } from '../../../src/report/report.ts'
import { api, documentOf } from '../contracts/documents.ts'

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const text = { type: 'string' }
const reportOf = (changes: readonly Change[]): ChangeReport => ({
  changes,
  counts: { breaking: changes.length, 'non-breaking': 0, 'docs-only': 0 },
  maxSeverity: changes.length > 0 ? 'breaking' : null,
  base: 'pets & co@1.0.0 <a>',
  head: 'pets & co@2.0.0 "b"',
  verdict: 'Said.',
  toolVersion: '1.2.3',
})

const { changes } = diff(
  documentOf(api(object({ id: text, 'a<b>&"c"': text }), { request: object({ n: text }), path: '/things/{id}' })),
  documentOf(
    api(object({ id: { type: 'integer' } }), { request: object({ n: text, 'm]]>': text }), path: '/things/{id}' }),
  ),
)
const second: SecondOpinion = {
  tool: 'oasdiff',
  version: null,
  findings: [
    { id: 'one', classification: 'breaking', message: 'first <line>\nsecond & "more" \u0007', operation: 'GET /a' },
    { id: 'two', classification: 'safe', message: '', operation: null },
  ],
}

test('there are changes to write', () => expect(changes.length).toBeGreaterThan(2))

for (const [name, list, other] of [
  ['ours alone', changes, null],
  ['ours and another tool', changes, second],
  ['nothing changed', [], null],
  ['nothing changed, and the other tool says so', [], { ...second, findings: [] }],
] as const) {
  test(`SARIF fits its schema: ${name}`, () => {
    expect(sarifProblems(evidenceAsSarif(reportOf(list), other))).toEqual([])
  })
  test(`JUnit fits its schema: ${name}`, () => {
    expect(junitProblems(evidenceAsJunit(reportOf(list), other))).toBe('')
  })
}

test('SARIF has a run for each tool that ran', () => {
  const runs = (other: SecondOpinion | null) =>
    (
      JSON.parse(evidenceAsSarif(reportOf(changes), other)) as { runs: { tool: { driver: { name: string } } }[] }
    ).runs.map((it) => it.tool.driver.name)
  expect([runs(null).length, runs(second).at(-1), runs(second).length]).toEqual([1, 'oasdiff', 2])
})

test('the suite of another tool counts what is not safe as failures', () => {
  const findings: SecondOpinion['findings'] = [
    ...second.findings,
    { ...second.findings[0]!, classification: 'unknown' },
  ]
  const xml = evidenceAsJunit(reportOf([]), { ...second, findings })
  const suite = xml.slice(xml.indexOf('name="oasdiff"'))
  expect(suite).toContain('tests="3" failures="2"')
  expect(suite.match(/<failure /g)).toHaveLength(2)
  expect(suite).toContain('type="breaking"/>')
  expect(suite).toContain('type="unknown"/>')
  expect(suite).toContain('classname="GET /a"')
  const none = evidenceAsJunit(reportOf([]), { ...second, findings: [] })
  expect(none.slice(none.indexOf('name="oasdiff"'))).toContain('tests="0" failures="0"')
  expect(none.slice(none.indexOf('name="oasdiff"'))).toContain('<properties/>\n    <system-out/>')
})

test('findings of another tool: each needs an id and a level; an operation needs its method and its path', () => {
  const read = (one: unknown): unknown => readForeignFindings(JSON.stringify([one]))
  const wrong = 'an entry of its output has no id and level'
  const odd = [null, 7, 'x', [], {}, { id: 'a' }, { level: 3 }, { id: '', level: 3 }, { id: 7, level: 3 }]
  for (const one of [...odd, { id: 'a', level: true }, { id: 'a', level: null }])
    expect([one, read(one)]).toEqual([one, wrong])
  const good = { id: 'a', classification: 'breaking', message: 'a', operation: null }
  expect(read({ id: 'a', level: 3 })).toEqual([good])
  expect(read({ id: 'a', level: 'ERR', text: '' })).toEqual([good])
  expect(read({ id: 'a', level: 9, text: 'said' })).toEqual([{ ...good, classification: 'unknown', message: 'said' }])
  expect(read({ id: 'a', level: 3, operation: 'get', path: '/a' })).toEqual([{ ...good, operation: 'GET /a' }])
  const halves = [{ operation: 'get' }, { path: '/a' }, { operation: 'get', path: 'a' }, { operation: '', path: '/a' }]
  for (const one of halves) expect([one, read({ id: 'a', level: 3, ...one })]).toEqual([one, [good]])
})

test('the schemas refuse what is wrong', () => {
  expect(sarifProblems('{"version":"2.1.0","runs":[{"results":[]}]}')).not.toEqual([])
  expect(junitProblems('<testsuites><testsuite name="x"/></testsuites>')).not.toBe('')
})

test('the output of another tool is read, and other texts are refused', () => {
  const list = [{ id: 'a', text: 'A', level: 3, operation: 'GET', path: '/a' }]
  const found = [{ id: 'a', classification: 'breaking', message: 'A', operation: 'GET /a' }] as const
  expect(readForeignFindings(JSON.stringify(list))).toEqual([...found])
  expect(readForeignFindings(JSON.stringify({ changes: list }))).toEqual([...found])
  expect(readForeignFindings('')).toEqual([])
  expect(readForeignFindings('null')).toEqual([])
  expect(readForeignFindings('oops')).toStartWith('its output is not JSON')
  expect(readForeignFindings('{}')).toBe('its output is not a list of changes')
  expect(readForeignFindings('[{"text":"x"}]')).toBe('an entry of its output has no id and level')
})

test('opinions are compared by operation, names of path parameters aside', () => {
  const one = { ...changes[0]!, operations: ['GET /pets/{id}'], classification: 'breaking' as const }
  const says = (classification: 'safe' | 'breaking' | 'unknown', operation: string | null) => [
    { id: 'x', classification, message: '', operation },
  ]
  expect(differencesBetween([one], says('breaking', 'GET /pets/{petId}'))).toEqual([])
  expect(differencesBetween([], says('safe', 'GET /a'))).toEqual([])
  expect(differencesBetween([one], says('unknown', 'GET /pets/{petId}')).map((it) => [it.ours, it.theirs])).toEqual([
    ['breaking', 'unknown'],
  ])
  expect(differencesBetween([], says('breaking', null)).map((it) => [it.operation, it.ours, it.theirs])).toEqual([
    [null, 'safe', 'breaking'],
  ])
})
