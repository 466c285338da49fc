import zlib from 'node:zlib'
import { SvcError } from '../../src/errors.ts'
import { treePath } from '../../src/import/tree-path.ts'
import type { EntryGate } from './archive-entry.ts'
import { isTarHeader, readTar } from './tar.ts'
import { sortPaths, type Tree, treeLimits } from './tree.ts'
import { readZip } from './zip.ts'

export type ArchiveKind = 'zip' | 'gzip' | 'tar'

/** The kind of archive by its first bytes, whatever its name is; null for everything else. */
export function detectArchive(bytes: Uint8Array): ArchiveKind | null {
  const [a, b, c, d] = bytes
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6) || (c === 7 && d === 8))) return 'zip'
  if (a === 0x1f && b === 0x8b) return 'gzip'
  return isTarHeader(bytes) ? 'tar' : null
}

const archiveName = /\.(?:zip|tar|tgz|gz|bz2|xz|zst|7z|rar)$/i

function createGate(source: string): EntryGate {
  const seen = new Set<string>()
  let count = 0
  let total = 0
  return {
    admit(name, { isLink, isFolder, size, packed }) {
      if (++count > treeLimits.entries) throw new SvcError('archive-entries', { source, limit: treeLimits.entries })
      const path = treePath(name)
      if (path === null) throw new SvcError('archive-path-unsafe', { source, entry: name })
      if (isLink) throw new SvcError('archive-link', { source, entry: name })
      if (isFolder) return null
      if (path === '') throw new SvcError('archive-path-unsafe', { source, entry: name })
      if (seen.has(path)) throw new SvcError('archive-unreadable', { source, reason: `"${path}" is in it twice` })
      seen.add(path)
      if (archiveName.test(path)) throw new SvcError('archive-nested', { source, entry: path })
      if (packed !== null && size > treeLimits.ratioFloorBytes && size > packed * treeLimits.ratio)
        throw new SvcError('archive-ratio', { source, entry: path, limit: treeLimits.ratio })
      total += size
      if (total > treeLimits.unfoldedBytes)
        throw new SvcError('archive-too-large', { source, limit_bytes: treeLimits.unfoldedBytes })
      return path
    },
  }
}

// In the thread pool, and never further than the limits.
function unfold(source: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const gunzip = zlib.createGunzip()
    const chunks: Uint8Array[] = []
    let size = 0
    const stop = (error: unknown) => {
      gunzip.destroy()
      reject(error)
    }
    signal?.addEventListener('abort', () => stop(signal.reason), { once: true })
    gunzip.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size > treeLimits.ratioFloorBytes && size > bytes.byteLength * treeLimits.ratio)
        return stop(new SvcError('archive-ratio', { source, entry: source, limit: treeLimits.ratio }))
      if (size > treeLimits.unfoldedBytes)
        return stop(new SvcError('archive-too-large', { source, limit_bytes: treeLimits.unfoldedBytes }))
      chunks.push(chunk)
    })
    gunzip.on('error', () => stop(new SvcError('archive-unreadable', { source, reason: 'its compression is damaged' })))
    gunzip.on('end', () => resolve(Buffer.concat(chunks)))
    gunzip.end(bytes)
  })
}

/**
 * Reads a zip, tar or tar.gz archive by what its bytes are. All entries are checked before any of them is read.
 * @throws SvcError `archive-unreadable` and the other refusals named `archive-…`
 */
export async function treeOfArchive(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Tree> {
  const gate = createGate(name)
  const kind = detectArchive(bytes)
  if (kind === null)
    throw new SvcError('archive-unreadable', { source: name, reason: 'it is not a zip, tar or tar.gz' })
  const unpacked = kind === 'gzip' ? await unfold(name, bytes, signal) : bytes
  if (kind === 'gzip' && detectArchive(unpacked) !== 'tar')
    throw new SvcError('archive-unreadable', { source: name, reason: 'the compressed file is not a tar archive' })
  const { entries, commit } =
    kind === 'zip' ? { entries: await readZip(name, bytes, gate), commit: null } : readTar(name, unpacked, gate)
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  return {
    name,
    commit,
    isRemote: false,
    links: [],
    isLink: () => false,
    paths: sortPaths(byPath.keys()),
    sizeOf: (path) => byPath.get(path)?.size ?? null,
    read: async (path) => {
      const entry = byPath.get(path)
      if (entry === undefined) throw new SvcError('source-path-missing', { source: name, path })
      return entry.read()
    },
    prefetch: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
