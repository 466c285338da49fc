/** What the review page is made of, without a browser: rows of the source, mentions that are typed. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Marks, marksOf, placeName, placesAround, rowAt, rowOfLine } from '../../web/src/features/reviews/marks.ts'
import { insertMention, typedMention } from '../../web/src/features/reviews/mention.ts'

const marksAt = (lines: readonly number[]): Marks[] =>
  lines.map((line) => ({ line, changes: [], findings: [], threads: [], writing: false }))

test('rows are the lines, with what belongs to a line below it', () => {
  const marks = marksAt([0, 2])
  const rows = Array.from({ length: 6 }, (_, row) => {
    const found = rowAt(marks, row)
    return 'line' in found ? found.line : `below ${found.marks.line}`
  })
  expect(rows).toEqual([0, 'below 0', 1, 2, 'below 2', 3])
})

test('what was changed, found and said stands at its line, and so does what is being written', () => {
  const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } })
  const changes = [
    { id: 'a', head: { pointer: '/a', range: range(4) } },
    { id: 'b', head: null },
    { id: 'c', head: { pointer: '/c', range: null } },
    { id: 'd', head: { pointer: '/d', range: range(0) } },
  ]
  const given = { changes, findings: [{ range: range(4) }], threads: [{ place: { range: range(9) } }] } as never
  const brief = (writingAt: number | null) =>
    marksOf(given, writingAt).map(({ line, changes: own, findings, threads, writing }) => [
      line,
      own.map(({ id }) => id),
      findings.length,
      threads.length,
      writing,
    ])
  const read = [
    [0, ['d'], 0, 0, false],
    [4, ['a'], 1, 0, false],
    [9, [], 0, 1, false],
  ]
  expect(brief(null)).toEqual(read)
  expect(brief(0)).toEqual([[0, ['d'], 0, 0, true], ...read.slice(1)])
  expect(brief(6)).toEqual([...read.slice(0, 2), [6, [], 0, 0, true], ...read.slice(2)])
})

test('every line has one row, whatever is below the lines', () => {
  const lines = fc.uniqueArray(fc.nat(30)).map((all) => all.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(lines, (at) => {
      const marks = marksAt(at)
      const total = 31
      const rows = Array.from({ length: total + at.length }, (_, row) => rowAt(marks, row))
      expect(rows.flatMap((it) => ('line' in it ? [it.line] : []))).toEqual(
        Array.from({ length: total }, (_, it) => it),
      )
      expect(rows.flatMap((it) => ('marks' in it ? [it.marks.line] : []))).toEqual(at)
      for (let line = 0; line < total; line++) expect(rowAt(marks, rowOfLine(marks, line))).toEqual({ line })
    }),
  )
})

test('a comment may be about a place or anything around it', () => {
  expect(placesAround('/paths/~1pets/get')).toEqual(['/paths/~1pets/get', '/paths/~1pets', '/paths', ''])
  expect(placesAround('')).toEqual([''])
  expect([placeName('/paths/~1pets~0/get'), placeName('')]).toEqual(['paths › /pets~ › get', 'Whole document'])
})

test('a mention begins at the start of a word', () => {
  expect(typedMention('Hello @gra', 10)).toEqual({ start: 6, text: 'gra' })
  expect(typedMention('@', 1)).toEqual({ start: 0, text: '' })
  expect(typedMention('a@example.com', 13)).toBe(null)
  expect(typedMention('@gra and', 8)).toBe(null)
  expect(typedMention('@[Grace](user:1)', 16)).toBe(null)
})

test('what was typed is replaced by the member, and the caret is behind it', () => {
  const typed = { start: 6, text: 'gra' }
  expect(insertMention('Hello @gra, you', typed, { user_id: 'u2', name: 'Grace [G] Hopper' })).toEqual({
    text: 'Hello @[Grace  G  Hopper](user:u2) , you',
    caret: 35,
  })
})
