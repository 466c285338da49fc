/** What `svc watch` reports of two states, and how it says it. */
import { expect, test } from 'bun:test'
import { roundOf, type Comparison, type DocumentState, type State } from '../../../cli/watch/rounds.ts'
import { withKnown } from '../../../cli/watch/session.ts'
import { writeError, writeRound, writeStart } from '../../../cli/watch/text.ts'
import type { Change } from '../../../src/diff/change.ts'
import type { Finding } from '../../../src/lint/finding.ts'

const range = { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } }
const finding = (fingerprint: string, more: Partial<Finding> = {}): Finding =>
  ({
    code: 'a-rule',
    severity: 'warning',
    message: `Message ${fingerprint}.`,
    source: 'a.yaml',
    range,
    fingerprint,
    ...more,
  }) as Finding
const change = (fingerprint: string, more: Partial<Change> = {}): Change =>
  ({
    fingerprint,
    severity: 'breaking',
    classification: 'breaking',
    operations: ['GET /pets', 'PUT /pets'],
    message: `Change ${fingerprint}`,
    ...more,
  }) as Change
const comparison = (...changes: Change[]): Comparison => ({ base: 'main', conclusion: 'It breaks.', changes })
const grade = { letter: 'B', score: 81 } as DocumentState['grade']
const document = (source: string, state: string, more: Partial<DocumentState> = {}): DocumentState => ({
  source,
  state,
  grade,
  comparison: null,
  ...more,
})
const at = (documents: DocumentState[], ...findings: Finding[]): State => ({ documents, findings })

test('nothing is reported where nothing is different', () => {
  const state = at([document('a.yaml', '1', { comparison: comparison(change('x')) })], finding('f'))
  expect(roundOf(state, structuredClone(state))).toBeNull()
})

test('findings and changes that are new or gone, by document', () => {
  const before = at(
    [
      document('a.yaml', '1', { comparison: comparison(change('x'), change('y')) }),
      document('b.yaml', '1'),
      document('c.yaml', '1'),
    ],
    finding('f'),
    finding('g'),
    finding('h'),
  )
  const now = at(
    [
      document('a.yaml', '2', { comparison: comparison(change('y', { severity: 'non-breaking' }), change('z')) }),
      document('b.yaml', '1'),
      document('d.yaml', '1'),
    ],
    finding('g'),
    finding('h', { severity: 'error' }),
    finding('i'),
  )
  expect(roundOf(before, now)).toEqual({
    documents: [
      {
        source: 'a.yaml',
        event: 'changed',
        grade,
        comparison: {
          base: 'main',
          conclusion: 'It breaks.',
          added: [change('y', { severity: 'non-breaking' }), change('z')],
          gone: [change('x'), change('y')],
        },
      },
      { source: 'd.yaml', event: 'added', grade, comparison: null },
      { source: 'c.yaml', event: 'removed', grade: null, comparison: null },
    ],
    findings: {
      added: [finding('h', { severity: 'error' }), finding('i')],
      gone: [finding('f'), finding('h')],
      count: 3,
    },
  })
})

test('a base that moves is a change of the document; another base is compared as a whole', () => {
  const round = (before: Comparison, now: Comparison) =>
    roundOf(at([document('a.yaml', '1', { comparison: before })]), at([document('a.yaml', '1', { comparison: now })]))
  expect(round(comparison(), comparison(change('x')))?.documents[0]?.comparison?.added).toEqual([change('x')])
  const other = round(comparison(change('x')), { ...comparison(change('x')), base: 'v1' })
  expect(other?.documents[0]?.comparison).toMatchObject({ base: 'v1', added: [change('x')], gone: [] })
})

test('while a document cannot be read, what its rules found is not gone', () => {
  const linted = (source: string, readable: boolean) => ({ document: { source }, readable }) as never
  const before = [
    finding('a'),
    finding('p', { code: 'parser' }),
    finding('r', { source: 'part.yaml' }),
    finding('b', { source: 'b.yaml' }),
  ]
  const fault = finding('q', { code: 'parser' })
  expect(withKnown([fault], [linted('a.yaml', false), linted('b.yaml', true)], before)).toEqual([
    fault,
    finding('a'),
    finding('r', { source: 'part.yaml' }),
  ])
  expect(withKnown([fault], [linted('a.yaml', true)], before)).toEqual([fault])
})

const noon = new Date(2026, 4, 5, 12, 3, 4)

test('plain lines for people', () => {
  const before = at([document('a.yaml', '1', { comparison: comparison() })], finding('f'))
  const now = at(
    [
      document('a.yaml', '2', {
        comparison: comparison(change('x'), change('u', { classification: 'unknown', operations: [] })),
      }),
    ],
    finding('g', { severity: 'error' }),
  )
  const round = roundOf(before, now)
  expect(round === null ? '' : writeRound(round, noon, false)).toBe(`12:03:04 a.yaml
  + a.yaml:3:5  error  a-rule  Message g.
  - a.yaml:3:5  warning  a-rule  Message f.
  Findings: 1 new, 1 gone, 1 in all. Grade B (81 of 100).
  + breaking  GET /pets (+1): Change x
  + undecided  Change u
  Compared with main: It breaks.
`)
  expect(writeStart(before, false)).toBe(`Watching 1 document: 0 errors, 1 warning, 0 info, 0 hints. Ctrl-C ends it.
  a.yaml: Grade B (81 of 100). Compared with main: It breaks.
`)
  expect(writeError('There is no file "a.yaml"', noon, false)).toBe('12:03:04 error: There is no file "a.yaml"\n')
})

test('many lines are counted, and documents that come and go are named', () => {
  const many = Array.from({ length: 45 }, (_, index) => finding(String(index)))
  const round = roundOf(at([document('b.yaml', '1')]), at([document('a.yaml', '1')], ...many))
  const lines = round === null ? [] : writeRound(round, noon, false).split('\n')
  expect(lines[0]).toBe('12:03:04 a.yaml (added), b.yaml (removed)')
  expect(lines.length).toBe(44)
  expect(lines.slice(41)).toEqual(['  + … and 5 more', '  Findings: 45 new, 0 gone, 45 in all.', ''])
  const settings = roundOf(at([document('a.yaml', '1')], finding('f')), at([document('a.yaml', '1')]))
  expect(settings === null ? '' : writeRound(settings, noon, false)).toBe(
    '12:03:04 settings\n  - a.yaml:3:5  warning  a-rule  Message f.\n  Findings: 0 new, 1 gone, 0 in all.\n',
  )
})
