import { expect, test } from 'bun:test'
import { exitCodes, type Thresholds, worst } from '../../../src/lint/judge.ts'
import { deadRules, type Linted, lintTarget, rankByImpact } from '../../../cli/lint/outcome.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import type { GradeLetter, GradeResult } from '../../../src/lint/grade.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { rules } from '../../../src/lint/rules.gen.ts'
import { defaultGuideOptions } from '../../../src/lint/ruleset.ts'

const text = `openapi: 3.1.0
paths:
  /a: { get: { responses: { '200': { $ref: '#/components/responses/Ok' } } } }
  /b: { get: { responses: { '200': { $ref: '#/components/responses/Ok' } } } }
components:
  responses: { Ok: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } } }
  schemas:
    Alone: { type: array }
    Tree: { type: array }
`

test('the worst comes first, and of one severity what most operations reach', async () => {
  const ruleset = Object.fromEntries(
    ['array-items', 'oas3-api-servers'].map((id) => [id, rules[id] ?? { given: [], then: [] }]),
  )
  const all = [
    await lintTarget({ document: parseDocument(text, { source: 'api.yaml' }), documents: {} }, ruleset, {
      chosen: true,
    }),
  ]
  const left = all.flatMap((it) => it.findings)
  expect(left.map((it) => it.pointer)).toEqual(['', '/components/schemas/Alone', '/components/schemas/Tree'])
  const { findings, reach } = rankByImpact(all, left)
  expect(findings.map((it) => [it.pointer, reach.get(it)])).toEqual([
    ['/components/schemas/Tree', 2],
    ['/components/schemas/Alone', 0],
    ['', 0],
  ])
})

const graded = (letter: GradeLetter, score = 50): GradeResult => ({ letter, score, cap: null, deductions: [] })
const linted = (grade: GradeResult | null, readable = true): Linted =>
  ({ grade, readable, findings: [], skipped: [], matched: new Map() }) as unknown as Linted
const found = (severity: Finding['severity']): Finding => ({ severity }) as Finding
const nothing: Thresholds = { failOn: 'none', failOnNew: false, minGrade: undefined }

test('the exit codes of a run: unreadable, findings, grades, nothing graded', () => {
  const codes = (all: readonly Linted[], left: readonly Finding[] = [], asked: Partial<Thresholds> = {}) =>
    exitCodes(all, left, { ...nothing, ...asked })
  const good = linted(graded('A'))
  expect(codes([good])).toEqual([])
  expect(codes([good, linted(graded('F'), false)])).toEqual([6])
  expect(codes([good], [found('error')])).toEqual([])
  expect(codes([good], [found('warning')], { failOn: 'error' })).toEqual([])
  expect(codes([good], [found('warning')], { failOn: 'warning' })).toEqual([4])
  expect(codes([good], [found('error')], { failOn: 'info' })).toEqual([4])
  expect(codes([good], [found('hint')], { failOnNew: true })).toEqual([4])
  expect(codes([good], [], { failOnNew: true })).toEqual([])
  expect(codes([good, linted(graded('C'))], [], { minGrade: 'B' })).toEqual([4])
  expect(codes([linted(graded('B')), good], [], { minGrade: 'B' })).toEqual([])
  expect(codes([linted(null), good], [], { minGrade: 'A' })).toEqual([])
  expect(codes([linted(null), good])).toEqual([])
  expect(codes([linted(null)], [], { minGrade: 'A' })).toEqual([5])
  expect(codes([])).toEqual([5])
})

test('the worst grade of several, of one letter the lower score', () => {
  expect(worst([graded('A'), null, graded('C', 72), graded('C', 70), graded('B')])).toEqual(graded('C', 70))
  expect(worst([graded('B', 1), graded('D', 99)])?.letter).toBe('D')
  expect(worst([null])).toBeNull()
})

test('rules that found nothing to look at in any document', () => {
  const of = (matched: [string, boolean][]) => ({ ...linted(null), matched: new Map(matched) })
  expect(
    deadRules([
      of([
        ['b', false],
        ['a', false],
        ['c', true],
      ]),
      of([
        ['b', true],
        ['a', false],
      ]),
    ]),
  ).toEqual(['a'])
})

const ruleset = { 'oas3-api-servers': rules['oas3-api-servers'] ?? { given: [], then: [] } }
const lintText = (text: string, more: Partial<Parameters<typeof lintTarget>[2]> = {}) =>
  lintTarget({ document: parseDocument(text, { source: 'api.yaml' }), documents: {} }, ruleset, {
    chosen: false,
    ...more,
  })

test('a text of no known format is reported, unless a guide was given', async () => {
  const unknown = await lintText('a: 1')
  expect([unknown.findings.map((it) => it.code), unknown.grade, unknown.readable]).toEqual([
    ['unrecognized-format'],
    null,
    true,
  ])
  expect((await lintText('a: 1', { chosen: true })).findings).toEqual([])
  expect((await lintText('openapi: 3.1.0')).findings.map((it) => it.code)).toEqual(['oas3-api-servers'])
})

