/** The files of a branch, as they are listed and stored. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { TreeEntry } from '../sources/door.ts'
import type { Mirror } from './mirror.ts'
import { kindOf, type FileKind } from './file-kind.ts'
import { isLfsPointer } from './lfs.ts'
import { likelihoodOf, mayBeDocument } from './likelihood.ts'
import { isVendored } from './vendored.ts'

/** Why a file cannot be imported although its name may say otherwise. */
export const fileReasons = ['lfs-pointer', 'symlink', 'submodule', 'case-twin'] as const
export type FileReason = (typeof fileReasons)[number]

/** A file of a branch. */
export interface ListedFile {
  readonly path: string
  readonly oid: string
  /** Null: its content was not read, and git does not say it otherwise. */
  readonly size: number | null
  readonly kind: FileKind | null
  /** Whether it was looked at; what was not may be a document. */
  readonly isKnown: boolean
  readonly reason: FileReason | null
}

export const isImportable = ({ path, kind, isKnown, reason }: ListedFile): boolean => {
  if (reason !== null && reason !== 'case-twin') return false
  return isKnown ? kind !== null && kind !== 'asyncapi' : mayBeDocument(path)
}

/** Files of a branch that are indexed. */
export const mostFiles = 100_000
/** Files that are looked at to tell their kinds, and their bytes. */
const mostLooked = 5000
const mostLookedBytes = 256 * 1024 * 1024

function twinsOf(entries: readonly TreeEntry[]): ReadonlySet<string> {
  const seen = new Map<string, string>()
  const twins = new Set<string>()
  for (const { path } of entries) {
    const folded = path.toLowerCase()
    const other = seen.get(folded)
    if (other === undefined) seen.set(folded, path)
    else twins.add(other).add(path)
  }
  return twins
}

/** What is known of a file from the index before, by the object that it had. */
type Known = ReadonlyMap<string, Pick<ListedFile, 'size' | 'kind' | 'reason'>>

const kindDependsOn = ({ path, oid }: { readonly path: string; readonly oid: string }) =>
  `${oid} ${path.split('/').at(-1) ?? ''}`

/**
 * Lists the files of a commit. Those whose names allow a document are looked at, the most probable ones first.
 * @param before the list of another commit, whose unchanged files are not read again
 * @throws SvcError `git-failed`, `egress-denied`
 */
export async function listFiles(
  mirror: Mirror,
  commit: string,
  before: readonly ListedFile[] = [],
): Promise<{ readonly files: readonly ListedFile[]; readonly isTruncated: boolean }> {
  const all = await mirror.tree(commit)
  const entries = all.length > mostFiles ? all.slice(0, mostFiles) : all
  const twins = twinsOf(entries)
  const known: Known = new Map(before.filter(({ isKnown }) => isKnown).map((it) => [kindDependsOn(it), it]))
  const wanted = entries
    .filter(
      (it) => it.kind === 'file' && !isVendored(it.path) && mayBeDocument(it.path) && !known.has(kindDependsOn(it)),
    )
    .map((it) => ({ it, likelihood: likelihoodOf(it.path) }))
    .toSorted((a, b) => b.likelihood - a.likelihood)
    .slice(0, mostLooked)
    .map(({ it }) => it)
  const blobs =
    (await mirror.blobs(
      wanted.map(({ oid }) => oid),
      mostLookedBytes,
    )) ?? new Map<string, Uint8Array>()
  const looked = new Map(known)
  for (const it of wanted) {
    const bytes = blobs.get(it.oid)
    if (bytes === undefined) continue
    const isPointer = isLfsPointer(bytes)
    looked.set(kindDependsOn(it), {
      size: bytes.byteLength,
      kind: isPointer ? null : kindOf(it.path, bytes),
      reason: isPointer ? 'lfs-pointer' : null,
    })
  }
  const files = entries.map(({ path, oid, kind }): ListedFile => {
    if (kind !== 'file') return { path, oid, size: null, kind: null, isKnown: true, reason: kind }
    const facts = looked.get(kindDependsOn({ path, oid }))
    return {
      path,
      oid,
      size: facts?.size ?? null,
      kind: facts?.kind ?? null,
      isKnown: facts !== undefined,
      reason: facts?.reason ?? (twins.has(path) ? 'case-twin' : null),
    }
  })
  return { files, isTruncated: entries.length < all.length }
}

type Row = readonly [string, string, number | null, FileKind | null, 0 | 1, FileReason | null]

/**
 * The version of how kinds are detected: raise it when that changes. It is the first byte of a stored list; lists from before it was written begin
 * with that of gzip.
 */
const readingGeneration = 2

/** The list as it is stored: compressed. */
export async function packFiles(files: readonly ListedFile[]): Promise<Uint8Array> {
  const rows = files.map((it): Row => [it.path, it.oid, it.size, it.kind, it.isKnown ? 1 : 0, it.reason])
  const packed = await promisify(gzip)(JSON.stringify(rows), { level: 4 })
  const stored = new Uint8Array(packed.byteLength + 1)
  stored[0] = readingGeneration
  stored.set(packed, 1)
  return stored
}

/** Whether the kinds of a stored list were detected by the present version: otherwise its files are to be read again. */
export const isCurrentList = (packed: Uint8Array): boolean => packed[0] === readingGeneration

export async function unpackFiles(packed: Uint8Array): Promise<readonly ListedFile[]> {
  const zipped = packed[0] === 0x1f ? packed : packed.subarray(1)
  const rows = JSON.parse((await promisify(gunzip)(zipped)).toString('utf8')) as Row[]
  return rows.map(([path, oid, size, kind, isKnown, reason]) => ({
    path,
    oid,
    size,
    kind,
    isKnown: isKnown === 1,
    reason,
  }))
}
