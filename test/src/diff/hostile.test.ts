import { describe, expect, spyOn, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { Effort } from '../../../src/schema/effort.ts'
import { shapes } from './hostile.ts'

/** Generous for a busy machine; without a limit these run for minutes or for ever. */
const limitMs = 20_000

describe('hostile pairs end, by a verdict or as undecided with the reason and the place', () => {
  for (const [name, shape] of Object.entries(shapes)) {
    test(
      name,
      () => {
        const [base, head] = shape(24).map((it) => parseDocument(JSON.stringify(it), { source: 'hostile.json' }))
        const { changes } = diff(base!, head!)
        const undecided = changes.filter((change) => change.classification === 'unknown')
        expect(
          undecided.filter((change) => (change.base ?? change.head) === null || !/\(.+\)$/.test(change.message)),
        ).toEqual([])
      },
      limitMs,
    )
  }
})

describe('the work of a comparison is counted and bounded', () => {
  /** More than the steps of a small document: what is beyond the limit is asked and refused at once. */
  const most = 1_000_000

  for (const name of ['mutual-anyOf', 'mutual-oneOf', 'mutual-deep', 'mutual-deep-oneOf', 'fork-oneOf', 'servers'])
    test(
      name,
      () => {
        const [base, head] = shapes[name]!(40).map((it) =>
          parseDocument(JSON.stringify(it), { source: 'hostile.json' }),
        )
        const counted = [spyOn(Effort.prototype, 'spend'), spyOn(Effort.prototype, 'walk')]
        try {
          diff(base!, head!)
          expect(counted.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(most)
        } finally {
          for (const spy of counted) spy.mockRestore()
        }
      },
      limitMs,
    )
})
