/** Wakes gateways that wait for a release, in this process and in every other one on the database. */
import { inArray } from 'drizzle-orm'
import { padded } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { gatewayReleaseStates } from '../../db/tables.gen.ts'

/** How often the newest releases are looked at while anyone waits: one small query for all that wait. */
const lookMs = 1000

interface Waiting {
  /** Who waits: it has one place. */
  readonly enforcerId: string
  readonly environmentId: string
  /** The newest release that it knows of. */
  readonly known: string | null
  readonly wake: () => void
}

/** What waits has a place in a list: it holds no connection and no worker. */
export class ReleaseNotifier {
  readonly #db: Database
  readonly #waiting = new Set<Waiting>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #isClosed = false

  constructor(db: Database) {
    this.#db = db
  }

  /** Resolves when the environment has another newest release than the known one, when the time is over, or when the signal says so. */
  async wait(
    { id: enforcerId, environmentId }: { readonly id: string; readonly environmentId: string },
    known: string | null,
    ms: number,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#isClosed || signal.aborted || ms <= 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const one: Waiting = { enforcerId, environmentId, known, wake }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake, { once: true })
    // An earlier request of the same gateway was given up, or it is one too many.
    for (const it of this.#waiting) if (it.enforcerId === enforcerId) it.wake()
    this.#waiting.add(one)
    this.#plan()
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      this.#waiting.delete(one)
      if (this.#waiting.size === 0 && this.#timer !== null) {
        clearTimeout(this.#timer)
        this.#timer = null
      }
    }
  }

  /** A release was made in this process. */
  notify(environmentId: string): void {
    for (const one of this.#waiting) if (one.environmentId === environmentId) one.wake()
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.size
  }

  /** The process stops: no one waits any more. */
  close(): void {
    this.#isClosed = true
    for (const one of this.#waiting) one.wake()
  }

  #plan(): void {
    if (this.#timer !== null || this.#waiting.size === 0) return
    this.#timer = setTimeout(() => void this.#look(), lookMs)
  }

  async #look(): Promise<void> {
    try {
      const ids = [...new Set([...this.#waiting].map(({ environmentId }) => environmentId))]
      const rows = await this.#db.read
        .select({ id: gatewayReleaseStates.environmentId, latest: gatewayReleaseStates.latestReleaseId })
        .from(gatewayReleaseStates)
        .where(inArray(gatewayReleaseStates.environmentId, padded(ids)))
      const latest = new Map(rows.map((row) => [row.id, row.latest]))
      for (const one of this.#waiting) if ((latest.get(one.environmentId) ?? null) !== one.known) one.wake()
    } catch {
      // A database that is away for a moment ends no wait: the gateway asks again when its time is over.
    } finally {
      this.#timer = null
      this.#plan()
    }
  }
}

const notifiers = new WeakMap<Database, ReleaseNotifier>()

/** The notifier of this process for a database. */
export function releaseNotifier(db: Database): ReleaseNotifier {
  const known = notifiers.get(db)
  if (known !== undefined) return known
  const notifier = new ReleaseNotifier(db)
  notifiers.set(db, notifier)
  return notifier
}
