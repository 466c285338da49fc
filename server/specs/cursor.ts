import { SvcError } from '../../src/errors.ts'
import { decodeCursor } from '../kit/door.ts'

type Key = readonly (string | number)[]

/** A place in a list as an opaque text; `list` keeps the cursor of one list from being read by another. */
export const writeCursor = (list: string, key: Key): string =>
  Buffer.from(JSON.stringify([list, ...key])).toString('base64url')

/**
 * Reads a cursor of `list` with keys of these types.
 * @throws SvcError `cursor-invalid` for anything else
 */
export function readCursor<const T extends readonly ('string' | 'number')[]>(
  list: string,
  cursor: string,
  types: T,
): { [K in keyof T]: T[K] extends 'string' ? string : number } {
  const parsed = decodeCursor(cursor)
  const [name, ...key] = Array.isArray(parsed) ? (parsed as unknown[]) : []
  if (name !== list || key.length !== types.length || !key.every((part, index) => typeof part === types[index]))
    throw new SvcError('cursor-invalid')
  return key as never
}
