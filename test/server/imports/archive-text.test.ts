import { expect, test } from 'bun:test'
import { readArchiveText } from '../../../server/imports/archive-text.ts'
import { SvcError } from '../../../src/errors.ts'

const read = (text: string): unknown => {
  try {
    return new TextDecoder().decode(readArchiveText(text))
  } catch (error) {
    return error instanceof SvcError ? error.code : error
  }
}

test('base64 with its padding is read, with line breaks between', () => {
  expect(read('aGVsbG8=')).toBe('hello')
  expect(read('aGVs\r\nbG8=\n')).toBe('hello')
  expect(read('aGVsbG8h')).toBe('hello!')
})

test('everything else is refused, wherever the fault is', () => {
  const faulty = [
    '',
    'A',
    '!!!',
    'AAAAA',
    'aGVsbG8==',
    'aGVsbG8',
    'aGVsbG9=',
    'aG-sbG8=',
    `${'A'.repeat(400)}!${'A'.repeat(399)}`,
  ]
  expect(faulty.map(read)).toEqual(faulty.map(() => 'request-malformed'))
})
