/** Writes headers of rpm packages: an index of tags and the values that it refers to (rpm 4.20, docs/manual/format_header.md). */
import { joinBytes } from '../../src/kernel/bytes.ts'

/** A value of a tag, with the type that rpm knows it by. */
export type TagValue =
  | { readonly type: 'int16' | 'int32'; readonly values: readonly number[] }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings' | 'translated'; readonly values: readonly string[] }
  | { readonly type: 'binary'; readonly bytes: Uint8Array }

const types = { int16: 3, int32: 4, string: 6, binary: 7, strings: 8, translated: 9 } as const
const magic = Buffer.from([0x8e, 0xad, 0xe8, 0x01, 0, 0, 0, 0])
const trailerLength = 16

const widthOf = ({ type }: TagValue): number => {
  if (type === 'int32') return 4
  return type === 'int16' ? 2 : 1
}

function numbers(values: readonly number[], width: 2 | 4): Uint8Array {
  const bytes = Buffer.alloc(values.length * width)
  for (const [at, value] of values.entries()) {
    if (width === 4) bytes.writeUInt32BE(value >>> 0, at * 4)
    else bytes.writeUInt16BE(value, at * 2)
  }
  return bytes
}

function encoded(value: TagValue): { readonly bytes: Uint8Array; readonly count: number } {
  switch (value.type) {
    case 'int16':
    case 'int32':
      return { bytes: numbers(value.values, value.type === 'int32' ? 4 : 2), count: value.values.length }
    case 'string':
      return { bytes: Buffer.from(`${value.value}\0`), count: 1 }
    case 'binary':
      return { bytes: value.bytes, count: value.bytes.byteLength }
    default:
      return { bytes: Buffer.from(value.values.map((it) => `${it}\0`).join('')), count: value.values.length }
  }
}

const indexEntry = (tag: number, type: number, offset: number, count: number): Uint8Array => {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(tag, 0)
  bytes.writeUInt32BE(type, 4)
  bytes.writeInt32BE(offset, 8)
  bytes.writeUInt32BE(count, 12)
  return bytes
}

/**
 * A header whose tags are all in its region, so that its digest covers each of them.
 * @param region the tag of the region: 62 of signatures, 63 of what does not change
 */
export function rpmHeader(region: 62 | 63, tags: ReadonlyMap<number, TagValue>): Uint8Array<ArrayBuffer> {
  const index: Uint8Array[] = []
  const store: Uint8Array[] = []
  let length = 0
  const add = (bytes: Uint8Array): void => {
    store.push(bytes)
    length += bytes.byteLength
  }
  for (const [tag, value] of [...tags].toSorted(([a], [b]) => a - b)) {
    const { bytes, count } = encoded(value)
    if (count === 0) continue
    const width = widthOf(value)
    add(new Uint8Array((width - (length % width)) % width))
    index.push(indexEntry(tag, types[value.type], length, count))
    add(bytes)
  }
  // The region names its trailer, and the trailer how far the index of the region reaches back.
  const entry = indexEntry(region, types.binary, length, trailerLength)
  add(indexEntry(region, types.binary, -(index.length + 1) * 16, trailerLength))
  return joinBytes([magic, numbers([index.length + 1, length], 4), entry, ...index, ...store])
}
