import { expect, test } from 'bun:test'
import type { Finding } from '../../../src/lint/finding.ts'
import agent from '../../../src/report/formats/agent.ts'
import type { FindingReport } from '../../../src/report/report.ts'

const finding = (more: Partial<Finding>): Finding => ({
  code: 'some-rule',
  severity: 'warning',
  message: 'Say more',
  path: ['info'],
  pointer: '/info',
  source: 'api.yaml',
  range: { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } },
  fingerprint: 'f1',
  documentationUrl: null,
  fix: null,
  ...more,
})
const nasty = finding({
  code: 'other-rule',
  severity: 'error',
  message: 'a <b> & "c"\nsecond line \u0007',
  source: 'other file.yaml',
  range: { start: { line: 0, character: 0 }, end: { line: 3, character: 1 } },
  fingerprint: 'f2',
})
const empty: FindingReport = { findings: [], grade: null, sources: new Map(), toolVersion: '9.9.9' }
const report: FindingReport = {
  findings: [finding({}), nasty],
  grade: {
    score: 81.2,
    letter: 'B',
    cap: null,
    deductions: [{ code: 'other-rule', severity: 'error', hits: 1, targets: 4, points: 15 }],
  },
  sources: new Map([['api.yaml', 'openapi: 3.1.0\ninfo: <script>\n']]),
  toolVersion: '9.9.9',
}
const write = (given: FindingReport): string => agent.findings?.(given, { colour: false }) ?? ''

test('agent: the answer of lint.check, fingerprints first, a finding a line, with the exact edits of its text', () => {
  const fix = { description: 'Correct it', edits: [{ start: 15, end: 19, text: 'Info' }] }
  const text = write({ ...report, findings: [finding({ fix }), nasty], guide: 'svc:recommended' })
  const lines = text.split('\n')
  expect(lines.map((it) => it.slice(0, 30))).toEqual(
    [
      '{"guide":"svc:recommended","gra',
      '{"fingerprint":"f2","code":"ot',
      '{"fingerprint":"f1","code":"so',
      '],"truncated":false,"next_curs',
      '',
    ].map((it) => it.slice(0, 30)),
  )
  expect(JSON.parse(text)).toEqual({
    guide: 'svc:recommended',
    grade: 'B',
    score: 81.2,
    total: 2,
    findings: [
      {
        fingerprint: 'f2',
        code: 'other-rule',
        file: nasty.source,
        severity: 'error',
        message: nasty.message,
        path: ['info'],
        line: 1,
        column: 1,
      },
      {
        fingerprint: 'f1',
        code: 'some-rule',
        file: 'api.yaml',
        severity: 'warning',
        message: 'Say more',
        path: ['info'],
        line: 2,
        column: 3,
        fix: {
          description: 'Correct it',
          edits: [{ line: 2, column: 1, end_line: 2, end_column: 5, text: 'Info' }],
          visible: null,
        },
      },
    ],
    truncated: false,
    next_cursor: null,
  })
  expect(JSON.parse(write(empty))).toMatchObject({ grade: null, total: 0, findings: [] })
})

test('agent: documents that list tools have what these take', () => {
  const tools = { count: 2, tokens: 1200, savedByDefs: 30 }
  expect(JSON.parse(write({ ...empty, tools })).tools).toEqual({ count: 2, tokens: 1200, saved_by_defs: 30 })
  expect(Object.keys(JSON.parse(write(empty)) as object)).not.toContain('tools')
})
