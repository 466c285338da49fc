import type { RepositoryFile, RepositoryTreeEntry } from '../../src/api/repository-shapes.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import { isImportable, type ListedFile, marksOf } from '../hosting/door.ts'
import { fileIdOf, filesFor, readBranch, toFile, type FilesQuery } from './files.ts'
import { compareText } from '../../src/kernel/order.ts'

/** A folder as it is counted: what is below it, and the longest path that all of it shares. */
interface Counted {
  readonly name: string
  /** The folder that all files are below: where one folder holds nothing but another one, both are shown as one. */
  path: string
  files: number
  importable: number
  imported: number
  vendored: number
  hidden: number
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function count(folder: Counted, file: ListedFile, isImported: boolean): void {
  folder.files++
  if (isImportable(file)) folder.importable++
  if (isImported) folder.imported++
  const { vendored, hidden } = marksOf(file.path)
  if (vendored) folder.vendored++
  if (hidden) folder.hidden++
  while (!file.path.startsWith(`${folder.path}/`)) folder.path = folderOf(folder.path)
}

/** What is directly in a folder: its folders first, both in the order of their names. */
export function entriesOf(
  files: readonly ListedFile[],
  path: string,
  isImported: (path: string) => boolean,
): { readonly folders: readonly Counted[]; readonly files: readonly ListedFile[] } {
  const prefix = path === '' ? '' : `${path}/`
  const folders = new Map<string, Counted>()
  const direct: ListedFile[] = []
  for (const file of files) {
    if (!file.path.startsWith(prefix)) continue
    const end = file.path.indexOf('/', prefix.length)
    if (end === -1) {
      direct.push(file)
      continue
    }
    const name = file.path.slice(prefix.length, end)
    let folder = folders.get(name)
    if (folder === undefined) {
      const zero = { files: 0, importable: 0, imported: 0, vendored: 0, hidden: 0 }
      folder = { name, path: folderOf(file.path), ...zero }
      folders.set(name, folder)
    }
    count(folder, file, isImported(file.path))
  }
  return {
    folders: [...folders.values()].toSorted((a, b) => compareText(a.name, b.name)),
    files: direct.toSorted((a, b) => compareText(a.path, b.path)),
  }
}

const nameBelow = (path: string, folder: string): string => path.slice(folder === '' ? 0 : folder.length + 1)

/** One page of what is in a folder: its folders, then its files. */
export function shownEntries(
  { folders, files }: ReturnType<typeof entriesOf>,
  path: string,
  page: Page,
  fileOf: (file: ListedFile) => RepositoryFile,
): RepositoryTreeEntry[] {
  const folderEntry = (counted: Counted): RepositoryTreeEntry => ({
    type: 'folder',
    name: nameBelow(counted.path, path),
    path: counted.path,
    files: counted.files,
    importable: counted.importable,
    imported: counted.imported,
    vendored: counted.vendored === counted.files,
    hidden: counted.hidden === counted.files,
    file: null,
  })
  const fileEntry = (listedFile: ListedFile): RepositoryTreeEntry => {
    const file = fileOf(listedFile)
    return {
      type: 'file',
      name: nameBelow(listedFile.path, path),
      path: listedFile.path,
      files: 1,
      importable: file.importable ? 1 : 0,
      imported: file.import === null ? 0 : 1,
      vendored: file.vendored,
      hidden: file.hidden,
      file,
    }
  }
  const end = page.offset + page.limit
  return [
    ...folders.slice(page.offset, end).map(folderEntry),
    ...files.slice(Math.max(0, page.offset - folders.length), Math.max(0, end - folders.length)).map(fileEntry),
  ]
}

/**
 * One folder of a branch with what matches below it, so that a tree of any size is read folder by folder.
 * @throws SvcError `repository-not-found`, `branch-not-indexed`, and what `filesFor` throws
 */
export async function listTree(
  deps: Deps,
  grant: Grant,
  id: string,
  query: Omit<FilesQuery, 'path_prefix'> & { readonly path?: string },
  page: Page,
  signal: AbortSignal,
) {
  const branch = await readBranch(deps, tenantOf(grant).id, id, query.branch ?? null)
  const matching = await filesFor(deps, branch.row, branch.files, query, signal)
  const path = (query.path ?? '').replace(/\/+$/, '')
  const { known, row } = branch
  const found = entriesOf(matching, path, (one) => known.imports.has(fileIdOf(row.branch, one)))
  return {
    ...branch.head,
    path,
    entries: shownEntries(found, path, page, (file) => toFile(row.branch, file, known)),
    files_total: matching.length,
    total: found.folders.length + found.files.length,
    ...page,
  }
}
