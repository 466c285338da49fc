import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** How a file is written. */
export interface Replacing {
  /** Its permissions, whatever the file had before; by default those that it had, else those of any new file. */
  readonly mode?: number
  /** The permissions of folders that are made for it. */
  readonly folderMode?: number
  /** Whether it is on the disk when the function returns; true by default. What can be computed again does not have to be. */
  readonly flush?: boolean
  /** Whether a file that is there already is an error (`EEXIST`), also one that another process makes at this moment. */
  readonly isNew?: boolean
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

function writeAll(file: number, bytes: Uint8Array, from = 0): void {
  for (let at = from; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** The file itself where the path is a symbolic link, which stays one. */
function targetOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Writes to a device, a pipe or the like: there is nothing to lose. */
function writeThrough(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w')
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at)
  } finally {
    closeSync(file)
  }
}

/** Writes into the file that is there. Where that fails what it had is written back, for which there is always space. */
function overwrite(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  try {
    const old = new Uint8Array(fstatSync(file).size)
    for (let at = 0; at < old.length;) {
      const read = readSync(file, old, at, old.length - at, at)
      if (read === 0) break
      at += read
    }
    try {
      writeAll(file, bytes)
      ftruncateSync(file, bytes.length)
      fsyncSync(file)
    } catch (error) {
      writeAll(file, old)
      ftruncateSync(file, old.length)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

function writeDraft(draft: string, bytes: Uint8Array, mode: number | undefined, flush: boolean): void {
  const file = openSync(draft, 'wx', mode ?? 0o666)
  try {
    writeAll(file, bytes)
    if (flush) fsyncSync(file)
  } finally {
    closeSync(file)
  }
  // What is passed to open() is reduced by the mask of the process.
  if (mode !== undefined) chmodSync(draft, mode)
}

function syncFolder(folder: string): void {
  // Windows opens no folders, and writes their entries by itself.
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

// A file that is mounted alone cannot be replaced, and in some folders nothing can be added.
const needsOverwrite: ReadonlySet<unknown> = new Set(['EBUSY', 'EACCES', 'EPERM', 'EXDEV'])

/**
 * Writes a file whole or not at all: what it had stays until the new content is written beside it, and nothing is left beside it
 * where that fails, for example on a full disk. Folders are made. What is not a regular file, such as /dev/stdout, is written to.
 *
 * @param content a text becomes UTF-8
 * @throws what the file system raises
 */
export function replaceFile(path: string, content: string | Uint8Array, replacing: Replacing = {}): void {
  const { mode, folderMode, flush = true, isNew = false } = replacing
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  mkdirSync(dirname(path), { recursive: true, ...(folderMode === undefined ? {} : { mode: folderMode }) })
  const known = statOf(path)
  if (known !== null && !known.isFile() && !known.isDirectory()) return writeThrough(path, bytes)
  const target = targetOf(path)
  const draft = join(dirname(target), `.${basename(target).slice(0, 200)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    if (known?.isDirectory() === true) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    // A file that cannot be written is not replaced either.
    if (known !== null && mode === undefined) closeSync(openSync(target, 'r+'))
    writeDraft(draft, bytes, mode ?? (known === null ? undefined : known.mode & 0o7777), flush)
    if (isNew) linkSync(draft, target)
    else renameSync(draft, target)
    if (flush) syncFolder(dirname(target))
  } catch (error) {
    if (isNew || known === null || !known.isFile() || !needsOverwrite.has(codeOf(error))) throw error
    overwrite(target, bytes)
  } finally {
    rmSync(draft, { force: true })
  }
}
