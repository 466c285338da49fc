import { yieldToEventLoop } from '../../db/yield.ts'
import { SvcError } from '../../src/errors.ts'
import { places, type PlaceName } from './places.ts'

/** How long the thread works at one request before others have their turn. */
const sliceMs = 8
/** The clock is looked at after so many steps: about a tenth of a slice. */
const stepsPerLook = 50_000
/** What one request may take: about half a second of the thread. A step is the comparison of one character. */
export const mostSteps = 100_000_000

/** One slice after the other, whichever requests they are of: so a hundred requests delay others no more than one does. */
let last: Promise<void> = Promise.resolve()

function turn(): Promise<void> {
  last = last.then(yieldToEventLoop)
  return last
}

/**
 * What one request may compute on the thread that all share, where what its caller wrote meets stored rows. Each place is listed in
 * `places.ts`.
 */
export class Guard {
  readonly #place: PlaceName
  readonly #signal: AbortSignal | undefined
  #left = mostSteps
  #untilLook = stepsPerLook
  #since = performance.now()

  /** @param signal aborted when the caller is gone */
  constructor(place: PlaceName, signal?: AbortSignal) {
    this.#place = place
    this.#signal = signal
  }

  /**
   * Counts steps that were taken, or are about to be.
   * @throws SvcError `request-too-costly` where the request took all that it may
   */
  spend(steps: number): void {
    this.#left -= steps
    this.#untilLook -= steps
    if (this.#left < 0) throw new SvcError('request-too-costly', { what: places[this.#place].what, steps: mostSteps })
  }

  /**
   * Gives others their turn where this request had its own, and ends where the caller is gone.
   * @throws the reason of the signal
   */
  async rest(): Promise<void> {
    if (this.#untilLook > 0) return
    this.#untilLook = stepsPerLook
    if (performance.now() - this.#since < sliceMs) return
    await turn()
    this.#signal?.throwIfAborted()
    this.#since = performance.now()
  }

  /**
   * Asks patterns, which take their steps off what they are given; what they do not decide within it stays undecided. They leave a
   * tenth of what the request may take to everything else.
   * @param most how many steps they may take, so that others have their turn
   */
  within<T>(most: number, ask: (steps: { left: number }) => T): T {
    const steps = { left: Math.max(0, Math.min(most, this.#left - mostSteps / 10)) }
    const { left } = steps
    const answer = ask(steps)
    this.spend(left - Math.max(0, steps.left))
    return answer
  }

  /**
   * Does something with each row.
   * @param cost how many steps it takes; what it does may spend more
   * @throws SvcError `request-too-costly`; the reason of the signal
   */
  async each<T>(rows: Iterable<T>, cost: (row: T) => number, act: (row: T) => void): Promise<void> {
    for (const row of rows) {
      this.spend(cost(row) + 1)
      if (this.#untilLook <= 0) await this.rest()
      act(row)
    }
  }

  /**
   * The rows that pass a test.
   * @throws SvcError `request-too-costly`; the reason of the signal
   */
  async filter<T>(rows: Iterable<T>, cost: (row: T) => number, test: (row: T) => boolean): Promise<T[]> {
    const kept: T[] = []
    await this.each(rows, cost, (row) => {
      if (test(row)) kept.push(row)
    })
    return kept
  }
}
