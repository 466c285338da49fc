import { describe, expect, test } from 'bun:test'
import type { Change } from '../../../src/diff/change.ts'
import { reportFormats } from '../../../src/report/formats.gen.ts'
import type { ChangeReport, ReportFormat } from '../../../src/report/report.ts'

const range = { start: { line: 4, character: 2 }, end: { line: 4, character: 9 } }
const change: Change = {
  id: 'schema-pattern-added',
  severity: 'breaking',
  classification: 'breaking',
  method: 'POST',
  path: '/a',
  direction: 'request',
  base: null,
  head: { pointer: '/a/b', range },
  before: null,
  after: '<b>',
  message: 'The pattern <b> & "c"\nwas added',
  witness: { value: '`]]>', at: '', acceptedBy: 'base', reason: 'x' },
  operations: ['POST /a', 'GET /b', 'GET /c'],
  consumers: ['shop'],
  fingerprint: 'f00',
}
const report: ChangeReport = {
  changes: [change],
  counts: { breaking: 1, 'non-breaking': 0, 'docs-only': 0 },
  maxSeverity: 'breaking',
  base: 'old.yaml',
  head: 'api, new.yaml',
  verdict: 'It breaks.',
  toolVersion: '0.1.0',
}
const formats: Readonly<Record<string, ReportFormat>> = reportFormats
const write = (id: string): string => formats[id]!.changes!(report, { colour: false })

test('agent: the answer of diff.compare, fingerprints first, a change a line', () => {
  const text = write('agent')
  expect(text).toStartWith(
    '{"verdict":"breaking","breaking":1,"total":1,"changes":[\n{"fingerprint":"f00","id":"schema-pattern-added",',
  )
  expect(JSON.parse(text)).toEqual({
    verdict: 'breaking',
    breaking: 1,
    total: 1,
    changes: [
      {
        fingerprint: 'f00',
        id: 'schema-pattern-added',
        severity: 'breaking',
        classification: 'breaking',
        operation: 'POST /a',
        path: '/a/b',
        message: change.message,
        witness: { value: '`]]>', at: '', accepted_by: 'base', reason: 'x' },
      },
    ],
    consumers: [],
    truncated: false,
    next_cursor: null,
  })
})

describe('reports of changes', () => {
  test('Markdown names the verdict, the operations, the proof and who is hit', () => {
    const text = write('markdown')
    expect(text.split('\n').slice(0, 2)).toEqual(['<!-- svc-diff: api-new.yaml -->', '## 🛑 1 breaking change'])
    for (const part of [
      '### `POST /a`, `GET /b` and 1 more operation',
      'was added — in the request `schema-pattern-added` `api, new.yaml:5`',
      '&lt;b&gt;',
      '``"`]]>"``',
      '- affects `shop`',
      '<summary>3 operations</summary>',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('<b>')
  })

  test('markup is escaped', () => {
    expect(write('junit')).toContain('message="The pattern &lt;b&gt; &amp; &quot;c&quot;')
    expect(write('html')).toContain('The pattern &lt;b&gt; &amp; &quot;c&quot;')
  })

  test('annotations keep to one line and escape what separates', () => {
    expect(write('github-actions').split('\n')[0]).toBe(
      '::error file=api%2C new.yaml,line=5,title=schema-pattern-added::POST /a, GET /b and 1 more operation: The pattern <b> & "c"%0Awas added; clients that send "`]]>" will be rejected; affects shop.',
    )
  })

  test('programs get JSON', () => {
    expect(JSON.parse(write('ndjson'))).toEqual(change)
    expect(JSON.parse(write('json'))).toMatchObject({
      summary: { verdict: 'breaking' },
      changes: [{ fingerprint: 'f00' }],
    })
    expect(JSON.parse(write('gitlab'))).toEqual([
      {
        description: `${change.message}; clients that send "\`]]>" will be rejected; affects shop.`,
        check_name: change.id,
        fingerprint: 'f00',
        severity: 'critical',
        location: { path: 'api, new.yaml', lines: { begin: 5 } },
      },
    ])
    expect(JSON.parse(write('sarif'))).toMatchObject({
      runs: [
        {
          results: [
            {
              ruleId: change.id,
              level: 'error',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'api,%20new.yaml' },
                    region: { startLine: 5, startColumn: 3, endColumn: 10 },
                  },
                },
              ],
            },
          ],
        },
      ],
    })
  })
})

test('text: the last line counts undecided changes apart from breaking ones', () => {
  const undecided: Change = { ...change, classification: 'unknown', fingerprint: 'f01', message: 'Not decided' }
  const both = { ...report, changes: [change, undecided], counts: { ...report.counts, breaking: 2 } }
  const last = (of: ChangeReport): string | undefined =>
    reportFormats.text.changes?.(of, { colour: false }).trimEnd().split('\n').at(-1)
  expect(last(both)).toBe('1 breaking, 1 undecided, 0 non-breaking, 0 documentation only. It breaks.')
  expect(last(report)).toBe('1 breaking, 0 non-breaking, 0 documentation only. It breaks.')
})
