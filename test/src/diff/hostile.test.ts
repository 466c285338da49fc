import { describe, expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
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
