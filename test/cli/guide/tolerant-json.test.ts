import { expect, test } from 'bun:test'
import { correctCommas } from '../../../cli/guide/find.ts'

test('missing and trailing commas are corrected without moving a line', () => {
  expect(correctCommas('{\n  "a": 1\n  "b": [1, 2,],\n}')).toEqual({
    text: '{\n  "a": 1,\n  "b": [1, 2 ] \n}',
    places: ['3:3', '3:14', '4:1'],
  })
})

test('sound JSON and other faults are left alone', () => {
  for (const text of ['{"a": 1}', '{"a": }', '{"a" 1}', '{"a": 1', '{,}', '']) expect(correctCommas(text)).toBeNull()
})
