import { S3Client, type S3Options } from 'bun'
import { keyOf, type ListedObject, nameOf, type ObjectName, type Objects, sha256Of } from '../../db/objects/store.ts'
import { isoOf } from '../../db/clock.ts'
import { SvcError } from '../../src/errors.ts'
import type { StorageCredentials, StoragePlace } from './settings.ts'

export interface S3ObjectsOptions extends StoragePlace {
  /** Longest wait for one function, repetitions included. */
  readonly timeoutMs: number
  /** Asked for each request: they may be replaced. */
  readonly credentials: () => StorageCredentials
}

// What another attempt does not change.
const final: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AuthorizationHeaderMalformed',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
])
const attempts = 4
const firstPauseMs = 100
/** After so long without an answer others ask again; before, they are refused at once and pile up nowhere. */
const restMs = 1000
const retryAfterSeconds = 5
const keysAtOnce = 1000

const codeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

class DeadlineError extends Error {
  readonly code = 'Deadline'
}

/**
 * Objects in a bucket of any S3, through the client of Bun. A request has a deadline; connections that are cut and answers such as 503
 * are repeated within it.
 */
export class S3Objects implements Objects {
  readonly place: string
  readonly #options: S3ObjectsOptions
  #restUntil = 0
  #answeredAt = 0

  constructor(options: S3ObjectsOptions) {
    this.#options = options
    const { bucket, prefix, endpoint } = options
    this.place = `s3://${bucket}/${prefix}${endpoint === null ? '' : ` at ${endpoint}`}`
  }

  async put(name: ObjectName, bytes: Uint8Array): Promise<void> {
    await this.#run((client) => client.write(this.#key(name), bytes, { type: 'application/zstd' }))
  }

  async get(name: ObjectName): Promise<Uint8Array<ArrayBuffer> | null> {
    const read = (client: S3Client) => client.file(this.#key(name)).arrayBuffer()
    for (let isLast = false; ; isLast = true) {
      const found = await this.#found(read)
      if (found === null) return null
      const bytes = new Uint8Array(found)
      if (sha256Of(bytes) === name.sha256) return bytes
      // What was changed on the way is right the next time.
      if (isLast) throw new SvcError('document-damaged', { digest: `sha256:${name.sha256}` })
    }
  }

  async sizeOf(name: ObjectName): Promise<number | null> {
    const stat = await this.#found((client) => client.stat(this.#key(name)))
    return stat === null ? null : stat.size
  }

  async remove(name: ObjectName): Promise<void> {
    await this.#found((client) => client.delete(this.#key(name)))
  }

  async *list(): AsyncIterable<ListedObject> {
    const { prefix } = this.#options
    let startAfter: string | undefined
    for (let isMore = true; isMore;) {
      const after = startAfter === undefined ? {} : { startAfter }
      const answer = await this.#run((client) => client.list({ prefix, maxKeys: keysAtOnce, ...after }))
      for (const { key, size, lastModified } of answer.contents ?? []) {
        startAfter = key
        const name = key.startsWith(prefix) ? nameOf(key.slice(prefix.length)) : null
        // Of what has no time nobody knows that it is old.
        const time = Date.parse(String(lastModified))
        const modifiedAt = isoOf(Number.isNaN(time) ? Date.now() : time)
        if (name !== null) yield { name, sizeBytes: size ?? 0, modifiedAt }
      }
      isMore = answer.isTruncated === true && (answer.contents ?? []).length > 0
    }
  }

  #key(name: ObjectName): string {
    return this.#options.prefix + keyOf(name)
  }

  #client(): S3Client {
    const { bucket, endpoint, region, credentials } = this.#options
    const { accessKeyId, secretAccessKey, sessionToken } = credentials()
    const options: S3Options = { bucket, accessKeyId, secretAccessKey, region: region ?? 'us-east-1', retry: 0 }
    if (endpoint !== null) options.endpoint = endpoint
    if (sessionToken !== null) options.sessionToken = sessionToken
    return new S3Client(options)
  }

  /** As `#run`; null where there is no such object. */
  async #found<T>(work: (client: S3Client) => Promise<T>): Promise<T | null> {
    try {
      return await this.#run(work)
    } catch (error) {
      if (codeOf(error) === 'NoSuchKey') return null
      throw error
    }
  }

  /** Runs a request until it ends well, its time is over, or another attempt would not help. */
  async #run<T>(work: (client: S3Client) => Promise<T>): Promise<T> {
    const { timeoutMs } = this.#options
    if (performance.now() < this.#restUntil) throw unavailable('it did not answer a moment ago')
    const begin = performance.now()
    const end = begin + timeoutMs
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await within(work(this.#client()), end - performance.now())
        this.#answeredAt = performance.now()
        return result
      } catch (error) {
        const code = codeOf(error)
        if (code === 'NoSuchKey') throw error
        const pauseMs = firstPauseMs * 4 ** (attempt - 1) * (0.5 + Math.random() / 2)
        const isOver = attempt === attempts || code === 'Deadline' || performance.now() + pauseMs > end
        // One large object that is slow says nothing of the others.
        const isAway = isOver && this.#answeredAt < begin
        if (isAway && !final.has(code)) this.#restUntil = performance.now() + restMs
        if (isOver || final.has(code)) throw unavailable(reasonOf(error, timeoutMs))
        await Bun.sleep(pauseMs)
      }
    }
  }
}

const unavailable = (reason: string): SvcError =>
  new SvcError('storage-unavailable', { reason, retry_after: retryAfterSeconds })

function reasonOf(error: unknown, timeoutMs: number): string {
  const code = codeOf(error)
  if (code === 'Deadline') return `it did not answer within ${Math.round(timeoutMs / 1000)} seconds`
  const what = code === '' ? String(error) : code
  return final.has(code) ? `it refuses requests (${what})` : `requests fail (${what})`
}

/** The result of a request; it is given up when its time is over, whatever it waits for. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlineError()), Math.max(0, ms))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // What was given up may still fail.
    work.catch(() => {})
  }
}
