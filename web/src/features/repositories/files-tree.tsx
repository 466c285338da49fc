import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import {
  ChevronRight,
  File,
  FileJson,
  Folder as FolderMark,
  FolderOpen,
  Link2,
  Package,
  type LucideIcon,
} from 'lucide-react'
import { type KeyboardEvent, useCallback, useId, useMemo, useRef, useState, type RefObject } from 'react'
import type { RepositoryTreeEntry } from '../../../../src/api/repository-shapes.ts'
import { bytesWords, count } from '../../parts/text.ts'
import { Failure } from '../../parts/states.tsx'
import { FileMarks, ImportedTo } from './marks.tsx'
import { type FileFilter, folderPiece, folderQuery, type RepositoryAt } from './queries.ts'
import { findRow, type Folder, keyOfRow, rowsOf, stepFrom, type TreeRow, type TreeRows } from './tree-rows.ts'

/** Folders that are open, and which pieces of each are read: kept while one looks at a file and comes back. */
type Pieces = ReadonlyMap<string, ReadonlySet<number>>
const kept = new Map<string, Pieces>()
const firstPiece: ReadonlySet<number> = new Set([0])
const start: Pieces = new Map([['', firstPiece]])

const reasonMarks: Readonly<Partial<Record<string, LucideIcon>>> = { submodule: Package, symlink: Link2 }

const FileMark = ({ row }: { row: TreeRow }) => {
  const look = 'shrink-0 text-soft'
  if (row.kind === 'folder') {
    const Mark = row.isOpen ? FolderOpen : FolderMark
    return <Mark size={16} aria-hidden="true" className="shrink-0 text-accent" />
  }
  if (row.kind === 'more') return null
  const { reason, kind } = row.entry.file
  const Plain = kind === null ? File : FileJson
  const Mark = (reason === null ? undefined : reasonMarks[reason]) ?? Plain
  return <Mark size={16} aria-hidden="true" className={kind === null ? look : 'shrink-0 text-accent'} />
}

const FolderCounts = ({ row: { entry } }: { row: Extract<TreeRow, { kind: 'folder' }> }) => (
  <span className="flex items-center gap-2 text-xs whitespace-nowrap text-soft">
    {entry.imported > 0 ? <span className="text-ok">{entry.imported.toLocaleString()} imported</span> : null}
    <span className="max-sm:hidden">{count(entry.files, 'file', 'files')}</span>
  </span>
)

const RowContent = ({ at, row }: { at: RepositoryAt; row: TreeRow }) => {
  if (row.kind === 'more') return <span className="text-soft">Loading …</span>
  const { entry } = row
  const isFile = row.kind === 'file'
  return (
    <>
      <FileMark row={row} />
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-0.5">
        {isFile ? (
          <Link
            to="/t/$tenant/-/repositories/$repository/file"
            params={{ ...at }}
            search={{ branch: row.entry.file.branch, path: entry.path }}
            tabIndex={-1}
            className="min-w-0 font-mono text-[0.8125rem] break-all hover:underline"
          >
            {entry.name}
          </Link>
        ) : (
          <span className="min-w-0 font-mono text-[0.8125rem] break-all">{entry.name}</span>
        )}
        <FileMarks
          of={isFile ? row.entry.file : { kind: null, reason: null, vendored: entry.vendored, hidden: entry.hidden }}
        />
      </span>
      {isFile ? (
        <span className="flex min-w-0 flex-wrap items-center justify-end gap-x-4 text-xs text-soft">
          {row.entry.file.import ? <ImportedTo tenant={at.tenant} imported={row.entry.file.import} /> : null}
          {row.entry.file.size_bytes === null ? null : (
            <span className="whitespace-nowrap tabular-nums max-sm:hidden">
              {bytesWords(row.entry.file.size_bytes)}
            </span>
          )}
        </span>
      ) : (
        <FolderCounts row={row} />
      )}
    </>
  )
}

