import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatFragment, formatPointer, getPointer, parseFragment, parsePointer } from '../../../src/kernel/pointer.ts'

// The examples of RFC 6901, section 5.
const example = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}

test.each([
  ['', example],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
  ['/foo/2', undefined],
  ['/foo/00', undefined],
  ['/foo/-', undefined],
  ['/toString', undefined],
  ['foo', undefined],
  ['/~2', undefined],
])('%j', (pointer, wanted) => {
  expect(getPointer(example, pointer)).toEqual(wanted)
})

test('fragments are percent-encoded', () => {
  expect(formatFragment(['paths', '/pets/{id}', 'get'])).toBe('#/paths/~1pets~1%7Bid%7D/get')
  expect(parseFragment('#/paths/~1pets~1%7Bid%7D/get')).toEqual(['paths', '/pets/{id}', 'get'])
  expect(parseFragment('#/a%')).toEqual(['a%'])
  expect(parseFragment('#name')).toBeNull()
})

test('every path survives the way through a pointer and a fragment', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (path) => {
      expect(parsePointer(formatPointer(path))).toEqual(path)
      expect(parseFragment(formatFragment(path))).toEqual(path)
    }),
  )
})
