import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changedLines } from '../../../src/document/changed-lines.ts'
import { editsBetween, editText, offsetIn } from '../../../src/document/edit-text.ts'

const at = (line: number, character: number) => ({ line, character })

test('edits have the positions of the text before any of them', () => {
  const text = 'one\ntwo\nthree\n'
  expect(editText(text, [])).toBe(text)
  expect(
    editText(text, [
      { start: at(0, 0), end: at(0, 3), text: '1' },
      { start: at(1, 3), end: at(2, 0), text: '!\n' },
      { start: at(3, 0), end: at(3, 0), text: 'four' },
    ]),
  ).toBe('1\ntwo!\nthree\nfour')
})

test('the line breaks of the text are kept, and positions do not count them', () => {
  expect(editText('a\r\nb\r\n', [{ start: at(0, 1), end: at(1, 1), text: '\nx\ny' }])).toBe('a\r\nx\r\ny\r\n')
  expect(editText('a\r\nb', [{ start: at(0, 99), end: at(0, 99), text: '!' }])).toBe('a!\r\nb')
  expect(editText('\uFEFFa\nb', [{ start: at(0, 0), end: at(0, 1), text: 'A' }])).toBe('\uFEFFA\nb')
  expect([offsetIn('ab\ncd', at(1, 1)), offsetIn('ab\ncd', at(1, 9))]).toEqual([4, 5])
})

test('edits that overlap, are not in order or outside of the text are refused by their number', () => {
  const refused = (...edits: Parameters<typeof editText>[1]): string => {
    try {
      return editText('one\ntwo', edits)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect([
    refused({ start: at(0, 0), end: at(0, 2), text: '' }, { start: at(0, 1), end: at(0, 3), text: '' }),
    refused({ start: at(1, 2), end: at(1, 1), text: '' }),
    refused({ start: at(2, 0), end: at(2, 0), text: '' }),
  ]).toEqual([
    'Edit 2 is not behind the one before it: give edits in the order of the text.',
    'Edit 1 is not behind the one before it: give edits in the order of the text.',
    'Line 3 is given, but the text has 2 lines.',
  ])
})

test('the edits between two texts make one of the other', () => {
  const line = fc.constantFrom('a', 'b', 'c', '', 'd')
  const texts = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      expect(editText(before, editsBetween(before, after, changedLines(before, after)))).toBe(after)
    }),
  )
})
