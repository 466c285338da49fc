import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { changesOf } from '../changes-of.ts'

/** B: breaking; N: not breaking, although something changed or was written in another way. */
type Verdict = 'B' | 'N'

/** Two documents, the verdict from the first to the second and back, and the reason. */
export type Pair = readonly [reason: string, base: Json, head: Json, forward: Verdict, backward: Verdict]

const verdictOf = (base: Json, head: Json): readonly [Verdict, readonly string[]] => {
  const changes = changesOf(base, head)
  const breaks = changes.some((it) => it.severity === 'breaking')
  return [breaks ? 'B' : 'N', changes.map((it) => `${it.severity} ${it.message}`)]
}

/** Declares a test for each pair, in both directions. */
export const testPairs = (title: string, pairs: readonly Pair[]): void =>
  describe(title, () => {
    test.each(pairs)('%s', (_, base, head, forward, backward) => {
      const [there, why] = verdictOf(base, head)
      expect([there, why]).toEqual([forward, why])
      const [back, whyBack] = verdictOf(head, base)
      expect([back, whyBack]).toEqual([backward, whyBack])
    })
  })