/** What was read of each open folder, and the rows that follow from it. */
const useRows = (at: RepositoryAt, filter: FileFilter, pieces: Pieces) => {
  const wanted = [...pieces].flatMap(([path, read]) =>
    [...read].map((piece) => ({ path, offset: piece * folderPiece })),
  )
  const results = useQueries({ queries: wanted.map(({ path, offset }) => folderQuery(at, filter, path, offset)) })
  // Put together when something was read, not whenever they are drawn.
  const stamp = results.map((it) => it.dataUpdatedAt).join(' ')
  const rows = useMemo(() => {
    const folders = new Map<string, Folder & { readonly pieces: Map<number, readonly RepositoryTreeEntry[]> }>()
    for (const [index, { path, offset }] of wanted.entries()) {
      const data = results[index]?.data
      if (data === undefined) continue
      const folder = folders.get(path) ?? { pieces: new Map(), pieceSize: folderPiece, total: data.total }
      folder.pieces.set(offset / folderPiece, data.entries)
      folders.set(path, folder)
    }
    return rowsOf((path) => folders.get(path), [...pieces.keys()])
  }, [stamp, pieces])
  return { rows, error: results.find((it) => it.error)?.error ?? null, retry: () => results.map((it) => it.refetch()) }
}

/** The row that has the focus: by what it is, and by its position where that row was replaced by what came in. */
const placeOf = (rows: TreeRows, { key, index }: { key: string; index: number }): number => {
  const there = rows.at(index)
  if (there !== undefined && keyOfRow(there) === key) return index
  const moved = key === '' ? -1 : findRow(rows, key)
  return moved === -1 ? Math.max(0, Math.min(index, rows.length - 1)) : moved
}

const TreeItem = ({
  at,
  row,
  item,
  id,
  isActive,
  measure,
  onClick,
}: {
  at: RepositoryAt
  row: TreeRow
  item: VirtualItem
  id: string
  isActive: boolean
  measure: (element: HTMLElement | null) => void
  onClick: () => void
}) => {
  return (
    <div
      ref={measure}
      data-index={item.index}
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-selected={isActive}
      {...(row.kind === 'folder' ? { 'aria-expanded': row.isOpen } : {})}
      {...(row.kind === 'more' ? {} : { 'aria-posinset': row.place[0], 'aria-setsize': row.place[1] })}
      onClick={onClick}
      className={`absolute top-0 left-0 flex min-h-9 w-full items-center gap-2 border-b py-1 pr-4 text-sm hover:bg-raised group-focus-visible:aria-selected:bg-wash ${row.kind === 'folder' ? 'cursor-pointer' : ''}`}
      style={{ transform: `translateY(${item.start}px)`, paddingLeft: `${0.5 + (row.level - 1) * 1.25}rem` }}
    >
      {row.kind === 'folder' ? (
        <ChevronRight size={15} aria-hidden="true" className={`shrink-0 text-soft ${row.isOpen ? 'rotate-90' : ''}`} />
      ) : (
        <span className="w-[15px] shrink-0" />
      )}
      <RowContent at={at} row={row} />
    </div>
  )
}

/** What was asked for of each open folder. It is remembered while the application is open, by `memory`. */
const usePieces = (memory: string) => {
  const [pieces, setPieces] = useState(kept.get(memory) ?? start)
  const keep = (next: Pieces): void => {
    kept.set(memory, next)
    setPieces(next)
  }
  const toggle = (path: string): void => {
    const next = new Map(pieces)
    if (!next.delete(path)) next.set(path, firstPiece)
    keep(next)
  }
  return { pieces, keep, toggle }
}

/** The rows that are drawn; `open` names the folders that are open, `current` is the active row. */
const useTreeVirtualizer = (rows: TreeRows, open: string, current: number, frame: RefObject<HTMLDivElement | null>) => {
  // The same function as long as the same rows are there, whatever was read of them: with another one all rows are measured again.
  const latest = useRef(rows)
  latest.current = rows
  const keyAt = useCallback(
    (index: number) => {
      const row = latest.current.at(index)
      return row === undefined || row.kind === 'more' ? index : keyOfRow(row)
    },
    [rows.length, open],
  )
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 36,
    overscan: 12,
    getItemKey: keyAt,
    // The active row exists wherever the tree is scrolled to: assistive technology must find it.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  })
}

