/** Reads the logs of an engine, redacts them, and sends what is left to the service. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, type Evidence, type LogRelease } from '../../../src/gateway/log/event.ts'
import { factsOf, includedFolders, type ReleaseFacts } from '../../../src/gateway/log/release-facts.ts'
import { readAccess } from '../../../src/gateway/log/access.ts'
import { readAudit } from '../../../src/gateway/log/audit.ts'
import { routesOf } from '../../../src/gateway/log/routes.ts'
import { seenOf } from '../../../src/gateway/log/seen.ts'
import { causeOf } from '../../file-cause.ts'
import type { Folder } from './folder.ts'
import { markerOf } from './probe.ts'
import type { Saved, Tell } from './releases.ts'
import { ServiceFailure, type Service } from './service.ts'
import type { Spool } from './spool.ts'
import { Tail, type TailPart } from './tail.ts'

/** Local time without a zone, as ModSecurity writes it, to the instant. */
const localMs = (asUtcMs: number): number => {
  const it = new Date(asUtcMs)
  return new Date(
    it.getUTCFullYear(),
    it.getUTCMonth(),
    it.getUTCDate(),
    it.getUTCHours(),
    it.getUTCMinutes(),
    it.getUTCSeconds(),
  ).getTime()
}

const mostBytes = 1 << 20
/** Of one request to the service: fewer lines and bytes than it takes. */
const mostLines = 500
const mostBody = 900_000

export interface ShipOptions {
  readonly folder: Folder
  readonly spool: Spool
  readonly auditLog: string
  readonly accessLog: string | null
  /** Lines that are there before the first start are read too. */
  readonly fromStart: boolean
  readonly tell: Tell
}

const mostRuleFiles = 200
const mostRuleBytes = 2 << 20

/** The files of a rule set on the machine; none where it cannot be read. */
function readRuleSet(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((it) => it.endsWith('.conf'))
    const paths = names.slice(0, mostRuleFiles).map((it) => join(folder, it))
    return paths.filter((it) => statSync(it).size <= mostRuleBytes).map((it) => readFileSync(it, 'utf8'))
  } catch {
    return []
  }
}

/** What is known of a release on disk, for reading what the engine logged under it. */
interface Known {
  readonly release: LogRelease
  readonly evidence: Evidence
}

export class Shipper {
  readonly #options: ShipOptions
  readonly #tails: ReadonlyMap<'audit' | 'access', Tail>
  readonly #known = new Map<string, Known | null>()

