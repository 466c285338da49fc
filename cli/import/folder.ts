import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { textOf } from '../../src/document/text.ts'
import { unreadableFile } from '../input/file-error.ts'

export interface FolderLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

const isDocument = (name: string): boolean => /\.(json|ya?ml)$/i.test(name)

// What tools put beside documents; no one means to import it.
const passedOver = new Set(['node_modules'])

/**
 * The texts of a folder that may be documents or parts of them (.json, .yaml, .yml), by path relative to it, in order.
 * Hidden entries, node_modules and symbolic links are skipped.
 * @throws SvcError `usage` for more files than `maxFiles`, `body-too-large` for more bytes than `maxBytes`, `file-unreadable` with
 *   the file or folder that cannot be read
 */
export async function collectFolder(
  folder: string,
  { maxFiles, maxBytes }: FolderLimits,
): Promise<{ path: string; content: string }[]> {
  const files: { path: string; content: string }[] = []
  let bytes = 0
  const refuse = async (path: string, error: unknown): Promise<never> => {
    throw await unreadableFile(join(folder, path), join(folder, path), error)
  }
  const take = async (path: string): Promise<void> => {
    bytes += (await stat(join(folder, path))).size
    if (bytes > maxBytes) throw new SvcError('body-too-large', { limit_bytes: maxBytes })
    const content = textOf(await readFile(join(folder, path)).catch((error: unknown) => refuse(path, error)), path)
    if (files.length >= maxFiles)
      throw new SvcError('usage', { reason: `${folder} holds more than ${maxFiles} documents; name a folder in it.` })
    files.push({ path, content })
  }
  const visit = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) =>
      refuse(below, error),
    )
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || passedOver.has(entry.name)) continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      else if (entry.isFile() && isDocument(entry.name)) await take(path)
    }
  }
  await visit('')
  return files
}
