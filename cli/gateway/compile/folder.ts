/** Folders of compiled policies. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { SvcError } from '../../../src/errors.ts'
import { isPathWithin } from '../../../src/gateway/agent/bundle.ts'
import { Manifest, manifestName } from '../../../src/gateway/compile/manifest.ts'
import type { ReleaseFile } from '../../../src/gateway/compile/index.ts'
import { causeOf } from '../../file-cause.ts'

/** More than any release has: folders with more files are not read. */
const mostFiles = 20_000

/** The paths of all files below a folder, separated by "/"; none where it does not exist. */
function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => !it.isDirectory())
      .map((it) =>
        join(it.parentPath, it.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The manifest of a folder; null: it has none that can be read. */
function manifestIn(folder: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'))
    return Value.Check(Manifest, value) ? value : null
  } catch {
    return null
  }
}

/**
 * Writes a release into a folder, in place of the release that is there.
 * @param shown the folder as the person named it
 * @throws SvcError `file-unwritable` where the folder has other files, or cannot be written to
 */
export function writeRelease(shown: string, folder: string, files: readonly ReleaseFile[], manifest: Manifest): void {
  try {
    const before = pathsIn(folder)
    const known = manifestIn(folder)
    if (before.length > 0 && known === null)
      throw new SvcError('file-unwritable', {
        name: shown,
        reason: 'the folder has files and no release.json; give an empty folder, or one with an earlier release',
      })
    const names = new Set(files.map(({ path }) => path))
    for (const { path } of known?.files ?? [])
      if (isPathWithin(path) && !names.has(path)) rmSync(join(folder, path), { force: true })
    for (const { path, text } of [...files, { path: manifestName, text: `${JSON.stringify(manifest, null, 1)}\n` }]) {
      const target = join(folder, path)
      mkdirSync(dirname(target), { recursive: true })
      // An engine that reloads in between reads the old file or the new one.
      writeFileSync(`${target}.new`, text)
      renameSync(`${target}.new`, target)
    }
  } catch (error) {
    if (error instanceof SvcError) throw error
    throw new SvcError('file-unwritable', { name: shown, reason: causeOf(error) })
  }
}

/**
 * Reads a folder that was written before.
 * @throws SvcError `file-not-found`, `file-unreadable`
 */
export function readRelease(shown: string, folder: string): { manifest: Manifest; files: Map<string, string> } {
  try {
    if (!statSync(folder).isDirectory())
      throw new SvcError('file-unreadable', { name: shown, reason: 'it is not a folder' })
    const manifest = manifestIn(folder)
    if (manifest === null)
      throw new SvcError('file-unreadable', {
        name: shown,
        reason:
          'it has no release.json that "svc gateway compile" wrote; the agent of a gateway checks the releases that it fetches itself',
      })
    const paths = pathsIn(folder).filter((it) => it !== manifestName)
    if (paths.length > mostFiles)
      throw new SvcError('file-unreadable', { name: shown, reason: `it has more than ${mostFiles} files` })
    return { manifest, files: new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])) }
  } catch (error) {
    if (error instanceof SvcError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new SvcError('file-not-found', { name: shown, at: null, near: null })
    throw new SvcError('file-unreadable', { name: shown, reason: causeOf(error) })
  }
}
