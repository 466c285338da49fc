import type { Deps } from '../deps.ts'
import type { Network } from '../egress/address.ts'
import { Doorbell } from '../jobs/doorbell.ts'
import type { Worker } from '../jobs/worker.ts'
import { SvcError } from '../../src/errors.ts'
import { attemptsAtOnce, claimDue, giveBack, type Claim, type DeliveryRow } from './claim.ts'
import { recordAttempts, type Made } from './record-attempt.ts'
import { readSecret, type SigningSecret } from './secret.ts'
import { attempt, attemptTimeoutMs } from './send.ts'
import { failuresBeforePause } from './state.ts'

export interface DeliveryOptions {
  readonly deps: Deps
  /** Networks beside the public internet that receivers may be in. */
  readonly allow: readonly Network[]
  /** The pause before each attempt, in milliseconds. */
  readonly schedule: readonly number[]
  readonly onFault: (fault: unknown, where: string) => void
  /** Pause between looks at what is due; `wake` ends it early. */
  readonly pollMs?: number
  /** How long attempts under way may continue when it stops. */
  readonly drainMs?: number
}

/** What a process takes at once: receivers that do not answer in time must not use all of it. */
const mostAtOnce = 512
/** What one organization may take of that: its receivers must not keep those of others waiting. */
const mostOfTenant = mostAtOnce / 2
/** What is taken of a receiver that answers fast and well: fewer transactions for each delivery. */
const mostOfOne = 64
/** How long attempts that ended are gathered before they are written. */
const gatherMs = 20
/** When a secret cannot be read the deliveries wait without losing attempts. */
const unreadableMs = 60_000

/** Sends what is due, from its own loop: neither imports nor other receivers delay it. */
class Deliverer {
  readonly #options: DeliveryOptions
  readonly #cutOff = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  // How much was taken of a receiver at last, where all of it was accepted.
  readonly #speeds = new Map<string, number>()
  readonly bell = new Doorbell()
  readonly #tenants = new Map<string, number>()
  #taken = 0
  #made: Made[] = []
  #recording: Promise<void> | undefined

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  giveBack(): void {
    this.#cutOff.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { pollMs = 1000, drainMs = 5000, onFault } = this.#options
    while (!signal.aborted) {
      try {
        if ((await this.#claim()) > 0) continue
      } catch (fault) {
        onFault(fault, 'webhooks')
      }
      if (!signal.aborted) await this.bell.wait(pollMs)
    }
    const timer = setTimeout(() => this.#cutOff.abort(), drainMs)
    await Promise.all(this.#running.values())
    clearTimeout(timer)
  }

  async #claim(): Promise<number> {
    const { deps } = this.#options
    if (this.#taken >= mostAtOnce) return 0
    const want = (id: string) => (this.#running.has(id) ? 0 : (this.#speeds.get(id) ?? attemptsAtOnce))
    const roomOf = (tenantId: string) => mostOfTenant - (this.#tenants.get(tenantId) ?? 0)
    const claims = await claimDue(deps.db, deps.clock.now(), { want, roomOf, room: mostAtOnce - this.#taken })
    for (const claim of claims) {
      const { id, tenantId } = claim.subscription
      const size = claim.deliveries.length
      this.#take(tenantId, size)
      const work = this.#deliver(claim)
        .catch((fault: unknown) => this.#options.onFault(fault, `webhook ${id}`))
        .finally(() => {
          this.#take(tenantId, -size)
          this.#running.delete(id)
          this.bell.ring()
        })
      this.#running.set(id, work)
    }
    return claims.length
  }

  #take(tenantId: string, size: number): void {
    this.#taken += size
    const left = (this.#tenants.get(tenantId) ?? 0) + size
    if (left > 0) this.#tenants.set(tenantId, left)
    else this.#tenants.delete(tenantId)
  }

  /** Sends what was taken of one receiver, a few at once. */
  async #deliver(claim: Claim): Promise<void> {
    const { deps, allow } = this.#options
    const { id, url } = claim.subscription
    const secrets = await this.#secretsOf(claim)
    if (secrets === null) return this.#release(claim, claim.deliveries, unreadableMs)
    const waiting = [...claim.deliveries]
    const records: Promise<void>[] = []
    let failures = claim.subscription.failures
    const signal = this.#cutOff.signal
    const mayBegin = () =>
      !signal.aborted &&
      deps.clock.now() + attemptTimeoutMs < claim.until &&
      (failures < failuresBeforePause || waiting.length === claim.deliveries.length)
    const lane = async () => {
      while (waiting.length > 0 && mayBegin()) {
        const delivery = waiting.shift()
        if (delivery === undefined) return
        const message = { id: delivery.id, url, body: delivery.body, secrets }
        const made = await attempt(message, { allow, clock: deps.clock, signal })
        if (signal.aborted && made.statusCode === null) {
          waiting.push(delivery)
          return
        }
        failures = made.outcome.isAccepted ? 0 : failures + 1
        records.push(this.#record({ claim, delivery, attempt: made }))
      }
    }
    await Promise.all(Array.from({ length: attemptsAtOnce }, lane))
    await Promise.all(records)
    if (waiting.length > 0) await this.#release(claim, waiting, 0)
    const isFast = failures === 0 && waiting.length === 0
    if (isFast) this.#speeds.set(id, Math.min(mostOfOne, Math.max(attemptsAtOnce, claim.deliveries.length) * 2))
    else this.#speeds.delete(id)
  }

  async #secretsOf(claim: Claim): Promise<readonly SigningSecret[] | null> {
    const { deps, onFault } = this.#options
    const { id, tenantId, secretId, previousSecretId, previousUntil } = claim.subscription
    const overlaps = previousSecretId !== null && previousUntil !== null && previousUntil > deps.clock.iso()
    const ids = overlaps ? [secretId, previousSecretId] : [secretId]
    try {
      const texts = await deps.vault.open(deps.db.read, tenantId, 'webhook-signing', ids)
      const found = ids.flatMap((it) => texts.get(it) ?? [])
      return found.length === 0 ? null : found.map(readSecret)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      onFault(error, `webhook ${id}`)
      return null
    }
  }

  async #release(claim: Claim, rows: readonly DeliveryRow[], afterMs: number): Promise<void> {
    const { deps } = this.#options
    await deps.db.inTransaction((tx) => giveBack(tx, claim, rows, deps.clock.now() + afterMs))
  }

  /** Written with what ends within a moment: one transaction, and one wait for the disk, for many attempts. */
  #record(made: Made): Promise<void> {
    this.#made.push(made)
    this.#recording ??= this.#writeMade()
    return this.#recording
  }

  async #writeMade(): Promise<void> {
    await Bun.sleep(gatherMs)
    const batch = this.#made
    this.#made = []
    this.#recording = undefined
    const { deps, schedule } = this.#options
    const rules = () => ({ schedule, now: deps.clock.now(), random: Math.random() })
    await deps.db.inTransaction((tx) => recordAttempts(tx, batch, rules))
  }
}

/** Starts sending what is due; it takes nothing more once the signal aborts. */
export function startDeliveries(options: DeliveryOptions, signal: AbortSignal): Worker {
  const deliverer = new Deliverer(options)
  const wake = () => deliverer.bell.ring()
  signal.addEventListener('abort', wake, { once: true })
  return { wake, giveBack: () => deliverer.giveBack(), done: deliverer.run(signal) }
}
