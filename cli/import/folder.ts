import { readFile, stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { textOf } from '../../src/document/text.ts'
import { unreadableFile } from '../input/file-error.ts'
import { filesBelow, type Walk } from '../input/walk.ts'

export interface FolderLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

/** A file or folder below the one that is read, and why its texts are missing. */
export interface UnreadEntry {
  readonly path: string
  readonly error: SvcError
}

const isDocument = (file: string): boolean => /^[^.].*\.(json|ya?ml)$/i.test(basename(file))

// What tools put beside documents; no one means to import it.
const passedOver = new Set(['node_modules'])

/**
 * The texts of a folder that may be documents or parts of them (.json, .yaml, .yml), by path relative to it, in order.
 * Hidden entries, node_modules and symbolic links are skipped.
 * @param list lists a folder, where that is not left to the file system
 * @returns the texts, and what below the folder cannot be read
 * @throws SvcError `usage` for more files than `maxFiles`, `body-too-large` for more bytes than `maxBytes`, `file-unreadable`
 *   where the folder itself cannot be read
 */
export async function collectFolder(
  folder: string,
  { maxFiles, maxBytes }: FolderLimits,
  list?: Walk['list'],
): Promise<{ readonly files: { path: string; content: string }[]; readonly unread: readonly UnreadEntry[] }> {
  const files: { path: string; content: string }[] = []
  const unread: UnreadEntry[] = []
  let bytes = 0
  const nameOf = (file: string): string => relative(folder, file).replaceAll(sep, '/')
  const walk: Walk = {
    isEntered: (name) => !name.startsWith('.') && !passedOver.has(name),
    onSkipped: (below, reason) =>
      void unread.push({
        path: nameOf(below),
        error: new SvcError('file-unreadable', { name: nameOf(below), reason }),
      }),
    ...(list === undefined ? {} : { list }),
  }
  for await (const file of filesBelow(folder, walk)) {
    if (!isDocument(file)) continue
    const path = nameOf(file)
    bytes += (await stat(file)).size
    if (bytes > maxBytes) throw new SvcError('body-too-large', { limit_bytes: maxBytes })
    try {
      files.push({ path, content: textOf(await readFile(file), path) })
    } catch (error) {
      unread.push({ path, error: error instanceof SvcError ? error : await unreadableFile(path, file, error) })
    }
    if (files.length > maxFiles)
      throw new SvcError('usage', { reason: `${folder} holds more than ${maxFiles} documents; name a folder in it.` })
  }
  return { files, unread }
}
