/** Errors for files that cannot be read or written, with the cause in words. */
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { causeOf, codeOf } from '../file-cause.ts'

const documentNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((it) => /\.(?:json|ya?ml)$/i.test(it)).toSorted()

/**
 * Why a file cannot be read, with the nearest name beside it where there is none of that name.
 * @param name as it was typed
 * @param path the absolute path
 * @param error what the file system raised
 * @param at where a configuration names the file; null where a person did
 * @returns SvcError `file-not-found`, `file-is-folder` (with up to three documents in it) or `file-unreadable`
 */
export async function unreadableFile(
  name: string,
  path: string,
  error: unknown,
  at: string | null = null,
): Promise<SvcError> {
  const code = codeOf(error)
  if (code === 'EISDIR') {
    const inside = await documentNames(path)
    return new SvcError('file-is-folder', { name, files: inside.length === 0 ? null : inside.slice(0, 3) })
  }
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return new SvcError('file-unreadable', { name, reason: causeOf(error) })
  const near = suggest(
    basename(path),
    (await readdir(dirname(path)).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1)),
  )
  return new SvcError('file-not-found', {
    name,
    at,
    near: near === null ? null : name.slice(0, name.length - basename(name).length) + near,
  })
}

/** Why a file cannot be written. */
export const unwritableFile = (name: string, error: unknown): SvcError<'file-unwritable'> =>
  new SvcError('file-unwritable', { name, reason: causeOf(error) })
