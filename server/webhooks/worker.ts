import type { Deps } from '../deps.ts'
import type { Network } from '../egress/address.ts'
import { Doorbell } from '../jobs/doorbell.ts'
import type { Worker } from '../jobs/worker.ts'
import { SvcError } from '../../src/errors.ts'
import { KeptConnections } from '../egress/kept.ts'
import { attemptsAtOnce, claimDue, giveBack, type Claim, type SubscriptionRow } from './claim.ts'
import { Receiver, type Taken } from './receiver.ts'
import { Recorder } from './recorder.ts'
import type { SigningSecret } from './secret.ts'
import { SigningSecrets } from './secrets.ts'
import { attempt, attemptTimeoutMs, type Attempt } from './send.ts'

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
const mostAtOnce = 1024
/** What one organization may take of that: its receivers must not keep those of others waiting. */
const mostOfTenant = mostAtOnce / 2
const usualPollMs = 1000
/** When a secret cannot be read the deliveries wait without losing attempts. */
const unreadableMs = 60_000

/** Sends what is due, from its own loop: neither imports nor other receivers delay it. */
class Deliverer {
  readonly #options: DeliveryOptions
  readonly #cutOff = new AbortController()
  readonly #connections: KeptConnections
  readonly #secrets: SigningSecrets
  readonly #recorder: Recorder
  /** By subscription. */
  readonly #receivers = new Map<string, Receiver>()
  readonly #running = new Set<Promise<void>>()
  readonly bell = new Doorbell()

  constructor(options: DeliveryOptions) {
    const { deps, allow, schedule } = options
    this.#options = options
    this.#connections = new KeptConnections({ allow })
    this.#secrets = new SigningSecrets(deps.vault, deps.db)
    const rules = () => ({ schedule, now: deps.clock.now(), random: Math.random() })
    this.#recorder = new Recorder(deps.db, rules, (dueAt) => this.#lookAt(dueAt))
  }

  giveBack(): void {
    this.#cutOff.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { pollMs = usualPollMs, drainMs = 5000, onFault } = this.#options
    while (!signal.aborted) {
      try {
        if ((await this.#claim()) > 0) continue
      } catch (fault) {
        onFault(fault, 'webhooks')
      }
      if (!signal.aborted) await this.bell.wait(pollMs)
    }
    const timer = setTimeout(() => this.#cutOff.abort(), drainMs)
    while (this.#running.size > 0) await Promise.all(this.#running)
    clearTimeout(timer)
    this.#connections.close()
  }

  /** Looks at what is due at an instant that comes before the next look. */
  #lookAt(at: number): void {
    const wait = at - this.#options.deps.clock.now()
    if (wait < (this.#options.pollMs ?? usualPollMs)) setTimeout(this.bell.ring, Math.max(0, wait)).unref()
  }

  #held(tenantId?: string): number {
    let sum = 0
    for (const it of this.#receivers.values()) if (tenantId === undefined || it.tenantId === tenantId) sum += it.held
    return sum
  }

  async #claim(): Promise<number> {
    const { deps } = this.#options
    const all = mostAtOnce - this.#held()
    if (all <= 0) return 0
    const claims = await claimDue(deps.db, deps.clock.now(), {
      want: (id) => this.#receivers.get(id)?.wants ?? attemptsAtOnce,
      holds: (id) => this.#receivers.get(id)?.held ?? 0,
      ofTenant: (tenantId) => mostOfTenant - this.#held(tenantId),
      all,
    })
    await Promise.all(claims.map((claim) => this.#begin(claim)))
    const now = performance.now()
    for (const [id, receiver] of this.#receivers) if (receiver.isIdle(now)) this.#receivers.delete(id)
    return claims.length
  }

  async #begin(claim: Claim): Promise<void> {
    const { id, tenantId } = claim.subscription
    const secrets = await this.#secretsOf(claim.subscription)
    if (secrets === null)
      return this.#giveBack(
        claim.deliveries.map((delivery) => ({ claim, delivery })),
        unreadableMs,
      )
    const receiver = this.#receivers.get(id) ?? new Receiver(tenantId)
    this.#receivers.set(id, receiver)
    receiver.add(claim, secrets, performance.now())
    this.#send(id, receiver)
  }

  /** Lets as much begin as may, and gives the rest back. */
  #send(id: string, receiver: Receiver): void {
    const late: Taken[] = []
    for (let taken = receiver.next(); taken !== undefined; taken = receiver.next())
      if (this.#isInTime(taken)) this.#follow(id, receiver, 1, this.#deliver(id, receiver, taken))
      else {
        receiver.ended(null)
        late.push(taken)
      }
    const rest = [...late, ...receiver.leftOver()]
    if (rest.length > 0) this.#follow(id, receiver, rest.length, this.#giveBack(rest, 0))
  }

  #isInTime({ claim }: Taken): boolean {
    return !this.#cutOff.signal.aborted && this.#options.deps.clock.now() + attemptTimeoutMs < claim.until
  }

  /** Waits for work on so many deliveries, after which they are not held any more. */
  #follow(id: string, receiver: Receiver, count: number, work: Promise<void>): void {
    const running = work
      .catch((fault: unknown) => this.#options.onFault(fault, `webhook ${id}`))
      .finally(() => {
        this.#running.delete(running)
        receiver.release(count)
        this.bell.ring()
      })
    this.#running.add(running)
  }

  /** Makes one attempt and records it; the next one begins without waiting for the record. */
  async #deliver(id: string, receiver: Receiver, taken: Taken): Promise<void> {
    const { clock } = this.#options.deps
    const { claim, delivery, secrets } = taken
    const signal = this.#cutOff.signal
    const message = { id: delivery.id, url: claim.subscription.url, body: delivery.body, secrets }
    let made: Attempt | null = null
    try {
      made = await attempt(message, { connections: this.#connections, clock, signal })
      // What was cut off does not count against the receiver.
      if (signal.aborted && made.statusCode === null) made = null
    } finally {
      receiver.ended(made === null ? null : made.outcome.isAccepted)
      this.#send(id, receiver)
    }
    if (made === null) await this.#giveBack([taken], 0)
    else await this.#recorder.write({ claim, delivery, attempt: made })
  }

  /** @returns null where they cannot be read */
  async #secretsOf(subscription: SubscriptionRow): Promise<readonly SigningSecret[] | null> {
    try {
      const found = await this.#secrets.of(subscription, this.#options.deps.clock.iso())
      return found.length === 0 ? null : found
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      this.#options.onFault(error, `webhook ${subscription.id}`)
      return null
    }
  }

  async #giveBack(rows: readonly Pick<Taken, 'claim' | 'delivery'>[], afterMs: number): Promise<void> {
    const { db, clock } = this.#options.deps
    const claims = Map.groupBy(rows, ({ claim }) => claim)
    await db.inTransaction(async (tx) => {
      for (const [claim, some] of claims)
        await giveBack(
          tx,
          claim,
          some.map(({ delivery }) => delivery),
          clock.now() + afterMs,
        )
    })
  }
}

/** Starts sending what is due; it takes nothing more once the signal aborts. */
export function startDeliveries(options: DeliveryOptions, signal: AbortSignal): Worker {
  const deliverer = new Deliverer(options)
  const wake = () => deliverer.bell.ring()
  signal.addEventListener('abort', wake, { once: true })
  return { wake, giveBack: () => deliverer.giveBack(), done: deliverer.run(signal) }
}
