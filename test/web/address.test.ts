import { expect, test } from 'bun:test'
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { readWord, word } from '../../web/src/parts/address.ts'

const parse = parseSearchWith(readWord)
const stringify = stringifySearchWith(String)

test('an address says texts without quotes, and reads what older addresses quoted', () => {
  const texts = ['2022', '1.10', 'true', '"a word"', 'train-travel@1.1.0', '{"a":1}']
  const read = (query: string) => word(parse(query), 'base')
  expect([
    texts.map((base) => stringify({ base })),
    texts.map((base) => read(stringify({ base }))),
    ['?base=%222022%22', '?base=%22true%22', '?base=%221.10%22'].map(read),
  ]).toEqual([
    [
      '?base=2022',
      '?base=1.10',
      '?base=true',
      '?base=%22a+word%22',
      '?base=train-travel%401.1.0',
      '?base=%7B%22a%22%3A1%7D',
    ],
    texts.map((base) => ({ base })),
    [{ base: '2022' }, { base: 'true' }, { base: '1.10' }],
  ])
})