test('what cannot be read is F; duplicate keys are as bad as the guide says', async () => {
  const broken = await lintText('{')
  expect([broken.readable, broken.grade?.letter]).toEqual([false, 'F'])
  const twice = 'openapi: 3.1.0\nopenapi: 3.1.0\n'
  const readable = async (duplicateKeys?: 'error' | 'warning') =>
    (await lintText(twice, duplicateKeys === undefined ? {} : { guide: { ...defaultGuideOptions, duplicateKeys } }))
      .readable
  expect([await readable(), await readable('error'), await readable('warning')]).toEqual([false, false, true])
  const slash = 'oas3-server-trailing-slash'
  const fixable = parseDocument('openapi: 3.1.0\nservers: [{ url: https://a.example/ }]', { source: 'api.yaml' })
  const one = { [slash]: rules[slash] ?? { given: [], then: [] } }
  const { findings } = await lintTarget({ document: fixable, documents: {} }, one, { chosen: false })
  expect(findings.map((it) => [it.code, it.fix === null])).toEqual([[slash, false]])
  const told = (await lintText(twice, { guide: { ...defaultGuideOptions, duplicateKeys: 'warning' } })).findings
  expect(told.filter((it) => it.code === 'parser').map((it) => it.severity)).toEqual(['warning'])
  expect((await lintText('openapi: 3.1.0')).readable).toBe(true)
  expect((await lintText('{', { guide: { ...defaultGuideOptions, duplicateKeys: 'warning' } })).readable).toBe(false)
})

test('which rules found something to look at', async () => {
  const all = { ...ruleset, 'array-items': rules['array-items'] ?? { given: [], then: [] } }
  const document = parseDocument('openapi: 3.1.0', { source: 'api.yaml' })
  const { matched } = await lintTarget({ document, documents: {} }, all, { chosen: false })
  expect(Object.fromEntries(matched)).toEqual({ 'array-items': false, 'oas3-api-servers': true })
})

test('findings of another document are ranked by their own', async () => {
  const shorter = text.replace(/\n  \/b: .*/, '')
  const [a, b] = await Promise.all(
    ['a.yaml', 'b.yaml'].map((source) =>
      lintTarget(
        { document: parseDocument(source === 'a.yaml' ? text : shorter, { source }), documents: {} },
        { 'array-items': rules['array-items'] ?? { given: [], then: [] } },
        { chosen: true },
      ),
    ),
  )
  const { findings, reach } = rankByImpact([a!, b!], [...b!.findings, ...a!.findings])
  expect(findings.map((it) => [it.source, it.pointer, reach.get(it)])).toEqual([
    ['a.yaml', '/components/schemas/Tree', 2],
    ['a.yaml', '/components/schemas/Alone', 0],
    ['b.yaml', '/components/schemas/Tree', 1],
    ['b.yaml', '/components/schemas/Alone', 0],
  ])
})

test('a finding says why no rule applied', async () => {
  const said = async (
    text: string,
    more: Partial<Parameters<typeof lintTarget>[2]> = {},
    rules: typeof ruleset | object = ruleset,
  ) => {
    const document = parseDocument(text, { source: 'api.yaml' })
    const { findings, grade } = await lintTarget({ document, documents: {} }, rules as typeof ruleset, {
      chosen: false,
      name: 'rules.yaml',
      ...more,
    })
    return [grade, ...findings.map((it) => `${it.code} ${it.pointer} ${it.message}`)]
  }
  const old = 'unrecognized-format /swagger Swagger 1.2 is not supported: supported are Swagger 2.0.'
  expect(await said('swagger: "1.2"')).toEqual([null, old])
  expect(await said('swagger: "1.2"', { chosen: true })).toEqual([null, old])
  expect(await said('openapi: 4.0.0')).toEqual([
    null,
    'unrecognized-format /openapi OpenAPI 4.0.0 is not supported: supported are OpenAPI 3.0, 3.1 and 3.2.',
  ])
  expect(await said('asyncapi: 2.6.0')).toEqual([
    null,
    'unrecognized-format /asyncapi This is AsyncAPI 2.6.0: svc has no rules for it; "svc lint --guide" applies a ruleset of yours, and "svc overlay apply" changes it.',
  ])
  expect(await said('openapi: next')).toEqual([
    null,
    'unrecognized-format /openapi OpenAPI next is not supported: supported are OpenAPI 3.0, 3.1 and 3.2.',
  ])
  expect(await said('openapi: [3]')).toEqual([
    null,
    'unrecognized-format /openapi This OpenAPI document has no version: supported are OpenAPI 3.0, 3.1 and 3.2.',
  ])
  expect(await said('a: 1')).toEqual([
    null,
    'unrecognized-format  This is not an OpenAPI, Arazzo, JSON Schema or MCP document; choose a guide for it with --guide.',
  ])
  expect(await said('openapi: 3.1.0', {}, {})).toEqual([
    null,
    'no-rules  No rule of rules.yaml applies to this document.',
  ])
  // Who names no guide does not ask for it, as an editor with any file.
  expect(await said('openapi: 4.0.0', { chosen: true, name: undefined } as object)).toEqual([null])
  expect(await said('asyncapi: 2.6.0', { guide: { ...defaultGuideOptions, formats: ['oas3'] }, chosen: true })).toEqual(
    [null, 'unrecognized-format  The provided document does not match any of the registered formats [OpenAPI 3.x]'],
  )
})
