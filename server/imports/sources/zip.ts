/**
 * Reads zip archives (APPNOTE 6.3.10) by their central directory. A reader of our own, since what has to be refused by name (links,
 * encryption, overlapping entries, sizes that are announced) stands in fields that small libraries do not show.
 */
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { SvcError } from '../../../src/errors.ts'
import type { ArchiveEntry, EntryGate } from './archive.ts'
import { treeLimits } from './tree.ts'

const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)

const endSignature = 0x06054b50
const wideEndLocator = 0x07064b50
const wideEndSignature = 0x06064b50
const centralSignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const longestComment = 0xffff

const fileType = 0xf000
const regularFile = 0x8000
const folder = 0x4000

interface Directory {
  readonly offset: number
  readonly count: number
}

// The record at the end says where the directory lies; very large archives say it in a wider one before it.
function findDirectory(view: DataView, refuse: (reason: string) => SvcError): Directory {
  const least = Math.max(0, view.byteLength - endBytes - longestComment)
  for (let at = view.byteLength - endBytes; at >= least; at--) {
    if (view.getUint32(at, true) !== endSignature || view.getUint16(at + 20, true) !== view.byteLength - at - endBytes)
      continue
    const count = view.getUint16(at + 10, true)
    const offset = view.getUint32(at + 16, true)
    if (view.getUint16(at + 4, true) !== 0) throw refuse('it is one part of several')
    const locator = at - 20
    if (locator < 0 || view.getUint32(locator, true) !== wideEndLocator) return { offset, count }
    const wide = Number(view.getBigUint64(locator + 8, true))
    if (wide + 56 > view.byteLength || view.getUint32(wide, true) !== wideEndSignature) throw refuse('it is damaged')
    return { offset: Number(view.getBigUint64(wide + 48, true)), count: Number(view.getBigUint64(wide + 32, true)) }
  }
  throw refuse('it has no directory, so it was probably cut off')
}

interface Record {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
  readonly mode: number
  readonly next: number
}

// Sizes and places beyond 4 GB stand in an extra field, in this order, only those that need it.
function widen(view: DataView, from: number, to: number, values: number[]): number[] {
  const wide = [...values]
  for (let at = from; at + 4 <= to;) {
    const length = view.getUint16(at + 2, true)
    if (view.getUint16(at, true) === 1) {
      let field = at + 4
      for (const [index, value] of values.entries()) {
        if (value !== 0xffffffff || field + 8 > Math.min(to, at + 4 + length)) continue
        wide[index] = Number(view.getBigUint64(field, true))
        field += 8
      }
    }
    at += 4 + length
  }
  return wide
}

function readRecord(bytes: Uint8Array, view: DataView, at: number): Record | null {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== centralSignature) return null
  const nameLength = view.getUint16(at + 28, true)
  const extraLength = view.getUint16(at + 30, true)
  const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true)
  if (next > view.byteLength) return null
  const extra = at + 46 + nameLength
  const [size = 0, packed = 0, offset = 0] = widen(view, extra, extra + extraLength, [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ])
  const isUnix = view.getUint8(at + 5) === 3 || view.getUint8(at + 5) === 19
  return {
    // Old programs of Windows separate with backslashes.
    name: new TextDecoder().decode(bytes.subarray(at + 46, extra)).replaceAll('\\', '/'),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed,
    size,
    offset,
    mode: isUnix ? view.getUint32(at + 38, true) >>> 16 : 0,
    next,
  }
}

/**
 * The files of a zip archive; each is unpacked when it is read.
 * @throws SvcError `archive-unreadable`, `archive-encrypted`, and what `gate` refuses
 */
export function readZip(source: string, bytes: Uint8Array, gate: EntryGate): ArchiveEntry[] {
  const refuse = (reason: string) => new SvcError('archive-unreadable', { source, reason })
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { offset, count } = findDirectory(view, refuse)
  if (count > treeLimits.entries) throw new SvcError('archive-entries', { source, limit: treeLimits.entries })
  const entries: ArchiveEntry[] = []
  const spans: [from: number, to: number][] = []
  for (let at = offset, index = 0; index < count; index++) {
    const record = readRecord(bytes, view, at)
    if (record === null) throw refuse('its directory is damaged')
    at = record.next
    const type = record.mode & fileType
    const isFolder = record.name.endsWith('/') || type === folder
    const path = gate.admit(record.name, {
      isLink: type !== 0 && type !== regularFile && type !== folder,
      isFolder,
      size: record.size,
      packed: record.packed,
    })
    if ((record.flags & 0x2041) !== 0) throw new SvcError('archive-encrypted', { source, entry: record.name })
    if (path === null) continue
    if (record.method !== 0 && record.method !== 8)
      throw refuse(`"${record.name}" is packed by a method that is not known (${record.method})`)
    const from = dataOf(view, record, refuse)
    spans.push([record.offset, from + record.packed])
    entries.push({
      path,
      size: record.size,
      read: () => unpack(source, record, bytes.subarray(from, from + record.packed)),
    })
  }
  spans.sort(([a], [b]) => a - b)
  for (const [index, [, to]] of spans.entries()) {
    const following = spans[index + 1]
    if (following && following[0] < to) throw refuse('its entries lie over each other')
  }
  return entries
}

function dataOf(view: DataView, record: Record, refuse: (reason: string) => SvcError): number {
  const at = record.offset
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== localSignature)
    throw refuse(`"${record.name}" is not where its directory says`)
  const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  if (from + record.packed > view.byteLength) throw refuse(`"${record.name}" is cut off`)
  return from
}

async function unpack(source: string, record: Record, packed: Uint8Array): Promise<Uint8Array> {
  const damaged = () => new SvcError('archive-unreadable', { source, reason: `"${record.name}" is damaged` })
  // The directory was believed when the sizes were judged, so nothing may turn out larger.
  const bytes =
    record.method === 0
      ? packed
      : await inflateRaw(packed, { maxOutputLength: Math.max(1, record.size) }).catch(() => {
          throw damaged()
        })
  if (bytes.byteLength !== record.size || zlib.crc32(bytes) !== record.crc) throw damaged()
  return bytes
}
