/** Reads tar archives: ustar (POSIX.1-1988), with the long names of pax (POSIX.1-2001) and GNU. */
import { SvcError } from '../../src/errors.ts'
import type { ArchiveEntry, EntryGate } from './archive-entry.ts'

const block = 512

const textAt = (bytes: Uint8Array, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end))
}

// Octal digits, or from the eighth bit on a number of 256 (GNU, for files over 8 GB).
function numberAt(bytes: Uint8Array, from: number, length: number): number {
  if (((bytes[from] ?? 0) & 0x80) !== 0)
    return bytes.subarray(from + 1, from + length).reduce((sum, one) => sum * 256 + one, (bytes[from] ?? 0) & 0x7f)
  const text = textAt(bytes, from, length).trim()
  if (text === '') return 0
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN
}

/** Whether a block is the header of a tar entry: its sum is written in it. */
export function isTarHeader(bytes: Uint8Array): boolean {
  if (bytes.byteLength < block) return false
  const sum = numberAt(bytes, 148, 8)
  let real = 8 * 32
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) real += bytes[at] ?? 0
  return sum === real && real > 8 * 32
}

// Records of the form "27 path=docs/api.yaml\n"; the number counts the whole record in bytes.
function paxRecords(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.byteLength;) {
    const space = bytes.indexOf(0x20, at)
    const length = space === -1 ? Number.NaN : Number(new TextDecoder().decode(bytes.subarray(at, space)))
    if (!(length > 0) || at + length > bytes.byteLength) break
    const record = new TextDecoder().decode(bytes.subarray(space + 1, at + length - 1))
    const equals = record.indexOf('=')
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

const links = new Set(['1', '2', '3', '4', '6'])
const files = new Set(['0', '\0', '7', ''])

/** What a tar archive holds: its files, and the commit that `git archive` writes into its head. */
export interface Tar {
  readonly entries: ArchiveEntry[]
  readonly commit: string | null
}

/**
 * The files of a tar archive.
 * @throws SvcError `archive-unreadable`, and what `gate` refuses
 */
export function readTar(source: string, bytes: Uint8Array, gate: EntryGate): Tar {
  const refuse = (reason: string) => new SvcError('archive-unreadable', { source, reason })
  const entries: ArchiveEntry[] = []
  let commit: string | null = null
  let longName: string | null = null
  let pax = new Map<string, string>()
  for (let at = 0; at + block <= bytes.byteLength;) {
    const header = bytes.subarray(at, at + block)
    if (header.every((one) => one === 0)) break
    if (!isTarHeader(header)) throw refuse('it is damaged')
    const flag = textAt(header, 156, 1)
    const size = pax.has('size') && !'xgLK'.includes(flag || '0') ? Number(pax.get('size')) : numberAt(header, 124, 12)
    const from = at + block
    if (!(size >= 0) || from + size > bytes.byteLength) throw refuse('it is cut off')
    const data = bytes.subarray(from, from + size)
    at = from + Math.ceil(size / block) * block
    if (flag === 'g') {
      const comment = paxRecords(data).get('comment') ?? ''
      if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(comment)) commit = comment
      continue
    }
    if (flag === 'x') {
      pax = paxRecords(data)
      continue
    }
    if (flag === 'L') longName = textAt(data, 0, size)
    if (flag === 'L' || flag === 'K') continue
    const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : ''
    const short = textAt(header, 0, 100)
    const name = pax.get('path') ?? longName ?? (prefix === '' ? short : `${prefix}/${short}`)
    longName = null
    pax = new Map()
    if (!links.has(flag) && !files.has(flag) && flag !== '5')
      throw refuse(`"${name}" has an unsupported type ("${flag}")`)
    const isFolder = flag === '5' || name.endsWith('/')
    const path = gate.admit(name, { isLink: links.has(flag), isFolder, size, packed: null })
    if (path !== null) entries.push({ path, size, read: () => Promise.resolve(data) })
  }
  return { entries, commit }
}
