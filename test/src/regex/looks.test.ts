import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { withoutLooks } from '../../../src/regex/looks.ts'

describe('looks at the edges of an expression', () => {
  const cases: readonly (readonly [string, ReturnType<typeof withoutLooks>])[] = [
    ['(?<=a)b', { source: '(?:a)b', also: [] }],
    ['a(?=b|c)', { source: 'a(?:b|c)', also: [] }],
    [
      '^(?=.*\\d)(?!foo).{8}$',
      {
        source: '^.{8}$',
        also: [
          { source: '^(?:.*\\d)', negative: false },
          { source: '^(?:foo)', negative: true },
        ],
      },
    ],
    ['^.*(?<!foo)$', { source: '^.*$', also: [{ source: '(?:foo)$', negative: true }] }],
    ['a(?!b)', null],
    ['(?=a)b', null],
    ['(?<=a)b|c', null],
    ['(?<=(a))b\\1', null],
    ['abc', null],
    ['(?=', null],
  ]
  test.each(cases)('%s', (source, expected) => expect(withoutLooks(source)).toEqual(expected))

  test('find a match in the same texts', () => {
    const part = fc.constantFrom('a', 'b', '[ab]', '.', 'a*', '(?:ab|b)', 'x?')
    const look = fc.constantFrom('(?=a)', '(?!a)', '(?=.*b)', '(?!.*x)', '(?<=a)', '(?<!b)', '(?<=x|b)')
    const piece = fc.oneof({ weight: 2, arbitrary: part }, { weight: 1, arbitrary: look })
    const expression = fc
      .tuple(fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.boolean())
      .map(([isStarted, pieces, isEnded]) => `${isStarted ? '^' : ''}${pieces.join('')}${isEnded ? '$' : ''}`)
    const text = fc.array(fc.constantFrom('a', 'b', 'x'), { maxLength: 5 }).map((it) => it.join(''))
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 5, maxLength: 20 }), (source, texts) => {
        const taken = withoutLooks(source)
        if (taken === null) return
        for (const it of texts) {
          const found =
            new RegExp(taken.source, 'u').test(it) &&
            taken.also.every((look) => new RegExp(look.source, 'u').test(it) !== look.negative)
          expect([source, it, found]).toEqual([source, it, new RegExp(source, 'u').test(it)])
        }
      }),
      { numRuns: 300 },
    )
  })
})
