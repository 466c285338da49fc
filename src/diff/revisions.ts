import { changeSeverities, type Change } from './change.ts'
import type { DiffResult } from './options.ts'
import { tallyOf } from './tally.ts'

/** What a document was compared with, and what came out. */
export interface Revision {
  readonly base: string
  readonly result: DiffResult
}

// Which revision it is about: no one could tell from the change itself.
const since = (change: Change, base: string): Change => ({
  ...change,
  message: `${change.message} (since ${base})`,
  base: change.base && { ...change.base, source: change.base.source ?? base },
})

/**
 * The comparisons of one document with several older ones as one result: what differs from the first, then what differs from the
 * others alone, worst first. The witness is that of the first that breaks.
 */
export function mergeRevisions(first: Revision, others: readonly Revision[]): DiffResult {
  if (others.length === 0) return first.result
  const known = new Set(first.result.changes.map((it) => it.fingerprint))
  const more = others.flatMap(({ base, result }) =>
    result.changes
      .filter(({ fingerprint }) => {
        const isNew = !known.has(fingerprint)
        known.add(fingerprint)
        return isNew
      })
      .map((change) => since(change, base)),
  )
  const all = [...first.result.changes, ...more].toSorted(
    (a, b) => changeSeverities.indexOf(a.severity) - changeSeverities.indexOf(b.severity),
  )
  const results = [first, ...others].map((it) => it.result)
  const witness = results.find((it) => it.witness)?.witness ?? first.result.witness
  return {
    changes: all,
    ...tallyOf(all),
    ...(witness === undefined ? {} : { witness }),
    ignored: results.flatMap((it) => it.ignored),
  }
}
