import zlib from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { SvcError } from '../../src/errors.ts'
import type { ArchiveEntry, EntryGate } from './archive-entry.ts'
import { treeLimits } from './tree.ts'

const fileTypeMask = 0xf000
const regularFile = 0x8000
const folder = 0x4000

/** Bits of the general purpose flag: encrypted, strongly encrypted, with an encrypted directory. */
const encryptedBits = 0x2041
const stored = 0
const deflated = 8

// Many programs write UTF-8 without saying so; what is not UTF-8 has the old code page of the format.
function nameOf(entry: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(entry.fileNameRaw).replaceAll('\\', '/')
  } catch {
    return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
  }
}

/** The file type that a Unix or macOS program wrote; 0 where none is known. */
function fileTypeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  const system = versionMadeBy >>> 8
  return system === 3 || system === 19 ? (externalFileAttributes >>> 16) & fileTypeMask : 0
}

/**
 * The files of a zip archive; each is decompressed when it is read. The format is read by yauzl; what is refused by name
 * (links, encryption, overlapping entries, announced sizes) is checked here, before anything is decompressed.
 * @throws SvcError `archive-unreadable`, `archive-encrypted`, and what `gate` refuses
 */
export async function readZip(source: string, bytes: Uint8Array, gate: EntryGate): Promise<ArchiveEntry[]> {
  const unreadable = (reason: string) => new SvcError('archive-unreadable', { source, reason })
  const damaged = (error: unknown) => {
    if (error instanceof SvcError) return error
    const { message } = error as Error
    return message.includes('encryption')
      ? new SvcError('archive-encrypted', { source, entry: source })
      : unreadable(`it is damaged or cut off (${message.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 120)})`)
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ArchiveEntry[] = []
  const spans: [from: number, to: number][] = []
  try {
    const zip = await fromBufferPromise(buffer, { decodeStrings: false })
    if (zip.entryCount > treeLimits.entries)
      throw new SvcError('archive-entries', { source, limit: treeLimits.entries })
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry)
      const type = fileTypeOf(entry)
      const path = gate.admit(name, {
        isLink: type !== 0 && type !== regularFile && type !== folder,
        isFolder: name.endsWith('/') || type === folder,
        size: entry.uncompressedSize,
        packed: entry.compressedSize,
      })
      if ((entry.generalPurposeBitFlag & encryptedBits) !== 0)
        throw new SvcError('archive-encrypted', { source, entry: name })
      if (path === null) continue
      const { compressionMethod: method, compressedSize, relativeOffsetOfLocalHeader: at } = entry
      if (method !== stored && method !== deflated)
        throw unreadable(`"${name}" is compressed by a method that is not supported (${method})`)
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      spans.push([at, fileDataStart + compressedSize])
      entries.push({ path, size: entry.uncompressedSize, read: () => decompress(zip, entry, source, name) })
    }
  } catch (error) {
    throw damaged(error)
  }
  assertApart(spans, unreadable)
  return entries
}

// Entries that share their bytes let a small archive announce any number of large files.
function assertApart(spans: [from: number, to: number][], unreadable: (reason: string) => SvcError): void {
  spans.sort(([a], [b]) => a - b)
  for (const [index, [, to]] of spans.entries()) {
    const following = spans[index + 1]
    if (following && following[0] < to) throw unreadable('its entries overlap')
  }
}

/** The bytes of one entry, which are never more than its directory announced. */
async function decompress(zip: ZipFile, entry: Entry, source: string, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Uint8Array)
  } catch {
    throw new SvcError('archive-unreadable', { source, reason: `"${name}" is damaged` })
  }
  const bytes = Buffer.concat(chunks)
  if (zlib.crc32(bytes) !== entry.crc32)
    throw new SvcError('archive-unreadable', { source, reason: `"${name}" is damaged` })
  return bytes
}
