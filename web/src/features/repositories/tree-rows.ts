/** The rows of a tree whose folders are read one by one, as they are opened. */
import type { RepositoryFile, RepositoryTreeEntry } from '../../../../src/api/repository-shapes.ts'

/** What was read of a folder so far. */
export interface Folder {
  /** By their positions; those that were not read yet are missing. */
  readonly entries: ReadonlyMap<number, RepositoryTreeEntry>
  readonly total: number
}

export type TreeRow =
  | {
      readonly kind: 'folder'
      readonly entry: RepositoryTreeEntry
      readonly level: number
      readonly isOpen: boolean
      /** Its place among what is beside it, from 1, and how many those are. */
      readonly place: readonly [position: number, size: number]
    }
  | {
      readonly kind: 'file'
      readonly entry: RepositoryTreeEntry & { readonly file: RepositoryFile }
      readonly level: number
      readonly place: readonly [position: number, size: number]
    }
  /** An entry of a folder that is not read yet. */
  | { readonly kind: 'more'; readonly path: string; readonly offset: number; readonly level: number }

/** A row by its id. */
export const keyOfRow = (row: TreeRow): string =>
  row.kind === 'more' ? `more ${row.offset} ${row.path}` : `${row.kind} ${row.entry.path}`

/**
 * The rows that are shown: those of the top, and below each open folder those of it.
 * @param read gives what was read of a folder; undefined where nothing was
 */
export const rowsOf = (
  read: (path: string) => Folder | undefined,
  isOpen: (path: string) => boolean,
  path = '',
  level = 1,
): TreeRow[] => {
  const rows: TreeRow[] = []
  // No recursion with one list for each level: a tree of 100,000 rows is put together in one pass.
  const add = (folderPath: string, at: number): void => {
    const folder = read(folderPath)
    if (folder === undefined) {
      rows.push({ kind: 'more', path: folderPath, offset: 0, level: at })
      return
    }
    for (let index = 0; index < folder.total; index++) {
      const entry = folder.entries.get(index)
      const place = [index + 1, folder.total] as const
      if (entry === undefined) rows.push({ kind: 'more', path: folderPath, offset: index, level: at })
      else if (entry.file !== null) rows.push({ kind: 'file', entry: { ...entry, file: entry.file }, level: at, place })
      else {
        const open = isOpen(entry.path)
        rows.push({ kind: 'folder', entry, level: at, isOpen: open, place })
        if (open) add(entry.path, at + 1)
      }
    }
  }
  add(path, level)
  return rows
}

/** The row that a key moves to; null where it does not move. */
export const stepFrom = (rows: readonly TreeRow[], index: number, key: string): number | null => {
  const last = rows.length - 1
  const current = rows[index]
  if (key === 'ArrowDown') return Math.min(last, index + 1)
  if (key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'PageDown') return Math.min(last, index + 20)
  if (key === 'PageUp') return Math.max(0, index - 20)
  // From what is in a folder to the folder.
  if (key === 'ArrowLeft' && current !== undefined) {
    const parent = rows.findLastIndex((it, at) => at < index && it.level < current.level)
    return parent === -1 ? null : parent
  }
  return null
}
