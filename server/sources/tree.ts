import { SvcError } from '../../src/errors.ts'
import { mostReferenced } from '../../src/document/most-referenced.ts'
import { isWithin, treePath } from '../../src/import/tree-path.ts'
import { compareText } from '../../src/kernel/order.ts'

/** Files that an import reads from: those of an archive, of a request, of a commit. Paths are relative, with slashes. */
export interface Tree {
  /** What it is called in messages and in the provenance: "specs.zip", the address of a repository. */
  readonly name: string
  /** The commit that the files are of, where they are of one. */
  readonly commit: string | null
  /** Its files are brought one by one from elsewhere: nothing is read of it without need. */
  readonly isRemote: boolean
  /** Every file, sorted. */
  readonly paths: readonly string[]
  /** How large a file is, where that is known without reading it. */
  readonly sizeOf: (path: string) => number | null
  /** The object of a file, in trees of git. */
  readonly oidOf?: (path: string) => string | null
  /** The paths of symbolic links. */
  readonly links: readonly string[]
  /** Whether a symbolic link is there, which nothing follows. */
  readonly isLink: (path: string) => boolean
  /**
   * The bytes of a file.
   * @throws SvcError `source-path-missing`, and what is wrong with the tree itself
   */
  read(path: string): Promise<Uint8Array>
  /** Says which files will be read, so that a tree that is far away can bring them together. */
  prefetch(paths: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** What a tree may cost. */
export const treeLimits = {
  /** Entries of an archive, folders included. */
  entries: 10_000,
  /** Bytes of all files of an archive together. */
  unfoldedBytes: 256 * 1024 * 1024,
  /** How far one file may decompress, once it is past the floor. */
  ratio: 100,
  ratioFloorBytes: 1024 * 1024,
  /** Documents that are looked at, and their bytes. */
  documents: mostReferenced,
  documentBytes: 64 * 1024 * 1024,
} as const

/** Where in a tree an import happens. */
export interface Scope {
  /** The folder outside which nothing is read; "" is the whole tree. */
  readonly boundary: string
  /** The document, where it is named. */
  readonly entry: string | null
  /** The folder in which documents are looked for, where none is named. */
  readonly within: string
}

/** Paths in the order in which a tree lists them: by code units, whatever made the list. */
export const sortPaths = (paths: Iterable<string>): string[] => [...paths].sort(compareText)

function place(text: string): string {
  const path = treePath(text)
  if (path === null)
    throw new SvcError('source-refused', { source: `"${text}"`, reason: 'it is not a relative path inside the source' })
  return path
}

const hasFolder = (tree: Tree, folder: string): boolean =>
  folder === '' || tree.paths.some((path) => path.startsWith(`${folder}/`))

/**
 * Reads `root` (a document, or the folder outside which nothing is read) and `path` (a document, or the folder to look in) against a tree.
 * @throws SvcError `source-path-missing`, and `source-refused` for a path that leads out of it
 */
export function scopeOf(tree: Tree, root: string | undefined, path: string | undefined): Scope {
  const isFile = (one: string): boolean => tree.paths.includes(one)
  const missing = (one: string) => new SvcError('source-path-missing', { source: tree.name, path: one })
  let boundary = ''
  let entry: string | null = null
  if (root !== undefined) {
    const at = place(root)
    if (isFile(at)) entry = at
    else if (hasFolder(tree, at)) boundary = at
    else throw missing(root)
  }
  if (path === undefined) return { boundary, entry, within: boundary }
  // A name of the tree is meant as it is, also one that git alone allows.
  const given = isFile(path) ? path : place(path)
  // A path may be given from the top of the tree, or from the root that was named.
  const inRoot = boundary === '' ? given : `${boundary}/${given}`
  const at = [given, inRoot].find((one) => isWithin(one, boundary) && (isFile(one) || hasFolder(tree, one)))
  if (at === undefined) throw missing(path)
  return isFile(at) ? { boundary, entry: at, within: boundary } : { boundary, entry: null, within: at }
}
