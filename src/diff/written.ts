/** Changes as they are written: what one of thousands of changes of a type reaches may be thousands of operations. */
import type { Change } from './change.ts'
import { fingerprintOf } from './fingerprint.ts'

/** So many operations every change names. */
export const mostNamed = 100
/** So many operations all changes together name beyond that. */
const mostOfAll = 100_000

/** A change as it is written. */
export interface WrittenChange extends Omit<Change, 'operations' | 'consumers'> {
  readonly operations: string[]
  readonly consumers: string[]
  /** How many operations it reaches, where `operations` are not all. */
  readonly reach?: number
  /** The fingerprint of an earlier change that reaches the same operations and names them all. */
  readonly sameOperationsAs?: string
}

const keys = new WeakMap<readonly string[], string>()

/** A short text that lists of the same operations have in common. */
export function operationsKey(operations: readonly string[]): string {
  const known = keys.get(operations)
  if (known !== undefined) return known
  const key = `${operations.length} ${fingerprintOf(operations.join('\n'))}`
  keys.set(operations, key)
  return key
}

/**
 * Changes as an answer or a report has them: what reaches more than a hundred operations names all of them once. A later change that
 * reaches the same names the first hundred, how many there are, and the change that names them. So what is written grows with the
 * changes and with the operations, and not with their product; each operation that a change reaches is named somewhere.
 */
export function writtenChanges(changes: readonly Change[]): WrittenChange[] {
  const whole = new Map<string, string>()
  const named = new Set<string>()
  let left = mostOfAll
  const operationsOf = ({ operations, fingerprint }: Change) => {
    if (operations.length <= mostNamed) {
      for (const it of operations) named.add(it)
      return { operations: [...operations] }
    }
    const key = operationsKey(operations)
    const sameOperationsAs = whole.get(key)
    const reach = operations.length
    if (sameOperationsAs !== undefined) return { operations: operations.slice(0, mostNamed), reach, sameOperationsAs }
    const isWhole = reach <= left
    const shown = operations.filter((it, at) => isWhole || at < mostNamed || !named.has(it))
    for (const it of shown) named.add(it)
    if (!isWhole) return { operations: shown, reach }
    left -= reach
    whole.set(key, fingerprint)
    return { operations: shown }
  }
  return changes.map((change) => ({ ...change, consumers: [...change.consumers], ...operationsOf(change) }))
}

/** Written changes with all operations that they reach, as far as the answer names them. */
export function readChanges(
  written: readonly (Change & Pick<WrittenChange, 'reach' | 'sameOperationsAs'>)[],
): readonly Change[] {
  const byFingerprint = new Map<string, Change>()
  const changes: Change[] = []
  for (const { reach: _reach, sameOperationsAs = '', ...own } of written) {
    const { operations } = byFingerprint.get(sameOperationsAs) ?? own
    const change = { ...own, operations }
    if (!byFingerprint.has(change.fingerprint)) byFingerprint.set(change.fingerprint, change)
    changes.push(change)
  }
  return changes
}
