/** Reading files of this machine that the author of a document may have named: regular ones, of a bounded size, below a root. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { unreadableFile } from './file-error.ts'

/** As much as the service accepts of one document. */
export const mostFileBytes = 64 * 1024 * 1024

const kindOf = (it: Stats): string => {
  if (it.isFIFO()) return 'a named pipe'
  if (it.isSocket()) return 'a socket'
  return it.isCharacterDevice() || it.isBlockDevice() ? 'a device' : 'a special file'
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / (1024 * 1024))} MB`

// Where a shell puts the output of a command: "svc diff <(git show main:api.yaml) api.yaml".
const isOwnPipe = (path: string): boolean =>
  /^\/(?:dev\/fd\/\d+|dev\/stdin|proc\/(?:self|\d+)\/fd\/(?:\d+|pipe:.*))$/.test(path)

const tooLarge = (name: string, most: number): SvcError =>
  new SvcError('file-refused', { name, reason: `it is larger than ${megabytes(most)}` })

/** Reads to the end, or to one byte more than `most`: some files say that they are empty and never end. */
function readAll(file: number, size: number, most: number): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(Math.min(size, most) + 1)
  let length = 0
  for (;;) {
    if (length === bytes.length) {
      if (length > most) return bytes
      const grown = new Uint8Array(Math.min(bytes.length * 2 + 65_536, most + 1))
      grown.set(bytes)
      bytes = grown
    }
    const read = readSync(file, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.subarray(0, length)
    length += read
  }
}

/**
 * Reads a file of this machine.
 * @param name as messages call it
 * @param path the absolute path
 * @param most so many bytes at most
 * @throws SvcError `file-refused` for what is not a regular file or is larger; `file-not-found`, `file-is-folder`, `file-unreadable`
 */
export async function readRegular(name: string, path: string, most = mostFileBytes): Promise<Uint8Array<ArrayBuffer>> {
  let file: number | null = null
  try {
    // Without waiting: a named pipe is open only when a program writes to it.
    file = openSync(path, isOwnPipe(path) ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK)
    const info = fstatSync(file)
    if (info.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    if (!info.isFile() && !(info.isFIFO() && isOwnPipe(path)))
      throw new SvcError('file-refused', { name, reason: `it is ${kindOf(info)}, not a file` })
    if (info.size > most) throw tooLarge(name, most)
    const bytes = readAll(file, info.size, most)
    if (bytes.length > most) throw tooLarge(name, most)
    return bytes
  } catch (error) {
    // A socket cannot even be opened.
    if ((error as { code?: unknown }).code === 'ENXIO')
      throw new SvcError('file-refused', { name, reason: 'it is a socket, not a file' })
    throw error instanceof SvcError ? error : await unreadableFile(name, path, error)
  } finally {
    if (file !== null) closeSync(file)
  }
}

const roots = new Map<string, string>()

// A folder with a svc.yaml holds what belongs together as well, where there is no repository.
const repositoryOf = (folder: string): string | null => {
  let project: string | null = null
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (project === null && existsSync(join(at, 'svc.yaml'))) project = at
    if (at === dirname(at)) return project
  }
}

/**
 * The folder of --root for a document that was found in a folder which a person named: that folder, unless the document is in a
 * repository.
 * @param path the absolute path of the document
 */
export const rootInFolder = (path: string, folder: string, chosen: string | undefined): string | undefined =>
  chosen ?? (repositoryOf(dirname(path)) === null ? folder : undefined)

/**
 * The folder outside which no reference of a document is followed: its repository, else that of its svc.yaml, else its own.
 * @param path the absolute path of the document
 * @param chosen the folder of --root
 */
export function rootOf(path: string, chosen: string | undefined): string {
  const folder = dirname(path)
  const known = roots.get(folder)
  const own = known ?? repositoryOf(folder) ?? folder
  roots.set(folder, own)
  return chosen === undefined ? own : resolve(chosen)
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^[a-z]:/i.test(way) && !way.startsWith('/'))
}

const realFolders = new Map<string, string>()

const realFolderOf = (folder: string): string => {
  let real = realFolders.get(folder)
  if (real === undefined) realFolders.set(folder, (real = realpathSync.native(folder)))
  return real
}

/** Where a file is, whatever links lead there. Thousands of files are in few folders: each of these is looked up once. */
const realPathOf = (path: string): string =>
  lstatSync(path).isSymbolicLink() ? realpathSync.native(path) : join(realFolderOf(dirname(path)), basename(path))

/**
 * Refuses a file outside a root, also one that a symbolic link leads to.
 * @throws SvcError `file-refused`; nothing for a file below the root that does not exist
 */
export function assertBelow(root: string, path: string, name: string): void {
  let real: string | null
  try {
    real = realPathOf(path)
  } catch {
    real = null
  }
  // Whether a file outside exists is not said either.
  if (real === null ? isBelow(root, path) : isBelow(realFolderOf(root), real)) return
  throw new SvcError('file-refused', { name, reason: `it is outside of ${root}; --root names a wider folder` })
}
