/** Patterns beyond regular expressions, and names that objects treat in a special way: decided where a short value decides. */
import { describe, expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const answer = (base: string, head: string): readonly [string, string | undefined] => {
  const read = (text: string) => parseDocument(text, { source: 'schema.json' })
  const { verdict, witness } = diff(read(base), read(head), { mode: 'backward' })
  return [verdict, witness ? JSON.stringify(witness.value) : undefined]
}

describe('patterns', () => {
  const cases: readonly (readonly [base: string, head: string, there: string, back: string])[] = [
    ['(?<=a)b', 'ab', 'safe', 'safe'],
    ['a(?=b)', 'ab', 'safe', 'safe'],
    ['^(?=.*[0-9])(?=.*[a-z]).{8,}$', '^(?=.*[0-9]).{8,}$', 'safe', '"00000000"'],
    ['^(?!foo).*$', '^(?!fo).*$', '"fo"', 'safe'],
    ['^.*(?<!foo)$', '^.*(?<!x)$', '"x"', '"foo"'],
    ['\\bfoo\\b', 'foo', 'safe', '"fooa"'],
    ['^(a|b)\\1$', '^(aa|bc)$', '"bb"', '"bc"'],
    ['^(.)\\1$', '^(.)\\1\\1$', '"aa"', '"aaa"'],
    // Equal, which no short value shows.
    ['^(a|b)\\1$', '^(aa|bb)$', 'unknown', 'unknown'],
  ]
  const told = (base: string, head: string): string => {
    const of = (pattern: string) => JSON.stringify({ type: 'string', pattern })
    const [verdict, value] = answer(of(base), of(head))
    return value ?? verdict
  }
  test.each(cases)('%s, then %s', (base, head, there, back) => {
    expect([told(base, head), told(head, base)]).toEqual([there, back])
  })

  test('names by a pattern that looks ahead', () => {
    const names = (pattern: string) => JSON.stringify({ type: 'object', propertyNames: { pattern } })
    expect(answer(names('^(?!x)'), names('^(?!y)'))).toEqual(['breaking', '{"y":"a"}'])
  })
})

describe('a property named __proto__', () => {
  const proto = (schema: string, more = ''): string => `{"type":"object","properties":{"__proto__":${schema}}${more}}`
  const open = '{"type":"object"}'
  const closed = '{"type":"object","additionalProperties":false}'
  const cases: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
    [proto('{"type":"string"}'), proto('{"type":"integer"}'), '{"__proto__":"a"}', '{"__proto__":0}'],
    [proto('{"type":"string"}'), proto('{"type":["string","null"]}'), undefined, '{"__proto__":null}'],
    [open, '{"type":"object","required":["__proto__"]}', '{}', undefined],
    [proto('true', ',"additionalProperties":false'), closed, '{"__proto__":"a"}', undefined],
  ]
  test.each(cases)('%s, then %s', (base, head, there, back) => {
    expect([answer(base, head), answer(head, base)]).toEqual([
      [there === undefined ? 'safe' : 'breaking', there],
      [back === undefined ? 'safe' : 'breaking', back],
    ])
  })
})
