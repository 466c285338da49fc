import { attemptsAtOnce, type Claim, type DeliveryRow } from './claim.ts'
import type { SigningSecret } from './secret.ts'
import { failuresBeforePause } from './state.ts'

/** A delivery that was taken, with the claim that took it and what signs it. */
export interface Taken {
  readonly claim: Claim
  readonly delivery: DeliveryRow
  readonly secrets: readonly SigningSecret[]
  /** Resolves when it is recorded or given back. */
  readonly ended: PromiseWithResolvers<void>
}

/** What is taken of a receiver at most: fewer transactions for each delivery, where it answers fast and well. */
const mostOfOne = 128
/** As much is taken as it accepts in this time. */
const takenForMs = 2000
/** How long it remembers how fast it is. */
const rememberMs = 10_000

/** What a worker holds of one subscription: what waits, what is under way, and what is not recorded yet. */
export class Receiver {
  #waiting: Taken[] = []
  #target = attemptsAtOnce
  #held = 0
  #underWay = 0
  #failures = 0
  #isFine = true
  #accepted = 0
  #since = 0

  /** How many deliveries it holds. */
  get held(): number {
    return this.#held
  }

  /**
   * How many more may be taken: while it is fine as soon as half of the last ones are done or fewer than four are held,
   * so that attempts that hang leave no place empty; otherwise when all of them are done.
   */
  get wants(): number {
    if (this.#held === 0) return this.#target
    const hasRoom = this.#held <= this.#target / 2 || this.#held < attemptsAtOnce
    return this.#isFine && hasRoom ? this.#target - this.#held : 0
  }

  /** Whether it may be forgotten. */
  isIdle(now: number): boolean {
    return this.#held === 0 && now - this.#since > rememberMs
  }

  /**
   * Adds what was taken.
   * @param now milliseconds of any clock
   * @returns its deliveries
   */
  add(claim: Claim, secrets: readonly SigningSecret[], now: number): readonly Taken[] {
    if (this.#held === 0) this.#failures = claim.subscription.failures
    const isFine = this.#isFine && this.#failures === 0
    const inTime = (this.#accepted / Math.max(1, now - this.#since)) * takenForMs
    this.#target = isFine ? Math.min(mostOfOne, Math.max(attemptsAtOnce, Math.ceil(inTime))) : attemptsAtOnce
    this.#isFine = this.#failures === 0
    this.#accepted = 0
    this.#since = now
    this.#held += claim.deliveries.length
    const added = claim.deliveries.map((delivery): Taken => ({
      claim,
      delivery,
      secrets,
      ended: Promise.withResolvers<void>(),
    }))
    this.#waiting.push(...added)
    return added
  }

  /** The next delivery to send, while fewer than four are under way; after many failures one alone is tried. */
  next(): Taken | undefined {
    const isProbe = this.#failures >= failuresBeforePause
    const probes = this.#held === this.#waiting.length ? 1 : 0
    const most = isProbe ? probes : attemptsAtOnce
    if (this.#underWay >= most) return undefined
    const taken = this.#waiting.shift()
    if (taken !== undefined) this.#underWay += 1
    return taken
  }

  /** An attempt ended; null: it was cut off. */
  ended(isAccepted: boolean | null): void {
    this.#underWay -= 1
    if (isAccepted === null) return
    this.#failures = isAccepted ? 0 : this.#failures + 1
    if (isAccepted) this.#accepted += 1
    else this.#isFine = false
  }

  /** So many deliveries were recorded or given back. */
  release(count: number): void {
    this.#held -= count
  }

  /** Takes out what waits and is not sent now, which is all of it once nothing is under way. */
  leftOver(): readonly Taken[] {
    if (this.#underWay > 0) return []
    const rest = this.#waiting
    this.#waiting = []
    return rest
  }
}
