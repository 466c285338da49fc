/** The rows of a tree whose folders are read one by one, as they are opened. */
import type { RepositoryFile, RepositoryTreeEntry } from '../../../../src/api/repository-shapes.ts'

/** What was read of a folder so far. */
export interface Folder {
  /** Its entries in pieces of `pieceSize`, by the numbers of the pieces; those that were not read yet are missing. */
  readonly pieces: ReadonlyMap<number, readonly RepositoryTreeEntry[]>
  readonly pieceSize: number
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

/** Rows that are made when they are asked for: of 100,000 only those that are seen exist. */
export interface TreeRows {
  readonly length: number
  /** Undefined outside of them. */
  readonly at: (index: number) => TreeRow | undefined
}

/** A row by its id. */
export const keyOfRow = (row: TreeRow): string =>
  row.kind === 'more' ? `more ${row.offset} ${row.path}` : `${row.kind} ${row.entry.path}`

/** The positions of the folders in a piece, by their paths: found once for each piece that is read. */
const foldersIn = (() => {
  const known = new WeakMap<readonly RepositoryTreeEntry[], ReadonlyMap<string, number>>()
  return (piece: readonly RepositoryTreeEntry[]): ReadonlyMap<string, number> => {
    const found = known.get(piece)
    if (found !== undefined) return found
    const made = new Map<string, number>()
    for (const [index, { file, path }] of piece.entries()) if (file === null) made.set(path, index)
    known.set(piece, made)
    return made
  }
})()

/** The open folders of one folder, in their order: the position of each, and the rows below it. */
type Below = readonly { readonly position: number; readonly rows: TreeRows }[]

/** The rows of a folder: its entries, with the rows below those that are open. */
function rowsIn(path: string, folder: Folder, level: number, below: Below): TreeRows {
  const { pieces, pieceSize, total } = folder
  const entryRow = (offset: number, isOpen: boolean): TreeRow => {
    const entry = pieces.get(Math.floor(offset / pieceSize))?.[offset % pieceSize]
    if (entry === undefined) return { kind: 'more', path, offset, level }
    const place = [offset + 1, total] as const
    return entry.file === null
      ? { kind: 'folder', entry, level, isOpen, place }
      : { kind: 'file', entry: { ...entry, file: entry.file }, level, place }
  }
  return {
    length: below.reduce((sum, { rows }) => sum + rows.length, total),
    at(index) {
      let before = 0
      for (const { position, rows } of below) {
        const own = position + before
        if (index < own) break
        if (index === own) return entryRow(position, true)
        if (index <= own + rows.length) return rows.at(index - own - 1)
        before += rows.length
      }
      const offset = index - before
      return offset >= 0 && offset < total ? entryRow(offset, false) : undefined
    },
  }
}

/**
 * The rows that are shown: those of the top, and below each open folder those of it. What this costs grows with the pieces that were read
 * and the folders that are open, not with the rows.
 * @param read gives what was read of a folder; undefined where nothing was
 * @param open the paths of open folders
 */
export function rowsOf(
  read: (path: string) => Folder | undefined,
  open: readonly string[],
  path = '',
  level = 1,
): TreeRows {
  const folder = read(path)
  if (folder === undefined)
    return { length: 1, at: (index) => (index === 0 ? { kind: 'more', path, offset: 0, level } : undefined) }
  const below: { position: number; rows: TreeRows }[] = []
  for (const [number, piece] of folder.pieces) {
    const folders = foldersIn(piece)
    for (const one of open) {
      const index = folders.get(one)
      if (index === undefined) continue
      below.push({ position: number * folder.pieceSize + index, rows: rowsOf(read, open, one, level + 1) })
    }
  }
  return rowsIn(
    path,
    folder,
    level,
    below.toSorted((a, b) => a.position - b.position),
  )
}

/** The position of a row by its key; -1 where there is none. */
export function findRow(rows: TreeRows, key: string): number {
  let index = 0
  for (let row = rows.at(index); row !== undefined; row = rows.at((index += 1)))
    if (row.kind !== 'more' && keyOfRow(row) === key) return index
  return -1
}

/** The folder that a row is in; null where it is at the top. */
function parentOf(rows: TreeRows, index: number): number | null {
  const level = rows.at(index)?.level ?? 1
  for (let above = level === 1 ? -1 : index - 1; above >= 0; above--)
    if ((rows.at(above)?.level ?? level) < level) return above
  return null
}

/** The row that a key moves to; null where it does not move. */
export const stepFrom = (rows: TreeRows, index: number, key: string): number | null => {
  const last = rows.length - 1
  if (key === 'ArrowDown') return Math.min(last, index + 1)
  if (key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'PageDown') return Math.min(last, index + 20)
  if (key === 'PageUp') return Math.max(0, index - 20)
  // From what is in a folder to the folder.
  return key === 'ArrowLeft' ? parentOf(rows, index) : null
}