/** What the keys do in the tree: arrows move and open or close folders, Enter and Space open the active row. */
const treeKeys =
  ({
    rows,
    current,
    openRow,
    toggle,
    onMove,
  }: {
    rows: TreeRows
    current: number
    openRow: (row: TreeRow | undefined) => void
    toggle: (path: string) => void
    onMove: (index: number) => void
  }) =>
  (event: KeyboardEvent): void => {
    const row = rows.at(current)
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      openRow(row)
      return
    }
    if (row?.kind === 'folder' && event.key === (row.isOpen ? 'ArrowLeft' : 'ArrowRight')) {
      event.preventDefault()
      toggle(row.entry.path)
      return
    }
    const key = event.key === 'ArrowRight' && row?.kind === 'folder' ? 'ArrowDown' : event.key
    const next = stepFrom(rows, current, key)
    if (next === null) return
    event.preventDefault()
    onMove(next)
  }

/**
 * The files of a branch as a tree. Folders are read when they are opened, in pieces, and only the visible rows exist: a branch
 * of 100,000 files is as quick as one of ten.
 */
export const FilesTree = ({ at, filter, commit }: { at: RepositoryAt; filter: FileFilter; commit: string }) => {
  const navigate = useNavigate()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const { pieces, keep, toggle } = usePieces(JSON.stringify([at, filter]))
  const [active, setActive] = useState({ key: '', index: 0 })
  const { rows, error, retry } = useRows(at, filter, pieces)
  const current = useMemo(() => placeOf(rows, active), [rows, active])
  const activate = (index: number): void => setActive({ key: keyOfRow(rows.at(index) as TreeRow), index })
  const virtualizer = useTreeVirtualizer(rows, [...pieces.keys()].join('\n'), current, frame)
  const shown = virtualizer.getVirtualItems()
  // What is seen and not read yet is read: the first of it decides, and what follows comes with the next drawing.
  const missing = shown.map(({ index }) => rows.at(index)).find((row) => row?.kind === 'more')
  const seen = missing?.kind === 'more' ? pieces.get(missing.path) : undefined
  if (missing?.kind === 'more' && seen !== undefined) {
    const piece = Math.floor(missing.offset / folderPiece)
    if (!seen.has(piece)) keep(new Map(pieces).set(missing.path, new Set([...seen, piece])))
  }
  const openRow = (row: TreeRow | undefined): void => {
    if (row?.kind === 'folder') toggle(row.entry.path)
    if (row?.kind === 'file')
      void navigate({
        to: '/t/$tenant/-/repositories/$repository/file',
        params: { ...at },
        search: { branch: row.entry.file.branch, path: row.entry.path },
      })
  }
  const onKeyDown = treeKeys({
    rows,
    current,
    openRow,
    toggle,
    onMove: (index) => {
      activate(index)
      virtualizer.scrollToIndex(index)
    },
  })
  if (error !== null) return <Failure error={error} onRetry={retry} />
  return (
    <div
      ref={frame}
      role="tree"
      aria-label={`Files of ${filter.branch === '' ? 'the default branch' : filter.branch} at ${commit.slice(0, 7)}`}
      tabIndex={0}
      aria-activedescendant={rows.length > 0 ? `${id}-${current}` : undefined}
      onKeyDown={onKeyDown}
      className="group card max-h-[70vh] overflow-auto"
    >
      <div role="presentation" className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map((item) => {
          const row = rows.at(item.index) as TreeRow
          return (
            <TreeItem
              key={item.key}
              at={at}
              row={row}
              item={item}
              id={`${id}-${item.index}`}
              isActive={item.index === current}
              measure={virtualizer.measureElement}
              onClick={() => {
                activate(item.index)
                if (row.kind === 'folder') toggle(row.entry.path)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}
