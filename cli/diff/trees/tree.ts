/** A side of a comparison that is a folder, also of a git revision, or an archive of this machine. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { textOf } from '../../../src/document/text.ts'
import { SvcError } from '../../../src/errors.ts'
import { isDocumentName } from '../../../src/import/tree-path.ts'
import { detectArchive, treeOfArchive } from '../../../server/sources/archive.ts'
import { sortPaths, treeLimits } from '../../../server/sources/tree.ts'
import type { Invocation } from '../../declare.ts'
import { splitRevision } from '../../input/git/file.ts'
import { openGitFolder } from '../../input/git/folder.ts'
import type { Repository } from '../../input/git/process.ts'
import { rootInFolder } from '../../input/regular-file.ts'
import { readEach, readFileText, type SourceText } from '../../input/document-source.ts'

/** The files of a side. */
export interface ComparedTree {
  /** As it was typed. */
  readonly name: string
  readonly isArchive: boolean
  /** All files by their paths in it, sorted; hidden files, hidden folders and node_modules of a folder are left out. */
  readonly paths: readonly string[]
  /**
   * The text of a file, and how its references are read.
   * @throws SvcError `document-invalid`
   */
  read(path: string): Promise<SourceText>
}

const tooMany = (name: string, limit: number, what: string): SvcError =>
  new SvcError('source-too-large', { source: name, what, limit })

async function openFolder(name: string, cwd: string, root: string | undefined): Promise<ComparedTree> {
  const top = resolve(cwd, name)
  const paths: string[] = []
  let bytes = 0
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(top, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      if (!entry.isFile()) continue
      paths.push(path)
      if (paths.length > treeLimits.entries) throw tooMany(name, treeLimits.entries, 'files')
      if (isDocumentName(path)) bytes += (await stat(join(top, path))).size
      if (bytes > treeLimits.unfoldedBytes)
        throw tooMany(name, treeLimits.unfoldedBytes, 'bytes of JSON and YAML files')
    }
  }
  await visit('')
  return {
    name,
    isArchive: false,
    paths: sortPaths(paths),
    read: (path) => readFileText(join(name, path), cwd, rootInFolder(join(top, path), top, root)),
  }
}

async function openArchive(name: string, path: string): Promise<ComparedTree> {
  const { size } = await stat(path)
  if (size > treeLimits.unfoldedBytes) throw tooMany(name, treeLimits.unfoldedBytes, 'bytes')
  const tree = await treeOfArchive(name, new Uint8Array(await readFile(path)))
  const entries = new Set(tree.paths)
  // A top that no reference leaves unseen: what leads above it is not in the archive.
  const root = '/archive/'
  const nameOf = (place: string): string =>
    place.startsWith(root) ? `${name}/${place.slice(root.length)}` : `${name}/..${place}`
  const text = async (place: string): Promise<string> => {
    const shown = nameOf(place)
    const entry = place.startsWith(root) ? place.slice(root.length) : null
    if (entry === null || !entries.has(entry))
      throw new SvcError('document-invalid', { reason: `${shown} is not in the archive` })
    if ((tree.sizeOf(entry) ?? 0) > treeLimits.documentBytes)
      throw new SvcError('body-too-large', { limit_bytes: treeLimits.documentBytes })
    return textOf(await tree.read(entry), shown)
  }
  const files = {
    holds: (it: string) => it.startsWith('/'),
    read: (all: readonly string[]) => readEach(all, text),
    nameOf,
  }
  return {
    name,
    isArchive: true,
    paths: tree.paths,
    async read(entry) {
      const place = root + entry
      return { name: `${name}/${entry}`, text: await text(place), place, files }
    },
  }
}

/**
 * Opens a side as a folder, a folder of a git revision, or an archive (zip, tar, tar.gz); null for everything else.
 * @throws SvcError `source-too-large` over 10,000 files or 256 MB, and the refusals named `archive-…`; MissingSide where a git
 *   revision does not have it
 */
export async function openTree(
  side: string,
  { cwd, signal, globals }: Pick<Invocation, 'cwd' | 'signal' | 'globals'>,
): Promise<ComparedTree | null> {
  const path = resolve(cwd, side)
  const info = await stat(path).catch(() => null)
  if (info === null) return openRevision(side, { cwd, signal })
  if (info.isDirectory()) return openFolder(side, cwd, globals.root)
  if (!info.isFile() || isDocumentName(side)) return null
  const start = new Uint8Array(await Bun.file(path).slice(0, 512).arrayBuffer())
  return detectArchive(start) === null ? null : openArchive(side, path)
}

async function openRevision(side: string, repository: Repository): Promise<ComparedTree | null> {
  const revised = splitRevision(side)
  if (revised === null || isDocumentName(side)) return null
  const { entries, unfoldedBytes: bytes, documentBytes } = treeLimits
  const folder = await openGitFolder(revised, repository, { entries, bytes, documentBytes })
  return folder === null ? null : { name: side, isArchive: false, ...folder }
}

/** A side that does not exist, which contains nothing. */
export const emptyTree = (name: string): ComparedTree => ({
  name,
  isArchive: false,
  paths: [],
  read: () => Promise.reject(new Error('an empty tree has no files')),
})
