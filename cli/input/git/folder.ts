/** Folders of a revision in the repository of the current folder. */
import { textOf } from '../../../src/document/text.ts'
import { SvcError } from '../../../src/errors.ts'
import { isDocumentName } from '../../../src/import/tree-path.ts'
import { sortPaths } from '../../../server/sources/tree.ts'
import { MissingSide, unreadable, type SourceText } from '../document-source.ts'
import { explainFolder, explainRevision } from './explain.ts'
import { locate, repositoryFiles, type Located, type Revised } from './file.ts'
import { eachEntry, git, lines, readBlobs, type BlobResult, type Repository } from './process.ts'

/** What a folder may cost. */
export interface FolderLimits {
  readonly entries: number
  /** Bytes of its JSON and YAML files together. */
  readonly bytes: number
  readonly documentBytes: number
}

/** A folder of a revision. */
export interface GitFolder {
  /** Its files by their paths in it, sorted; without links, submodules, hidden files and node_modules. */
  readonly paths: readonly string[]
  /**
   * The text of a file, and how its references are read: from the same revision.
   * @throws SvcError `body-too-large`, `document-invalid`
   */
  read(path: string): Promise<SourceText>
}

// "100644 blob 8be6b4…\tspecs/api.yaml" of ls-tree, "100644 8be6b4… 0\tspecs/api.yaml" of ls-files.
const regular = /^100\d{3} (?:blob )?([0-9a-f]+)(?: 0)?\t(.+)$/s

const isLeftOut = (path: string): boolean => path.split('/').some((it) => it.startsWith('.') || it === 'node_modules')

/** The kind of what a place names; null where nothing is there. The index has no object for a folder. */
async function kindOf({ revision, path, repository }: Located): Promise<string | null> {
  if (revision !== '') return (await lines(['cat-file', '-t', `${revision}:${path}`], repository))?.[0] ?? null
  let first: string | null = null
  await eachEntry(['ls-files', '-z', '--full-name', '--', `:(top,literal)${path}`], repository, (it) => {
    first ??= it
  })
  if (first === null) return null
  return first === path ? 'blob' : 'tree'
}

/** The ids of the files of a folder by their paths in it. */
async function listFolder({ name, revision, path, repository }: Located, most: number): Promise<Map<string, string>> {
  const isIndex = revision === ''
  const args = isIndex
    ? ['ls-files', '-s', '-z', '--full-name', '--', `:(top,literal)${path}`]
    : ['ls-tree', '-r', '-z', '--full-tree', `${revision}:${path}`]
  const top = isIndex && path !== '' ? path.length + 1 : 0
  const ids = new Map<string, string>()
  await eachEntry(args, repository, (entry) => {
    const [, id = '', full = ''] = regular.exec(entry) ?? []
    const file = full.slice(top)
    if (file === '' || isLeftOut(file)) return
    ids.set(file, id)
    if (ids.size > most) throw new SvcError('source-too-large', { source: name, what: 'files', limit: most })
  })
  return ids
}

/** How many bytes blobs have, by their ids. */
async function sizesOf(ids: readonly string[], repository: Repository): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  if (ids.length === 0) return sizes
  const asked = ids.map((it) => `${it}\n`).join('')
  const { bytes } = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], repository, asked)
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const [id = '', size] = line.split(' ')
    sizes.set(id, Number(size))
  }
  return sizes
}

// One process of git reads so many bytes ahead.
const aheadBytes = 8 * 1024 * 1024

/** Reads files mostly in their order, several by one process, and keeps the last of these. */
class Reader {
  readonly #documents: readonly string[]
  readonly #ids: ReadonlyMap<string, string>
  readonly #sizes: ReadonlyMap<string, number>
  readonly #repository: Repository
  #read = new Map<string, BlobResult>()

  constructor(
    documents: readonly string[],
    ids: ReadonlyMap<string, string>,
    sizes: ReadonlyMap<string, number>,
    repository: Repository,
  ) {
    this.#documents = documents
    this.#ids = ids
    this.#sizes = sizes
    this.#repository = repository
  }

  sizeOf(path: string): number {
    return this.#sizes.get(this.#ids.get(path) ?? '') ?? 0
  }

  #next(path: string): readonly string[] {
    const from = this.#documents.indexOf(path)
    let to = from + 1
    let bytes = this.sizeOf(path)
    for (; to < this.#documents.length; to++) {
      bytes += this.sizeOf(this.#documents[to] ?? '')
      if (bytes > aheadBytes) break
    }
    return from < 0 ? [path] : this.#documents.slice(from, to)
  }

  async read(path: string): Promise<BlobResult> {
    const known = this.#read.get(path)
    if (known !== undefined) return known
    const paths = this.#next(path)
    const ids = paths.map((it) => this.#ids.get(it) ?? '')
    const found = await readBlobs(ids, this.#repository)
    this.#read = new Map(paths.map((it, index) => [it, found[index] ?? 'missing']))
    return this.#read.get(path) ?? 'missing'
  }
}

/**
 * Opens a folder of a revision (git ls-tree, git ls-files for the index); null for a file.
 * @throws MissingSide where the revision or the folder does not exist; SvcError as `locate` does, and `source-too-large`
 */
export async function openGitFolder(
  revised: Revised,
  repository: Repository,
  limits: FolderLimits,
): Promise<GitFolder | null> {
  const at = await locate(revised, repository)
  const { name, revision, path, prefix } = at
  const kind = await kindOf(at)
  if (kind === null) {
    const fault = revision === '' ? null : await explainRevision(revision, repository)
    throw new MissingSide(name, fault ?? (await explainFolder(revision, path, prefix, repository)))
  }
  if (kind !== 'tree') return null
  const ids = await listFolder(at, limits.entries)
  const paths = sortPaths(ids.keys())
  const documents = paths.filter(isDocumentName)
  const sizes = await sizesOf([...new Set(documents.map((it) => ids.get(it) ?? ''))], repository)
  const reader = new Reader(documents, ids, sizes, repository)
  let bytes = 0
  for (const document of documents) {
    bytes += reader.sizeOf(document)
    if (bytes > limits.bytes)
      throw new SvcError('source-too-large', {
        source: name,
        what: 'bytes of JSON and YAML files',
        limit: limits.bytes,
      })
  }
  const files = repositoryFiles(revision, repository)
  return {
    paths,
    async read(file) {
      if (reader.sizeOf(file) > limits.documentBytes)
        throw new SvcError('body-too-large', { limit_bytes: limits.documentBytes })
      const place = path === '' ? `/${file}` : `/${path}/${file}`
      const shown = files.nameOf(place)
      const found = await reader.read(file)
      if (typeof found === 'string') throw unreadable(shown, 'git does not have its content')
      return { name: shown, text: textOf(found, shown), place, files }
    },
  }
}
