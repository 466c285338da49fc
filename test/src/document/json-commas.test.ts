import { expect, test } from 'bun:test'
import { correctCommas } from '../../../src/document/json-commas.ts'
import { parseDocument, readTolerantly } from '../../../src/document/parse.ts'

test('missing and trailing commas are corrected without moving a line', () => {
  expect(correctCommas('{\n  "a": 1\n  "b": [1, 2,],\n}')).toEqual({
    text: '{\n  "a": 1,\n  "b": [1, 2 ] \n}',
    places: ['3:3', '3:14', '4:1'],
  })
})

test('sound JSON and other faults are left alone', () => {
  for (const text of ['{"a": 1}', '{"a": }', '{"a" 1}', '{"a": 1', '{,}', '']) expect(correctCommas(text)).toBeNull()
})

test('a document with commas before brackets, or with numbers that are none, keeps its problems and has a value', () => {
  const read = (text: string, source: string) => {
    const { value, problems, locate } = readTolerantly(parseDocument(text, { source }))
    return [value, problems.map((it) => [it.code, it.range.start.character]), locate(['b', 0]).start.character]
  }
  expect(read('{"a": 1, "b": [2,],}', 'a.json')).toEqual([{ a: 1, b: [2] }, [['syntax', 17]], 15])
  expect(read('{"a": 1 "b": [2]}', 'a.json')).toEqual([null, [['syntax', 8]], 0])
  expect(read('{a: .nan, b: [2]}', 'a.yaml')).toEqual([{ a: Number.NaN, b: [2] }, [['number-not-finite', 4]], 14])
  expect(read('{a: 1, b: [2]}', 'a.yaml')).toEqual([{ a: 1, b: [2] }, [], 11])
})
