/** Folders of compiled policies. */
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { replaceFile } from '../../../server/disk/door.ts'
import { SvcError } from '../../../src/errors.ts'
import { isPathWithin } from '../../../src/gateway/agent/bundle.ts'
import { AgentManifest, Manifest, manifestName } from './manifest.ts'
import type { ReleaseFile } from '../../../src/gateway/compile/index.ts'
import { causeOf } from '../../file-cause.ts'
import { emptyRelease } from '../agent/folder.ts'

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

/** What a folder says about itself; null: nothing that can be read. */
function contentIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, manifestName), 'utf8'))
  } catch (error) {
    // The agent's file is readable for its own user alone.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error
    return null
  }
}

/** The manifest of a folder; null: it has none that can be read. */
function manifestIn(folder: string): Manifest | null {
  const value = contentIn(folder)
  return Value.Check(Manifest, value) ? value : null
}

/** The folder of the release in use, where a folder is that of an agent. */
function inUse(folder: string): string {
  const current = join(folder, 'current')
  const isAgent = lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isAgent && manifestIn(folder) === null ? realpathSync(current) : realpathSync(folder)
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
      // An engine that reloads in between reads the old file or the new one.
      replaceFile(join(folder, path), text)
    }
  } catch (error) {
    if (error instanceof SvcError) throw error
    throw new SvcError('file-unwritable', { name: shown, reason: causeOf(error) })
  }
}

interface ReadRelease {
  /** Where the files are: of an agent the release in use. */
  readonly folder: string
  readonly manifest: Manifest | AgentManifest
  readonly files: ReadonlyMap<string, string>
}

/**
 * Reads a folder that was written before: by `svc gateway compile`, or by the agent of a gateway, whose release in use it reads.
 * @throws SvcError `file-not-found`, `file-unreadable`
 */
export function readRelease(shown: string, given: string): ReadRelease {
  try {
    if (!statSync(given).isDirectory())
      throw new SvcError('file-unreadable', { name: shown, reason: 'it is not a folder' })
    const folder = inUse(given)
    const content = contentIn(folder)
    const manifest = Value.Check(Manifest, content) || Value.Check(AgentManifest, content) ? content : null
    if (manifest === null) {
      const reason =
        folder.endsWith(`/${emptyRelease}`) && folder !== given
          ? 'its agent has no release yet'
          : 'it has no release.json that "svc gateway compile" or the agent of a gateway wrote'
      throw new SvcError('file-unreadable', { name: shown, reason })
    }
    const paths = pathsIn(folder).filter((it) => it !== manifestName)
    if (paths.length > mostFiles)
      throw new SvcError('file-unreadable', { name: shown, reason: `it has more than ${mostFiles} files` })
    return { folder, manifest, files: new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])) }
  } catch (error) {
    if (error instanceof SvcError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new SvcError('file-not-found', { name: shown, at: null, near: null })
    throw new SvcError('file-unreadable', { name: shown, reason: causeOf(error) })
  }
}
