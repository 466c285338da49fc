import { keyOf } from '../../../src/anchors/key.ts'
import type { Range } from '../../../src/document/position.ts'
import { isObject, type Json } from '../../../src/kernel/json.ts'
import { followPath, formatPointer, getPath, parsePointer } from '../../../src/kernel/pointer.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { rangeOf } from './anchor.ts'

/** A longer value is not sent: nobody writes another one in a field. */
const longest = 20_000

/** What is at a place of a document. */
export interface DocumentPlace {
  readonly pointer: string
  readonly key: string
  readonly range: Range
  /** Null where it is too long. */
  readonly value: Json
  readonly isLong: boolean
  /** Whether it is a property of an object. */
  readonly isNamed: boolean
}

/** The value at a JSON Pointer with its lines; null where there is no such place. */
export function run({ pointer }: { readonly pointer: string }, desk: Desk): DocumentPlace | null {
  const document = desk.engine.document(onlyOne(desk))
  const path = parsePointer(pointer)
  const found = path === null ? null : followPath(document.value, path)
  if (found === null) return null
  const isLong = JSON.stringify(found.value).length > longest
  const around = getPath(document.value, found.path.slice(0, -1))
  return {
    pointer: formatPointer(found.path),
    key: keyOf(document.value, found.path),
    range: rangeOf(document, formatPointer(found.path)),
    value: isLong ? null : found.value,
    isLong,
    isNamed: found.path.length > 0 && around !== undefined && isObject(around),
  }
}
