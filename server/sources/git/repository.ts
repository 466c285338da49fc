import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SvcError } from '../../../src/errors.ts'
import type { EgressProxy, Network } from '../../egress/door.ts'
import { sortPaths, type Tree, treeLimits } from '../tree.ts'
import { type GitAddress, readGitAddress, readGitRef } from './address.ts'
import { type GitPlace, type Identity, prepareGit, runGit } from './command.ts'
import { GitFailure, readBatch, readTree, reasonIn } from './output.ts'

/** Where a repository is and what of it is asked for. */
export interface RepositoryRequest {
  readonly url: string
  readonly ref?: string | undefined
  /** The Authorization header that is sent to the origin of the address. */
  readonly authorization?: string | null | undefined
}

/** Brings the files of a commit as a tree, at the cost of those that are read. */
export type OpenRepository = (request: RepositoryRequest, signal: AbortSignal) => Promise<Tree>

export interface RepositoryOptions {
  /** Networks beside the public internet that may be reached. */
  readonly allow: readonly Network[]
  readonly identity: Identity
  /** Where the folder of each repository is made; by default where the system has temporary files. */
  readonly temporary?: string
}

const timeoutMs = 120_000
const maxBytes = 512 * 1024 * 1024
const blobsAtOnce = 2000

const failed = (address: GitAddress, reason: string) => new SvcError('git-failed', { url: address.shown, reason })

interface Entry {
  readonly oid: string
  readonly isLink: boolean
}

function readListing(listing: Buffer): Map<string, Entry> {
  const files = readTree(listing).filter(({ kind }) => kind !== 'submodule')
  return new Map(files.map(({ path, oid, kind }) => [path, { oid, isLink: kind === 'symlink' }]))
}

class RepositoryTree implements Tree {
  readonly isRemote = true
  readonly name: string
  readonly commit: string
  readonly paths: readonly string[]
  readonly links: readonly string[]
  readonly #place: GitPlace
  readonly #address: GitAddress
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #isFiltered: boolean
  readonly #blobs = new Map<string, Uint8Array>()
  readonly #end: () => Promise<void>
  readonly #proxy: EgressProxy

  constructor(entry: {
    readonly place: GitPlace
    readonly address: GitAddress
    readonly commit: string
    readonly entries: ReadonlyMap<string, Entry>
    readonly isFiltered: boolean
    readonly proxy: EgressProxy
    readonly end: () => Promise<void>
  }) {
    this.name = entry.address.shown
    this.commit = entry.commit
    this.paths = sortPaths([...entry.entries].filter(([, { isLink }]) => !isLink).map(([path]) => path))
    this.links = sortPaths([...entry.entries].filter(([, { isLink }]) => isLink).map(([path]) => path))
    this.#place = entry.place
    this.#address = entry.address
    this.#entries = entry.entries
    this.#isFiltered = entry.isFiltered
    this.#proxy = entry.proxy
    this.#end = entry.end
  }

  sizeOf(path: string): number | null {
    return this.#blobs.get(this.#entries.get(path)?.oid ?? '')?.byteLength ?? null
  }

  oidOf(path: string): string | null {
    return this.#entries.get(path)?.oid ?? null
  }

  isLink(path: string): boolean {
    return this.#entries.get(path)?.isLink === true
  }

