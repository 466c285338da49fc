/**
 * Results by the digest of everything that decides them, in the user's cache folder. What cannot be read is not there, what cannot be
 * written is left out: a cache never makes a command fail.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../../server/disk/door.ts'
import type { Invocation } from '../declare.ts'
import { version } from '../version.gen.ts'

type Env = Invocation['env']

/** Bytes of all entries together. */
const defaultBytes = 256 * 1024 * 1024
/** Entries are in as many folders, each with its share of the bytes: only those that were written to are counted. */
const shards = 16
const format = 1
/** Temporary files of processes that ended before they could rename them. */
const staleMs = 10 * 60 * 1000

/** The user's cache folder (XDG Base Directory Specification; on macOS and Windows the platform's own). */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'svc')
  const home = env.HOME ?? homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'svc')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'svc', 'cache')
  return join(home, '.cache', 'svc')
}

/** What this program is; null where it runs from its sources, which change without a trace. */
async function programId(): Promise<string | null> {
  if (!import.meta.dir.startsWith('/$bunfs') && !import.meta.dir.startsWith('B:\\~BUN')) return null
  const info = await stat(process.execPath).catch(() => null)
  return info === null ? null : `${version} ${Bun.version} ${info.size} ${info.mtimeMs}`
}

/** A digest of texts, in which no two lists of texts are alike. */
export function digestOf(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}

/** Where results are found again. */
export interface ResultCache {
  /** The key of a result, from everything that decides it. */
  key(...parts: readonly string[]): string
  /** The entry of a key; null where there is none. */
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): void
}

/** Results of this process alone, the newest of them. */
export class MemoryCache implements ResultCache {
  readonly #entries = new Map<string, unknown>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  key(...parts: readonly string[]): string {
    return digestOf(...parts)
  }

  async get(key: string): Promise<unknown> {
    return this.#entries.get(key) ?? null
  }

  put(key: string, value: unknown): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= this.#most) break
      this.#entries.delete(oldest)
    }
  }
}

export interface CacheOptions {
  readonly folder: string
  /** What the program is: another one never reads these entries. */
  readonly program: string
  readonly maxBytes?: number
}

/** Entries of one program; safe for several processes at once, since entries are renamed into place. */
export class Cache implements ResultCache {
  readonly #folder: string
  readonly #program: string
  readonly #maxBytes: number
  readonly #writes: Promise<void>[] = []
  readonly #written = new Set<string>()

  constructor({ folder, program, maxBytes = defaultBytes }: CacheOptions) {
    this.#folder = join(folder, `v${format}`)
    this.#program = program
    this.#maxBytes = maxBytes
  }

  key(...parts: readonly string[]): string {
    return digestOf(this.#program, ...parts)
  }

  /** The entry of a key; null where there is none, or where it is not what was written. */
  async get(key: string): Promise<unknown> {
    try {
      // Many small files: handing each to a thread takes longer than reading it.
      const text = readFileSync(this.#pathOf(key), 'utf8')
      const body = text.slice(sealLength + 1)
      return text[sealLength] === '\n' && text.startsWith(sealOf(key, body)) ? (JSON.parse(body) as unknown) : null
    } catch {
      return null
    }
  }

  /** Writes an entry, at the latest before `close` ends. */
  put(key: string, value: unknown): void {
    const body = JSON.stringify(value)
    // One entry must not take the place of all others.
    if (body.length > this.#maxBytes / shards / 4) return
    this.#writes.push(this.#write(key, `${sealOf(key, body)}\n${body}`).catch(() => undefined))
  }

  /** Ends all writes, and removes the oldest entries where there are too many. */
  async close(): Promise<void> {
    await Promise.all(this.#writes.splice(0))
    await Promise.all([...this.#written].map((it) => this.#evict(it).catch(() => undefined)))
    this.#written.clear()
  }

  #pathOf(key: string): string {
    return join(this.#folder, key.slice(0, 1), key.slice(1))
  }

  async #write(key: string, text: string): Promise<void> {
    const shard = join(this.#folder, key.slice(0, 1))
    // Entries contain parts of the user's documents.
    replaceFile(this.#pathOf(key), text, { mode: 0o600, folderMode: 0o700, flush: false })
    this.#written.add(shard)
  }

  async #evict(shard: string): Promise<void> {
    const most = this.#maxBytes / shards
    const files = await Promise.all(
      (await readdir(shard)).map(async (name) => {
        const path = join(shard, name)
        const info = await stat(path).catch(() => null)
        return { path, size: info?.size ?? 0, at: info?.mtimeMs ?? 0, isTemporary: name.endsWith('.tmp') }
      }),
    )
    for (const { path, at, isTemporary } of files)
      if (isTemporary && at < Date.now() - staleMs) await rm(path, { force: true })
    const entries = files.filter((it) => !it.isTemporary).toSorted((a, b) => a.at - b.at)
    let bytes = entries.reduce((sum, it) => sum + it.size, 0)
    if (bytes <= most) return
    for (const { path, size } of entries) {
      if (bytes <= most * 0.75) break
      await rm(path, { force: true })
      bytes -= size
    }
  }
}

const sealLength = 16

/** What shows that an entry is complete and that of its key: against damage, not against forgery, since the folder is the user's own. */
const sealOf = (key: string, body: string): string =>
  Bun.hash
    .xxHash64(body, BigInt(`0x${key.slice(0, 16)}`))
    .toString(16)
    .padStart(sealLength, '0')

/** What of an invocation says which results are meant. */
export interface CachingInvocation extends Pick<Invocation, 'env'> {
  readonly options: { readonly cache: boolean }
  /** What documents refer to may be of the service at this address. */
  readonly globals: Pick<Invocation['globals'], 'baseUrl'>
}

/** The cache of this user; null where it is switched off, or where the program runs from its sources. */
export async function openCache({ env, options, globals }: CachingInvocation): Promise<Cache | null> {
  const program = options.cache ? await programId() : null
  return program === null
    ? null
    : new Cache({ folder: cacheFolder(env), program: `${program} ${globals.baseUrl ?? ''}` })
}
