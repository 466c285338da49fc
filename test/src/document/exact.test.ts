import { describe, expect, test } from 'bun:test'
import { compareNumbers, isExact, isInteger, numericOfText, writeExactly } from '../../../src/document/exact.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const exactly = (text: string, source: string): string => {
  const document = parseDocument(text, { source })
  return JSON.stringify(document.exactValue())
}

describe('numbers of a document', () => {
  test('those that no double holds keep their digits, in JSON', () => {
    const text = '{"a":9007199254740993,"b":[1e400,-1e-400],"c":0.10,"d":"9007199254740993","e":1e25,"f":-0}'
    expect(exactly(text, 'a.json')).toBe(
      '{"a":"9007199254740993","b":["1e400","-1e-400"],"c":0.1,"d":"9007199254740993","e":1e+25,"f":0}',
    )
  })

  test('and in YAML, through aliases and merge keys', () => {
    const text =
      'a: &big 9007199254740993\nb: *big\nc: &map {d: 1e400}\ne: {<<: *map}\nf: !!str 9007199254740993\ng: 0xFFFFFFFFFFFFFFFF\n'
    expect(JSON.parse(exactly(text, 'a.yaml'))).toEqual({
      a: '9007199254740993',
      b: '9007199254740993',
      c: { d: '1e400' },
      e: { d: '1e400' },
      f: '9007199254740993',
      g: '18446744073709551615',
    })
  })

  test('without any the value is the value', () => {
    const document = parseDocument('{"a":[1,0.5]}', { source: 'a.json' })
    expect(document.exactValue()).toBe(document.value)
  })

  test('a number beyond all doubles is a warning, and no number an error', () => {
    const problems = (text: string, source: string) => parseDocument(text, { source }).problems.map((it) => it.code)
    expect(problems('{"a":1e400}', 'a.json')).toEqual(['number-out-of-range'])
    expect(problems('a: .inf', 'a.yaml')).toEqual(['number-not-finite'])
    expect(parseDocument('{"a":-1e400}', { source: 'a.json' }).value).toEqual({ a: -Number.MAX_VALUE })
  })
})

test('numbers are compared as decimals', () => {
  const numbers = [
    '-1e400',
    '-9007199254740993',
    '-9007199254740992',
    '-0.1',
    '-1e-400',
    '0',
    '1e-400',
    '0.1',
    '0.10000000000000000001',
    '9007199254740993',
    '1e400',
    '1.0000000000000000000001e400',
  ]
  const found = numbers.map((it) => numericOfText(it)!)
  for (const [i, a] of found.entries())
    for (const [j, b] of found.entries()) expect(Math.sign(compareNumbers(a, b))).toBe(Math.sign(i - j))
  expect(numericOfText('10e-1')).toBe(1)
  expect(numericOfText('1e25')).toBe(1e25)
  expect(numericOfText('abc')).toBeNull()
  expect(found.map((it) => isExact(it))).toEqual(
    numbers.map((it) => !['-9007199254740992', '-0.1', '0', '0.1'].includes(it)),
  )
  expect([numericOfText('9007199254740993')!, numericOfText('1e400')!, numericOfText('0.5')!].map(isInteger)).toEqual([
    true,
    true,
    false,
  ])
})

test('numbers that no double holds are written with their digits for people', () => {
  const value = parseDocument('{"a":[9007199254740993,1],"b":"x"}', { source: 'a.json' }).exactValue()
  expect(writeExactly(value)).toBe('{"a":[9007199254740993,1],"b":"x"}')
  expect(writeExactly(undefined)).toBeUndefined()
})