  constructor(options: ShipOptions) {
    this.#options = options
    const { positions } = options.spool
    const tail = (name: string, path: string): Tail => {
      const made = new Tail(path, positions[name] ?? null)
      if (positions[name] === undefined && !options.fromStart) made.skipToEnd()
      return made
    }
    this.#tails = new Map([
      ['audit', tail('audit', options.auditLog)],
      ...(options.accessLog === null ? [] : [['access', tail('access', options.accessLog)] as const]),
    ])
  }

  #releaseOf(entry: Saved['history'][number]): Known | null {
    const key = `${entry.digest} ${entry.releaseId}`
    const cached = this.#known.get(key)
    if (cached !== undefined) return cached
    const { folder } = this.#options
    const manifest = folder.manifest(entry.digest)
    const known: Known | null =
      manifest === null
        ? null
        : {
            release: {
              releaseId: entry.releaseId,
              facts: this.#facts(entry.digest, manifest.files),
              routes: routesOf(manifest.routes),
            },
            evidence: { kind: manifest.evidence, key: Buffer.from(manifest.evidenceKey, 'base64') },
          }
    if (this.#known.size > 8) this.#known.clear()
    this.#known.set(key, known)
    return known
  }

  #facts(digest: string, paths: readonly { readonly path: string }[]): ReleaseFacts {
    const { folder } = this.#options
    const files = paths.map(({ path }) => ({ path, text: folder.read(`releases/${digest}/${path}`) ?? '' }))
    const entry = files.find(({ path }) => path === 'svc.conf')?.text ?? ''
    return factsOf(files, includedFolders(entry).flatMap(readRuleSet))
  }

  /** The release that was in use at an instant: the last one that began before it. */
  #at(history: Saved['history'], atMs: number): Known | null {
    const entry = history.findLast((it) => it.fromMs <= atMs) ?? history[0]
    return entry === undefined ? null : this.#releaseOf(entry)
  }

  /**
   * Reads a part of each log into the spool. Before the first release there is no key for digests: then logs wait.
   * @returns whether a log had new lines
   */
  read(history: Saved['history']): boolean {
    const latest = history.at(-1)
    const now = latest === undefined ? null : this.#releaseOf(latest)
    if (now === null) return false
    let isAny = false
    for (const [name, tail] of this.#tails) {
      const before = tail.position
      const part = tail.read(mostBytes)
      if (part === null) continue
      isAny = true
      const lines = name === 'audit' ? this.#audit(part, history) : this.#access(part, now, history)
      try {
        const lost = this.#options.spool.add(lines, { ...this.#options.spool.positions, [name]: part.to })
        if (lost > 0)
          this.#options.tell(
            'records-dropped',
            { count: lost, total: this.#options.spool.dropped, reason: 'the spool is full' },
            'warn',
          )
      } catch (error) {
        // The disk is full: the log keeps what it has, and it is read again.
        tail.rewind(before)
        this.#options.tell('spool-not-written', { reason: causeOf(error) }, 'warn')
        return false
      }
      if (part.tooLong > 0) this.#options.tell('lines-too-long', { log: name, count: part.tooLong }, 'warn')
    }
    return isAny
  }

  #audit(part: TailPart, history: Saved['history']): string[] {
    let unread = 0
    const lines = part.lines.flatMap((line) => {
      const record = readAudit(line, localMs)
      if (record === null) {
        unread++
        return []
      }
      const known = this.#at(history, record.atMs)
      const event = known === null ? null : eventOf(record, known.release, known.evidence)
      return event === null ? [] : [JSON.stringify(event)]
    })
    if (unread > 0) this.#options.tell('lines-not-read', { log: 'audit', count: unread }, 'warn')
    return lines
  }

  #access(part: TailPart, { release }: Known, history: Saved['history']): string[] {
    const markers = [...new Set(history.map(({ digest }) => markerOf(digest)))]
    // The agent itself asks the gateway which release it uses.
    const lines = part.lines.filter((line) => !markers.some((it) => line.includes(it)))
    const calls = lines.flatMap((line) => readAccess(line) ?? [])
    if (calls.length < lines.length)
      this.#options.tell('lines-not-read', { log: 'access', count: lines.length - calls.length }, 'warn')
    const { records, dropped } = seenOf(calls, release.routes, `${part.from.inode} ${part.from.offset}`)
    if (dropped > 0)
      this.#options.tell('paths-not-reported', { count: dropped, reason: 'too many different paths' }, 'warn')
    return records.map((it) => JSON.stringify(it))
  }

  /**
   * Sends the oldest part of the spool.
   * @returns whether there was one
   * @throws ServiceFailure, after which it is sent again: the service knows records by their ids
   */
  async send(service: Service, signal: AbortSignal): Promise<boolean> {
    const { spool, tell } = this.#options
    const segment = spool.oldest()
    if (segment === null) return false
    for (const batch of batchesOf(segment.lines)) {
      try {
        const { throttled } = await service.events(batch, signal)
        if (throttled > 0) tell('records-throttled', { count: throttled }, 'warn')
      } catch (error) {
        // What the service will never take must not stop what follows.
        const isRefused =
          error instanceof ServiceFailure && (error.status === 400 || error.status === 413 || error.status === 422)
        if (!isRefused) throw error
        tell('records-refused', { count: batch.length, reason: error.message }, 'warn')
      }
    }
    spool.done(segment.name)
    return true
  }
}

/** Lines in parts that the service takes in one request. */
export function batchesOf(lines: readonly string[]): string[][] {
  const batches: string[][] = []
  let size = 0
  for (const line of lines) {
    const bytes = Buffer.byteLength(line) + 1
    const last = batches.at(-1)
    if (last === undefined || last.length >= mostLines || size + bytes > mostBody) {
      batches.push([line])
      size = bytes
    } else {
      last.push(line)
      size += bytes
    }
  }
  return batches
}
