/** Notices that files of this machine change, appear or are removed, however an editor saves them. */
import { watch, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What is watched. */
export interface Watched {
  /** Absolute paths; they need not exist. */
  readonly files: readonly string[]
  /** Absolute paths of folders in which documents may appear. */
  readonly folders: readonly string[]
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true

/** The folder, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) if (at === dirname(at) || (await isFolder(at))) return at
}

/** Files of documents, and names without an ending, which may be folders. */
const mayMatter = (name: string): boolean => !name.startsWith('.') && /(?:\.(?:ya?ml|json)|^[^.]+)$/i.test(name)

/**
 * Watches the folders of files: a file that is removed, or replaced by renaming, has no watch of its own any more, but its folder
 * reports it.
 */
export class Watcher {
  readonly #notify: () => void
  readonly #watches = new Map<string, FSWatcher>()
  #names = new Map<string, Set<string>>()
  #folders = new Set<string>()
  #isClosed = false

  /** @param notify called for each event, often several for one save */
  constructor(notify: () => void) {
    this.#notify = notify
  }

  /**
   * Watches these and nothing else.
   * @returns why a folder cannot be watched; null where all are
   */
  async set({ files, folders }: Watched): Promise<string | null> {
    const names = new Map<string, Set<string>>()
    const wanted = new Set<string>()
    const add = async (folder: string, name: string): Promise<void> => {
      const near = await existing(folder)
      // Where the folder does not exist, it is noticed when it is made.
      const expected = near === folder ? name : basename(folder.slice(near.length + 1).split(/[\\/]/)[0] ?? '')
      const known = names.get(near) ?? new Set()
      names.set(near, known.add(expected))
      wanted.add(near)
    }
    for (const file of files) await add(dirname(file), basename(file))
    for (const folder of folders) {
      await add(dirname(folder), basename(folder))
      if (await isFolder(folder)) wanted.add(folder)
    }
    if (this.#isClosed) return null
    this.#names = names
    this.#folders = new Set(folders)
    for (const [folder, it] of this.#watches)
      if (!wanted.has(folder)) {
        it.close()
        this.#watches.delete(folder)
      }
    const fresh = [...wanted].filter((it) => !this.#watches.has(it))
    const failures = fresh.map((it) => this.#open(it)).filter((it) => it !== null)
    // What was saved before its folder was watched is found by one more look.
    if (fresh.length > failures.length) this.#notify()
    return failures[0] ?? null
  }

  #open(folder: string): string | null {
    try {
      const it = watch(folder, (_, name) => {
        if (this.#concerns(folder, name)) this.#notify()
      })
      it.on('error', () => {
        // The folder was removed: the next `set` watches the one above it.
        it.close()
        if (this.#watches.get(folder) === it) this.#watches.delete(folder)
        this.#notify()
      })
      this.#watches.set(folder, it)
      return null
    } catch (error) {
      return `${folder}: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  #concerns(folder: string, name: string | null): boolean {
    if (name === null) return true
    const first = name.split(/[\\/]/)[0] ?? name
    // Some systems report the folder itself by its own name.
    if (first === basename(folder) && !this.#names.get(folder)?.has(first)) {
      void this.#leaveRemoved(folder)
      return false
    }
    return this.#names.get(folder)?.has(first) === true || (this.#folders.has(folder) && mayMatter(first))
  }

  async #leaveRemoved(folder: string): Promise<void> {
    if (await isFolder(folder)) return
    this.#watches.get(folder)?.close()
    this.#watches.delete(folder)
    this.#notify()
  }

  close(): void {
    this.#isClosed = true
    for (const it of this.#watches.values()) it.close()
    this.#watches.clear()
  }
}

/** Looks at files by their time stamps instead: for file systems that report no events. */
export class Poller {
  readonly #notify: () => void
  readonly #everyMs: number
  #watched: Watched = { files: [], folders: [] }
  #seen = ''
  #timer: ReturnType<typeof setTimeout> | null = null
  #isClosed = false

  constructor(notify: () => void, everyMs: number) {
    this.#notify = notify
    this.#everyMs = everyMs
  }

  /** Watches these and nothing else. */
  async set(watched: Watched): Promise<null> {
    this.#watched = watched
    await this.#compare()
    return null
  }

  async #look(): Promise<string> {
    const { files, folders } = this.#watched
    const states = await Promise.all(
      [...files, ...folders.map((it) => join(it, '.'))].map(async (path) => {
        const info = await stat(path).catch(() => null)
        return info === null ? '-' : `${info.ino} ${info.size} ${info.mtimeMs}`
      }),
    )
    return states.join('\n')
  }

  #wait(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#compare(), this.#everyMs)
  }

  async #compare(): Promise<void> {
    const seen = await this.#look()
    if (seen !== this.#seen) this.#notify()
    this.#seen = seen
    this.#wait()
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
