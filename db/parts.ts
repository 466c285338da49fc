/**
 * Bytes of many megabytes as rows of one megabyte: a driver that writes or reads 60 MB at once computes for half a second, and an embedded
 * database writes them without giving others a turn. The first part is in the row that they belong to, so that small ones need no other.
 */
import { joinBytes } from '../src/kernel/bytes.ts'
import { yieldToEventLoop } from './yield.ts'

const partBytes = 1024 * 1024

/** What the row itself keeps. */
export const firstPart = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, partBytes)

/** Hands what follows the first part to `write`, part by part, numbered from 1; others have their turn in between. */
export async function writeParts(
  bytes: Uint8Array,
  write: (part: Uint8Array, ordinal: number) => Promise<unknown>,
): Promise<void> {
  for (let ordinal = 1; ordinal * partBytes < bytes.byteLength; ordinal++) {
    await yieldToEventLoop()
    await write(bytes.subarray(ordinal * partBytes, (ordinal + 1) * partBytes), ordinal)
  }
}

/**
 * The bytes whose first part is given.
 * @param read the part of a number; undefined where there is none
 */
export async function readParts(
  first: Uint8Array,
  read: (ordinal: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = [first]
  for (let last: Uint8Array | undefined = first; last !== undefined && last.byteLength >= partBytes;) {
    await yieldToEventLoop()
    last = await read(parts.length)
    if (last !== undefined) parts.push(last)
  }
  return joinBytes(parts)
}
