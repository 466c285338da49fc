import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Network } from '../egress/door.ts'
import { Mirror, MirrorBroken } from './mirror.ts'
import { listRefs, type Refs } from './refs.ts'
import { mirrorName, type Remote, withGit, type RemoteGit } from './remote-git.ts'

export interface MirrorOptions {
  readonly allow: readonly Network[]
  /** Where mirrors are kept. Removing it costs only the time to fetch again. */
  readonly folder: string
  /** Bytes that all of them may take; the ones that were not read for longest are removed. */
  readonly quotaBytes: number
}

/** A lock of a process that ended is taken over after this time. */
const staleMs = 180_000
const lockLookMs = 50

/** The refs of remotes, and their mirrors: one piece of work has a mirror at a time, in all processes on this folder. */
export class Mirrors {
  readonly #options: MirrorOptions
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(options: MirrorOptions) {
    this.#options = options
  }

  /**
   * The refs of a remote. This read is the check of whether it may be read.
   * @throws SvcError `git-failed`, `egress-denied`, `source-refused`
   */
  refs(remote: Remote, signal: AbortSignal): Promise<Refs> {
    return withGit(remote, this.#options.allow, signal, listRefs)
  }

  /**
   * Works with the mirror of a remote, and with its refs as they are now.
   * @throws SvcError `git-failed`, `egress-denied`, `source-refused`
   */
  async use<T>(remote: Remote, signal: AbortSignal, work: (mirror: Mirror, refs: Refs) => Promise<T>): Promise<T> {
    const name = mirrorName(remote)
    return this.#inTurn(name, signal, () =>
      withGit(remote, this.#options.allow, signal, async (git) => {
        const refs = await listRefs(git)
        const folder = join(this.#options.folder, `${name}.git`)
        try {
          return await work(await this.#open(git, folder, refs), refs)
        } catch (error) {
          if (!(error instanceof MirrorBroken)) throw error
          await rm(folder, { recursive: true, force: true })
          return await work(await this.#open(git, folder, refs), refs)
        } finally {
          await this.#trim(folder)
        }
      }),
    )
  }

  async #open(git: RemoteGit, folder: string, refs: Refs): Promise<Mirror> {
    const [any = ''] = [...refs.branches.values(), ...refs.tags.values()]
    const mirror = new Mirror(git, folder, any.length > 40 ? 'sha256' : 'sha1')
    const isThere = await stat(join(folder, 'config')).then(
      () => true,
      () => false,
    )
    if (isThere) return mirror
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await mirror.prepare()
    return mirror
  }

  async #inTurn<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(name) ?? Promise.resolve()
    const mine = before
      .catch(() => {})
      .then(async () => {
        signal.throwIfAborted()
        const unlock = await this.#lock(name, signal)
        try {
          return await work()
        } finally {
          await unlock()
        }
      })
    this.#turns.set(name, mine)
    try {
      return await mine
    } finally {
      if (this.#turns.get(name) === mine) this.#turns.delete(name)
    }
  }

  /** Keeps other processes on the same folder out. */
  async #lock(name: string, signal: AbortSignal): Promise<() => Promise<void>> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 })
    const path = join(this.#options.folder, `${name}.lock`)
    for (;;) {
      try {
        await (await open(path, 'wx', 0o600)).close()
        const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), staleMs / 4)
        return async () => {
          clearInterval(beat)
          await rm(path, { force: true })
        }
      } catch (error) {
        if ((error as { code?: string }).code !== 'EEXIST') throw error
        const seen = await stat(path).catch(() => null)
        if (seen !== null && Date.now() - seen.mtimeMs > staleMs) await rm(path, { force: true })
        await pause(lockLookMs, undefined, { signal })
      }
    }
  }

  /** Removes mirrors over the quota, the one that was just used last. */
  async #trim(used: string): Promise<void> {
    const now = new Date()
    await utimes(used, now, now).catch(() => {})
    const { folder, quotaBytes } = this.#options
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.git'))
    const all = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        const seen = await stat(path).catch(() => null)
        return { name, path, at: path === used ? Infinity : (seen?.mtimeMs ?? 0), bytes: await sizeOf(path) }
      }),
    )
    let total = all.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { name, path, bytes } of all.toSorted((a, b) => a.at - b.at)) {
      if (total <= quotaBytes) return
      // Another one works with it.
      if (path !== used && (await isLocked(folder, name))) continue
      await rm(path, { recursive: true, force: true })
      total -= bytes
    }
  }
}

const isLocked = (folder: string, name: string): Promise<boolean> =>
  stat(join(folder, name.replace(/\.git$/, '.lock'))).then(
    () => true,
    () => false,
  )

/** What the packs and the indexes of a mirror take. */
async function sizeOf(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack')
  const names = await readdir(packs).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
