import { SvcError } from '../../src/errors.ts'
import { networkOf } from './address.ts'

const windowMs = 60_000
/** Pairs of a subject and a network that are kept; the oldest go first. */
const mostKept = 20_000

interface Count {
  n: number
  readonly since: number
}

const exceeded = ({ since }: Count, now: number): SvcError =>
  new SvcError('refusals-exceeded', { retry_after: Math.max(1, Math.ceil((since + windowMs - now) / 1000)) })

/**
 * Counts what was refused, by what it was about and the network that it came from, for a minute, in this process: a refusal that is only
 * counted costs nothing that others wait for.
 */
export class Refusals {
  readonly #answered: number
  readonly #heard: number
  readonly #counts = new Map<string, Count>()

  /**
   * @param answered so many refusals of a network about one subject in a minute say why; the next ones are answered with `refusals-exceeded`
   * @param heard after so many nothing of the network is looked at, right or wrong
   */
  constructor(answered: number, heard: number) {
    this.#answered = answered
    this.#heard = heard
  }

  #keyOf(subject: string, address: string | null): string {
    return `${subject} ${address === null ? '' : networkOf(address)}`
  }

  #of(key: string, now: number): Count | undefined {
    const count = this.#counts.get(key)
    if (count === undefined || now - count.since < windowMs) return count
    this.#counts.delete(key)
    return undefined
  }

  /**
   * Counts one.
   * @throws SvcError `refusals-exceeded` where there were many: it is all that is to be done about it
   */
  count(subject: string, address: string | null, now: number): void {
    const key = this.#keyOf(subject, address)
    const count = this.#of(key, now) ?? { n: 0, since: now }
    count.n += 1
    this.#counts.set(key, count)
    if (count.n > this.#answered) throw exceeded(count, now)
    if (this.#counts.size <= mostKept) return
    for (const oldest of this.#counts.keys()) return void this.#counts.delete(oldest)
  }

  /**
   * Refuses a network before anything of it is looked at.
   * @throws SvcError `refusals-exceeded` with the seconds until it is heard again
   */
  assert(subject: string, address: string | null, now: number): void {
    const count = this.#of(this.#keyOf(subject, address), now)
    if (count !== undefined && count.n >= this.#heard) throw exceeded(count, now)
  }
}