  async prefetch(paths: readonly string[]): Promise<void> {
    const oids = new Set<string>()
    for (const path of paths) {
      const entry = this.#entries.get(path)
      if (entry !== undefined && !entry.isLink && !this.#blobs.has(entry.oid)) oids.add(entry.oid)
    }
    const wanted = [...oids]
    for (let from = 0; from < wanted.length; from += blobsAtOnce)
      await this.#load(wanted.slice(from, from + blobsAtOnce))
  }

  async read(path: string): Promise<Uint8Array> {
    const entry = this.#entries.get(path)
    if (entry === undefined) throw new SvcError('source-path-missing', { source: this.name, path })
    if (entry.isLink) throw new SvcError('source-link', { path })
    await this.prefetch([path])
    const bytes = this.#blobs.get(entry.oid)
    if (bytes === undefined) throw failed(this.#address, `"${path}" could not be fetched`)
    return bytes
  }

  close(): Promise<void> {
    return this.#end()
  }

  async #load(oids: readonly string[]): Promise<void> {
    const stdin = `${oids.join('\n')}\n`
    if (this.#isFiltered) {
      // As git itself brings what a partial clone is missing, but all at once.
      const args = [
        'fetch',
        'origin',
        '--no-tags',
        '--no-write-fetch-head',
        '--recurse-submodules=no',
        '--filter=blob:none',
        '--stdin',
      ]
      const { code, stderr } = await runGit(this.#place, ['-c', 'fetch.negotiationAlgorithm=noop', ...args], { stdin })
      if (code !== 0) throw this.#proxy.failure ?? new GitFailure(this.#address.shown, reasonIn(stderr, ''))
    }
    const limit = treeLimits.unfoldedBytes
    const tooLarge = () => new SvcError('source-too-large', { source: this.name, what: 'bytes of documents', limit })
    const { code, stdout } = await runGit(this.#place, ['cat-file', '--batch'], { stdin, maxBytes: limit })
    if (code !== 0) throw stdout.length > 0 ? tooLarge() : failed(this.#address, 'its objects could not be read')
    for (const [oid, content] of readBatch(stdout)) this.#blobs.set(oid, content)
  }
}

async function fetchCommit(place: GitPlace, address: GitAddress, ref: string, proxy: EgressProxy) {
  const must = async (args: readonly string[]) => {
    const result = await runGit(place, args)
    if (result.code !== 0) throw proxy.failure ?? new GitFailure(address.shown, reasonIn(result.stderr, ref))
    return result
  }
  await must(['init', '--quiet', '--bare', '--template='])
  await must(['config', 'remote.origin.url', address.url])
  const fetched = await must([
    'fetch',
    '--depth=1',
    '--filter=blob:none',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    'origin',
    `+${ref}:refs/svc/head`,
  ])
  const commit = (await must(['rev-parse', '--verify', 'refs/svc/head^{commit}'])).stdout.toString('utf8').trim()
  const listing = await must(['ls-tree', '-r', '-z', '--full-tree', commit])
  // A server that cannot leave files out has sent them all.
  return { commit, entries: readListing(listing.stdout), isFiltered: !/filtering not recognized/i.test(fetched.stderr) }
}

async function open(options: RepositoryOptions, request: RepositoryRequest, ending: AbortSignal): Promise<Tree> {
  const address = readGitAddress(request.url)
  const ref = readGitRef(request.ref ?? 'HEAD')
  if (Bun.which('git') === null) throw failed(address, 'git is not installed here')
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([ending, deadline])
  const folder = await mkdtemp(join(options.temporary ?? tmpdir(), 'svc-git-'))
  const { openEgressProxy } = await import('../../egress/door.ts')
  const proxy = await openEgressProxy({ allow: options.allow, maxBytes, connectTimeoutMs: 20_000, signal })
  const end = async () => {
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const sshPort = address.transport === 'ssh' ? await proxy.forward(address.host, address.port) : null
    const { authorization } = request
    const { identity } = options
    const place = await prepareGit(folder, address, proxy, { identity, sshPort, authorization, signal })
    const fetched = await fetchCommit(place, address, ref, proxy)
    return new RepositoryTree({ ...fetched, place, address, proxy, end })
  } catch (error) {
    await end()
    if (deadline.aborted && !ending.aborted) throw failed(address, `it was not read within ${timeoutMs / 1000} seconds`)
    throw error
  }
}

/**
 * Opens repositories with the system's git: one commit without its history, and only those of its files that are asked for. All
 * connections go through the egress guard.
 */
export const repositoryOpener =
  (options: RepositoryOptions): OpenRepository =>
  (request, signal) =>
    open(options, request, signal)
