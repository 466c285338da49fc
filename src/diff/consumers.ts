import { isObject } from '../kernel/json.ts'
import type { Json } from '../kernel/json.ts'
import type { Change } from './change.ts'
import type { DiffResult } from './options.ts'

/** Someone who relies on an API, and the operations that are used. */
export interface Consumer {
  readonly handle: string
  /** What people call it, where that is something else. */
  readonly name?: string
  /** As "GET /pets"; path parameters count by their position, not by their name. */
  readonly operations: readonly string[]
}

/**
 * Reads a list of consumers: `[{handle, name?, operations}]`, or the same under "consumers".
 *
 * @returns the consumers, or what is wrong with them in a few words.
 */
export const readConsumers = (value: Json): readonly Consumer[] | string => {
  const list = isObject(value) ? value.consumers : value
  if (!Array.isArray(list)) return 'it has to be a list of {handle, operations}'
  const result: Consumer[] = []
  for (const [i, it] of (list as readonly Json[]).entries()) {
    if (!isObject(it)) return `entry ${i + 1} must be an object`
    const { handle, name, operations } = it
    if (typeof handle !== 'string' || handle === '') return `entry ${i + 1} gives no "handle"`
    if (!Array.isArray(operations) || !operations.every((each) => typeof each === 'string'))
      return `"operations" of entry ${i + 1} must be a list of operations such as "GET /pets"`
    result.push({ handle, operations, ...(typeof name === 'string' ? { name } : {}) })
  }
  return result
}

const keyOf = (operation: string): string => {
  const space = operation.indexOf(' ')
  return `${operation.slice(0, space).toUpperCase()} ${operation.slice(space + 1).replaceAll(/\{[^}]*\}/g, '{}')}`
}

/** The same result with the consumers that each change reaches: those that use one of its operations. */
export const withConsumers = (result: DiffResult, consumers: readonly Consumer[]): DiffResult => {
  const users = new Map<string, string[]>()
  for (const { handle, operations } of consumers) {
    for (const operation of operations) {
      const key = keyOf(operation)
      const known = users.get(key)
      if (known) known.push(handle)
      else users.set(key, [handle])
    }
  }
  const reached = (change: Change): Change => {
    const handles = new Set(change.operations.flatMap((operation) => users.get(keyOf(operation)) ?? []))
    return handles.size === 0 ? change : { ...change, consumers: [...handles].sort() }
  }
  return { ...result, changes: result.changes.map(reached) }
}
