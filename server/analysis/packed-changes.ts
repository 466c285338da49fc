/** Changes on their way between a server and its analysis processes: thousands of changes of a type share one list of operations. */
import type { Change } from '../../src/diff/change.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { operationsKey } from '../../src/diff/written.ts'

/** Changes whose operations are the number of a list. */
export interface PackedChanges {
  readonly lists: readonly (readonly string[])[]
  readonly changes: readonly (Omit<Change, 'operations'> & { readonly operations: number })[]
}

/** Changes with each list of operations once. */
export function packChanges(changes: readonly Change[]): PackedChanges {
  const numbers = new Map<string, number>()
  const lists: (readonly string[])[] = []
  const numberOf = (operations: readonly string[]): number => {
    const key = operationsKey(operations)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, lists.length)
    return lists.push(operations) - 1
  }
  return { lists, changes: changes.map((it) => ({ ...it, operations: numberOf(it.operations) })) }
}

/** The changes again; those that reach the same operations share one list. */
export const unpackChanges = ({ lists, changes }: PackedChanges): readonly Change[] =>
  changes.map((it) => ({ ...it, operations: lists[it.operations] ?? [] }))

/** A comparison whose changes, the accepted ones last, are packed. */
export interface PackedResult extends Omit<DiffResult, 'changes' | 'ignored'> {
  readonly packed: PackedChanges
  readonly reasons: readonly string[]
}

/** A comparison as an analysis process sends it. */
export const packResult = ({ changes, ignored, ...rest }: DiffResult): PackedResult => ({
  ...rest,
  packed: packChanges([...changes, ...ignored.map(({ change }) => change)]),
  reasons: ignored.map(({ reason }) => reason),
})

/** The comparison again. */
export function unpackResult({ packed, reasons, ...rest }: PackedResult): DiffResult {
  const all = unpackChanges(packed)
  const count = all.length - reasons.length
  const ignored = all.slice(count).map((change, at) => ({ change, reason: reasons[at] ?? '' }))
  return { ...rest, changes: all.slice(0, count), ignored }
}

/** Changes with the handles of the consumers that each touches. */
export const withConsumers = (changes: readonly Change[], touched: readonly (readonly string[])[]): readonly Change[] =>
  changes.map((change, at) => ({ ...change, consumers: touched[at] ?? [] }))
