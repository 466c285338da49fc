import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Edit } from '../../../src/kernel/edits.ts'
import { applyEdits } from '../../../src/kernel/edits.ts'

/** Edits that do not overlap, from sorted places of a text: each pair is a replacement. */
const editsAt = (places: readonly number[], put: string): Edit[] =>
  places.flatMap((start, index) => {
    const end = places[index + 1]
    return index % 2 === 1 || end === undefined ? [] : [{ start, end, text: `${put}${index}` }]
  })

test('edits in any order give the text that applying them from the end gives', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60 }),
      fc.array(fc.nat(60), { maxLength: 12 }),
      fc.string({ maxLength: 3 }),
      (text, places, put) => {
        const within = [...new Set(places.map((it) => Math.min(it, text.length)))].toSorted((a, b) => a - b)
        const edits = editsAt(within, put)
        const expected = edits.reduceRight(
          (whole, it) => whole.slice(0, it.start) + it.text + whole.slice(it.end),
          text,
        )
        expect(applyEdits(text, edits.toReversed())).toBe(expected)
      },
    ),
  )
})

test('an insertion before a replacement at the same place comes first', () => {
  const edits = [
    { start: 1, end: 2, text: 'B' },
    { start: 1, end: 1, text: '+' },
  ]
  expect(applyEdits('abc', edits)).toBe('a+Bc')
})
