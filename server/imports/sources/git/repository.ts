import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SvcError } from '../../../../src/errors.ts'
import type { Network } from '../../../egress/address.ts'
import type { EgressProxy } from '../../../egress/proxy.ts'
import type { PayloadSource } from '../../payload.ts'
import { sortPaths, type Tree, treeLimits } from '../tree.ts'
import { type GitAddress, readGitAddress, readGitRef } from './address.ts'
import { type GitPlace, type Identity, prepareGit, runGit } from './command.ts'

/** Where a repository is and what of it is asked for. */
export interface RepositoryRequest {
  readonly url: string
  readonly ref?: string | undefined
}

/** Brings the files of a commit as a tree, at the cost of those that are read. */
export type OpenRepository = (request: RepositoryRequest, signal: AbortSignal) => Promise<Tree>

/** The repositories that a service reads. */
export interface Repositories {
  /**
   * Evaluates an address and a ref before they are kept.
   * @throws SvcError `source-refused`
   */
  check(source: PayloadSource): void
  readonly open: OpenRepository
}

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

/** What git said, as the end of a sentence. Its own words are shown without addresses, which may contain secrets. */
function reasonIn(stderr: string, ref: string): string {
  if (/couldn't find remote ref|not our ref|no such remote ref|unadvertised object/i.test(stderr))
    return `it has no branch, tag or commit "${ref}" (a commit is named by its whole id)`
  if (/host key verification failed/i.test(stderr)) return 'the key of its host is not the one that is known'
  if (/could not read username|authentication failed|permission denied|HTTP 40[13]|error: 40[13]/i.test(stderr))
    return 'it cannot be read without credentials, or with the ones that were sent'
  if (
    /repository .*not found|does not appear to be a git repository|no such file or directory|error: 404/i.test(stderr)
  )
    return 'there is no repository'
  if (/ssh: not found|cannot run ssh|unable to fork/i.test(stderr)) return 'ssh is not installed here'
  const line = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? 'git ended without a word'
  return line
    .replaceAll(/'?[a-z+]+:\/\/\S+/gi, 'it')
    .replaceAll(/\/\S+\/svc-git-\w+/g, '…')
    .replace(/[.:]$/, '')
    .slice(0, 200)
}

interface Entry {
  readonly oid: string
  readonly isLink: boolean
}

function readListing(listing: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const line of listing.toString('utf8').split('\0')) {
    const [head = '', path] = line.split('\t', 2)
    const [mode = '', type, oid = ''] = head.split(' ')
    if (path !== undefined && type === 'blob') entries.set(path, { oid, isLink: mode === '120000' })
  }
  return entries
}

// "OID blob SIZE\n", the bytes, "\n", for each object in the order that was asked for.
function* readBatch(bytes: Buffer): Generator<readonly [oid: string, content: Uint8Array]> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at)
    if (end === -1) return
    const [oid = '', type, size = ''] = bytes.subarray(at, end).toString('latin1').split(' ')
    at = end + 1
    if (type !== 'blob') continue
    const length = Number(size)
    yield [oid, bytes.subarray(at, at + length)]
    at += length + 1
  }
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

  constructor(it: {
    readonly place: GitPlace
    readonly address: GitAddress
    readonly commit: string
    readonly entries: ReadonlyMap<string, Entry>
    readonly isFiltered: boolean
    readonly proxy: EgressProxy
    readonly end: () => Promise<void>
  }) {
    this.name = it.address.shown
    this.commit = it.commit
    this.paths = sortPaths([...it.entries].filter(([, { isLink }]) => !isLink).map(([path]) => path))
    this.links = sortPaths([...it.entries].filter(([, { isLink }]) => isLink).map(([path]) => path))
    this.#place = it.place
    this.#address = it.address
    this.#entries = it.entries
    this.#isFiltered = it.isFiltered
    this.#proxy = it.proxy
    this.#end = it.end
  }

  sizeOf(path: string): number | null {
    return this.#blobs.get(this.#entries.get(path)?.oid ?? '')?.byteLength ?? null
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
      if (code !== 0) throw this.#proxy.failure ?? failed(this.#address, reasonIn(stderr, ''))
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
    if (result.code !== 0) throw proxy.failure ?? failed(address, reasonIn(result.stderr, ref))
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
  const { openEgressProxy } = await import('../../../egress/proxy.ts')
  const proxy = await openEgressProxy({ allow: options.allow, maxBytes, connectTimeoutMs: 20_000, signal })
  const end = async () => {
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const sshPort = address.transport === 'ssh' ? await proxy.forward(address.host, address.port) : null
    const place = await prepareGit(folder, address, proxy, { identity: options.identity, sshPort, signal })
    const fetched = await fetchCommit(place, address, ref, proxy)
    return new RepositoryTree({ ...fetched, place, address, proxy, end })
  } catch (error) {
    await end()
    if (deadline.aborted && !ending.aborted) throw failed(address, `it was not read within ${timeoutMs / 1000} seconds`)
    throw error
  }
}

/**
 * Reads repositories with the system's git: one commit without its history, and only those of its files that are asked for. All
 * connections go through the egress guard.
 */
export function repositories(options: RepositoryOptions): Repositories {
  return {
    check: (source) => {
      if (source.kind !== 'git') return
      readGitAddress(source.url)
      if (source.ref !== undefined) readGitRef(source.ref)
    },
    open: (request, signal) => open(options, request, signal),
  }
}
