import { isObject, type Json } from '../../kernel/json.ts'
import { printValue } from '../message.ts'
import type { LintFunction } from '../rule.ts'

type Sortable = string | number

const isSortable = (value: Json | undefined): value is Sortable =>
  typeof value === 'string' || typeof value === 'number'

function isBefore(a: Sortable, b: Sortable): boolean {
  const aMayBeNumber = typeof a === 'number' || Number.isNaN(Number(a))
  const bIsNumber = typeof b === 'number' || !Number.isNaN(Number(b))
  if (aMayBeNumber && bIsNumber) return !(Number(a) - Number(b) >= 1)
  if (typeof a !== 'string' || typeof b !== 'string') return true
  return a.localeCompare(b) < 1
}

/** A list, or the keys of an object as they are written, in alphabetical order; by the member `keyedBy` of list items. */
const alphabetical: LintFunction = (input, { keyedBy }, { document, path, deref }) => {
  const isList = Array.isArray(input)
  if (!isList && !isObject(input)) return []
  const items = isList ? (input as readonly Json[]) : keysOf()
  if (items.length < 2) return []
  const keys: (Json | undefined)[] = []
  for (const item of items) {
    if (typeof keyedBy !== 'string') keys.push(item)
    else {
      const inner = deref(item)
      if (typeof inner !== 'object' || inner === null) return [{ message: '#{{print("property")}}must be an object' }]
      keys.push((inner as { readonly [key: string]: Json })[keyedBy])
    }
  }
  if (!keys.every(isSortable))
    return [{ message: '#{{print("property")}}must be one of the allowed types: number, string' }]
  const at = keys.findIndex((key, index) => index + 1 < keys.length && !isBefore(key, keys[index + 1] as Sortable))
  if (at === -1) return []
  if (typeof keyedBy === 'string') return [{ message: 'properties must follow the alphabetical order' }]
  const message = `${printValue(keys[at])} must be placed after ${printValue(keys[at + 1])}`
  return [{ message, path: [...path, isList ? at : (keys[at] as Sortable)] }]

  function keysOf(): readonly string[] {
    const written = document.keysInOrder(path)
    const own = Object.keys(input as object)
    // The place may be another object than the input, where a reference was followed.
    const names = new Set(written)
    return written.length === own.length && own.every((key) => names.has(key)) ? written : own
  }
}
export default alphabetical

export const options = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { keyedBy: { type: 'string' } },
}
