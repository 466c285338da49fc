/** The archives of a release: one for each platform, with the same bytes for the same content. */
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { file, inOrder, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import { output } from './run.ts'
import { tarOf } from './tar.ts'
import { executableOf, type Target } from './targets.ts'

/** Writes entries below a folder, with their modes whatever the mask of the caller is. */
export async function writeEntries(folder: string, entries: readonly Entry[]): Promise<void> {
  for (const { path, mode, content } of entries) {
    const at = join(folder, path)
    await mkdir(content === null ? at : dirname(at), { recursive: true })
    if (content !== null) await writeFile(at, content)
    await chmod(at, mode)
  }
}

async function zip(entries: readonly Entry[], archive: string, time: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-zip-'))
  try {
    await writeEntries(folder, entries)
    for (const { path } of entries) await utimes(join(folder, path), time, time)
    await rm(archive, { force: true })
    const names = entries.map((it) => it.path)
    // Zip has local times.
    const env = { ...process.env, TZ: 'UTC' }
    await output(['zip', '-q', '-X', '-9', resolve(archive), ...names], { cwd: folder, env })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface ArchiveInput {
  readonly target: Pick<Target, 'os'>
  /** The files beside the executable. */
  readonly entries: readonly Entry[]
  readonly executable: Uint8Array
  /** The time of all files, in seconds since 1970. */
  readonly time: number
}

/**
 * Writes the archive of a platform: tar and gzip, for Windows zip.
 * @throws Error where gzip or zip fails
 */
export async function writeArchive(archive: string, input: ArchiveInput): Promise<void> {
  const { target, entries, executable, time } = input
  const whole = inOrder([...entries, file(executableOf(target), executable, 0o755)])
  if (target.os === 'win32') await zip(whole, archive, time)
  else await writeFile(archive, await gzip(tarOf(whole, { time })))
}
