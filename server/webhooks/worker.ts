import type { Deps } from '../kit/door.ts'
import { KeptConnections, type Network } from '../egress/door.ts'
import { runLoop, Share, type Begin, type Worker } from '../loop/door.ts'
import { SvcError } from '../../src/errors.ts'
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

/** Deliveries that a process takes at once: receivers that do not answer in time must not use all of it. */
const maxAtOnce = 1024
const usualPollMs = 1000
/** When a secret cannot be read the deliveries wait without losing attempts. */
const unreadableMs = 60_000

/** Sends what is due, from its own loop: neither imports nor other receivers delay it. */
class Deliverer {
  readonly #options: DeliveryOptions
  readonly #share: Share
  readonly #connections: KeptConnections
  readonly #secrets: SigningSecrets
  readonly #recorder: Recorder
  /** By subscription. */
  readonly #receivers = new Map<string, Receiver>()

  /** @param wake makes the loop look at what is due */
  constructor(options: DeliveryOptions, share: Share, wake: () => void) {
    const { deps, allow, schedule, pollMs = usualPollMs } = options
    this.#options = options
    this.#share = share
    this.#connections = new KeptConnections({ allow })
    this.#secrets = new SigningSecrets(deps.vault, deps.db)
    const rules = () => ({ schedule, now: deps.clock.now(), random: Math.random() })
    this.#recorder = new Recorder(deps.db, rules, (dueAt) => {
      // What is due at an instant before the next look is looked at then.
      const wait = dueAt - deps.clock.now()
      if (wait < pollMs) setTimeout(wake, Math.max(0, wait)).unref()
    })
  }

  close(): void {
    this.#connections.close()
  }

  /** Takes what is due, as much as there is room for. */
  async claim(begin: Begin): Promise<number> {
    const { deps } = this.#options
    const claims = await claimDue(deps.db, deps.clock.now(), {
      want: (id) => this.#receivers.get(id)?.wants ?? attemptsAtOnce,
      holds: (id) => this.#receivers.get(id)?.held ?? 0,
      ofTenant: (tenantId) => this.#share.freeOf(tenantId),
      all: this.#share.free,
      order: (due) => this.#share.order(due),
    })
    await Promise.all(claims.map((claim) => this.#take(claim, begin)))
    const now = performance.now()
    for (const [id, receiver] of this.#receivers) if (receiver.isIdle(now)) this.#receivers.delete(id)
    return claims.length
  }

  async #take(claim: Claim, begin: Begin): Promise<void> {
    const { id, tenantId } = claim.subscription
    const secrets = await this.#secretsOf(claim.subscription)
    if (secrets === null)
      return this.#giveBack(
        claim.deliveries.map((delivery) => ({ claim, delivery })),
        unreadableMs,
      )
    const receiver = this.#receivers.get(id) ?? new Receiver()
    this.#receivers.set(id, receiver)
    for (const taken of receiver.add(claim, secrets, performance.now()))
      begin(tenantId, 'delivery', (cutOff) => {
        this.#send(id, receiver, cutOff)
        return taken.ended.promise
      })
  }

  /** Lets as much begin as may, and gives the rest back. */
  #send(id: string, receiver: Receiver, cutOff: AbortSignal): void {
    const late: Taken[] = []
    for (let taken = receiver.next(); taken !== undefined; taken = receiver.next())
      if (!cutOff.aborted && this.#isInTime(taken))
        this.#follow(id, receiver, [taken], this.#deliver(id, receiver, taken, cutOff))
      else {
        receiver.ended(null)
        late.push(taken)
      }
    const rest = [...late, ...receiver.leftOver()]
    if (rest.length > 0) this.#follow(id, receiver, rest, this.#giveBack(rest, 0))
  }

  #isInTime({ claim }: Taken): boolean {
    return this.#options.deps.clock.now() + attemptTimeoutMs < claim.until
  }

  /** Waits for work on deliveries, after which they are not held any more. */
  #follow(id: string, receiver: Receiver, deliveries: readonly Taken[], work: Promise<void>): void {
    void work
      .catch((fault: unknown) => this.#options.onFault(fault, `webhook ${id}`))
      .finally(() => {
        receiver.release(deliveries.length)
        for (const { ended } of deliveries) ended.resolve()
      })
  }

  /** Makes one attempt and records it; the next one begins without waiting for the record. */
  async #deliver(id: string, receiver: Receiver, taken: Taken, cutOff: AbortSignal): Promise<void> {
    const { clock } = this.#options.deps
    const { claim, delivery, secrets } = taken
    const { url, keepsAnswers } = claim.subscription
    const message = { id: delivery.id, url, body: delivery.body, secrets, keepsAnswer: keepsAnswers === true }
    let made: Attempt | null = null
    try {
      made = await attempt(message, { connections: this.#connections, clock, signal: cutOff })
      // What was cut off does not count against the receiver.
      if (cutOff.aborted && made.statusCode === null) made = null
    } finally {
      receiver.ended(made === null ? null : made.outcome.isAccepted)
      this.#send(id, receiver, cutOff)
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
  const { pollMs = usualPollMs, drainMs = 5000, onFault } = options
  const share = new Share(maxAtOnce)
  const deliverer = new Deliverer(options, share, () => loop.wake())
  const loop = runLoop(
    {
      claim: (begin) => deliverer.claim(begin),
      share,
      pollMs,
      drainMs,
      onFault: (fault) => onFault(fault, 'webhooks'),
    },
    signal,
  )
  return { ...loop, done: loop.done.finally(() => deliverer.close()) }
}
