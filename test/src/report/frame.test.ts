import { expect, test } from 'bun:test'
import { codeFrame } from '../../../src/report/frame.ts'

const range = (line: number, from: number, to: number, endLine = line) => ({
  start: { line, character: from },
  end: { line: endLine, character: to },
})
const text = 'openapi: 3.1.0\r\ninfo:\r\n  title: 7\r\npaths: {}\r\n'

test('a frame shows the lines before, the line, and carets below the place', () => {
  expect(codeFrame(text, range(2, 9, 10), { colour: false })).toBe(
    '  1 | openapi: 3.1.0\n  2 | info:\n> 3 |   title: 7\n    |          ^\n',
  )
})

test('a place of several lines is marked to the end of its first one', () => {
  expect(codeFrame(text, range(1, 0, 10, 2), { colour: false, before: 0 })).toBe('> 2 | info:\n    | ^^^^^\n')
})

test('of a long line the part around the place is shown, with the caret below it', () => {
  const long = `{"a":"${'x'.repeat(300)}","b":1}`
  const at = long.indexOf('"b"')
  const [line = '', carets = ''] = codeFrame(long, range(0, at, at + 3), { colour: false, columns: 48 }).split('\n')
  expect(line.length).toBeLessThan(60)
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('"b"')
})

test('a text does not steer the terminal, and a line that is not there has no frame', () => {
  expect(codeFrame('a\u001b[2Jb\tc', range(0, 6, 7), { colour: false })).toBe('> 1 | a\uFFFD[2Jb c\n    |       ^\n')
  expect(codeFrame('a', range(4, 0, 0), { colour: false })).toBe('')
})

test('a value on later lines is marked by its key', () => {
  const text = 'a:\n  - get:\n      b: 1\n'
  expect(
    codeFrame(text, { start: { line: 1, character: 8 }, end: { line: 2, character: 10 } }, { colour: false }),
  ).toBe('  1 | a:\n> 2 |   - get:\n    |     ^^^^\n')
})
