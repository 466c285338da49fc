import { readBatch, readTree, type TreeEntry } from '../sources/door.ts'
import type { RemoteGit } from './remote-git.ts'

/** What is in the mirror cannot be read: it is made again. */
export class MirrorBroken extends Error {}

const blobsAtOnce = 2000
const mostListing = 256 * 1024 * 1024

const isMissing = (stderr: string): boolean =>
  /not our ref|couldn't find remote ref|no such remote ref|unadvertised object|remote did not send all/i.test(stderr)

/**
 * A copy of a repository without the contents of its files, which are fetched when they are read. One piece of work has it at a time.
 */
export class Mirror {
  readonly #git: RemoteGit
  readonly #folder: string
  readonly #format: 'sha1' | 'sha256'

  constructor(git: RemoteGit, folder: string, format: 'sha1' | 'sha256') {
    this.#git = git
    this.#folder = folder
    this.#format = format
  }

  /** Makes the repository where there is none. */
  async prepare(): Promise<void> {
    await this.#must(['init', '--quiet', '--bare', '--template=', `--object-format=${this.#format}`])
    await this.#must(['config', 'remote.origin.url', this.#git.address.url])
  }

  /** Whether a commit was fetched. */
  async has(commit: string): Promise<boolean> {
    return (await this.#git.run(this.#folder, ['show-ref', '--verify', '--quiet', nameOf(commit)])).code === 0
  }

  /**
   * Fetches a commit with its tree, without history and without files.
   * @param again asks the remote also for a commit that is here
   * @returns false where the remote does not have it any more
   * @throws SvcError `git-failed`, `egress-denied`
   */
  async fetch(commit: string, again = false): Promise<boolean> {
    if (!again && (await this.has(commit))) return true
    const { code, stderr } = await this.#git.run(this.#folder, [
      'fetch',
      '--depth=1',
      '--filter=blob:none',
      ...(again ? ['--refetch'] : []),
      '--no-tags',
      '--no-recurse-submodules',
      '--no-auto-maintenance',
      '--no-write-fetch-head',
      'origin',
      `+${commit}:${nameOf(commit)}`,
    ])
    if (code === 0) return true
    if (isMissing(stderr)) return false
    throw this.#git.failure(stderr, commit)
  }

  /** Everything in the tree of a commit that was fetched. */
  async tree(commit: string): Promise<readonly TreeEntry[]> {
    return readTree((await this.#must(['ls-tree', '-r', '-z', '--full-tree', commit], mostListing)).stdout)
  }

  /** When a commit that was fetched was made. */
  async committedAt(commit: string): Promise<string | null> {
    const { stdout } = await this.#must(['show', '-s', '--format=%ct', commit])
    const seconds = Number(stdout.toString('utf8').trim())
    return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : null
  }

  /** The paths that differ between two commits that were fetched. */
  async changed(from: string, to: string): Promise<readonly string[]> {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', from, to]
    const { stdout } = await this.#must(args, mostListing)
    return stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '')
  }

  /**
   * The contents of files, those that are not here fetched together.
   * @param maxBytes of all of them
   * @returns by object id; null where they are larger
   * @throws SvcError `git-failed`, `egress-denied`
   */
  async blobs(oids: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, Uint8Array> | null> {
    const wanted = [...new Set(oids)]
    if (wanted.length === 0) return new Map()
    const present = await this.#present()
    const missing = wanted.filter((oid) => !present.has(oid))
    for (let from = 0; from < missing.length; from += blobsAtOnce)
      await this.#fetchBlobs(missing.slice(from, from + blobsAtOnce))
    const found = new Map<string, Uint8Array>()
    let left = maxBytes
    for (let from = 0; from < wanted.length; from += blobsAtOnce) {
      const stdin = `${wanted.slice(from, from + blobsAtOnce).join('\n')}\n`
      // Each object has a line of its own beside its bytes.
      const limit = left + blobsAtOnce * 100
      const { code, stdout } = await this.#git.run(this.#folder, ['cat-file', '--batch'], { stdin, maxBytes: limit })
      if (code !== 0 && stdout.length > 0) return null
      if (code !== 0) throw new MirrorBroken('its objects could not be read')
      for (const [oid, content] of readBatch(stdout)) {
        found.set(oid, content)
        left -= content.byteLength
      }
      if (left < 0) return null
    }
    if (wanted.some((oid) => !found.has(oid))) throw new MirrorBroken('an object is missing')
    return found
  }

  // Asking for an object that is not here would fetch it by itself: so all that are here are listed.
  async #present(): Promise<ReadonlySet<string>> {
    const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objecttype) %(objectname)']
    const { stdout } = await this.#must(args, mostListing)
    const lines = stdout.toString('latin1').split('\n')
    return new Set(lines.filter((line) => line.startsWith('blob ')).map((line) => line.slice('blob '.length)))
  }

  // As git itself brings what a partial clone is missing, but all at once.
  async #fetchBlobs(oids: readonly string[]): Promise<void> {
    const args = [
      'fetch',
      'origin',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--recurse-submodules=no',
      '--filter=blob:none',
      '--stdin',
    ]
    const stdin = `${oids.join('\n')}\n`
    const { code, stderr } = await this.#git.run(this.#folder, ['-c', 'fetch.negotiationAlgorithm=noop', ...args], {
      stdin,
    })
    if (code !== 0) throw this.#git.failure(stderr, '')
  }

  async #must(args: readonly string[], maxBytes = 16 * 1024 * 1024) {
    const result = await this.#git.run(this.#folder, args, { maxBytes })
    if (result.code !== 0) throw new MirrorBroken(`git ${args[0] ?? ''} ended with ${result.code}`)
    return result
  }
}

/** The ref that keeps a commit in a mirror. */
const nameOf = (commit: string): string => `refs/svc/commits/${commit}`
