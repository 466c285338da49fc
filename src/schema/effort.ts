/** Thrown where a question has used up its steps. */
export class Exhausted extends Error {}

/** What one question may take, as pairs: while less than this part of all steps is used, so many. */
type Shares = readonly (readonly [used: number, steps: number])[]

const usual: Shares = [
  [0.5, 20_000],
  [0.9, 1000],
  [1, 60],
]

/**
 * The steps of one comparison, over all of its questions. Steps are counted and never timed, so that the same documents
 * get the same answer on every machine. A step is roughly the work of ten microseconds.
 */
export class Effort {
  private readonly total: number
  private readonly shares: Shares
  private spent = 0
  private limit = 0
  private walked = 0

  /** `total`: how many steps all questions may take together; no comparison has more than `most`. */
  constructor(total: number, shares = usual) {
    this.total = Math.min(total, most)
    this.shares = shares
    this.begin()
  }

  /** Begins a question; it gets less the more has been used by others. */
  begin(): void {
    const used = this.spent / this.total
    const allowance = this.shares.find(([share]) => used < share)?.[1] ?? 0
    this.limit = Math.min(this.spent + allowance, this.total)
  }

  /** @throws Exhausted where the question has none left */
  spend(steps = 1): void {
    this.spent += steps
    if (this.spent > this.limit) throw new Exhausted()
  }

  /** Takes steps outside of a question. */
  take(steps: number): void {
    this.spent += steps
  }

  /**
   * Takes steps of the walk through both documents, which has a budget of its own. Looking at a
   * branch or at a pair of parts is one. False where they are used up: then the walk goes no deeper.
   */
  walk(steps = 1): boolean {
    this.walked += steps
    return this.walked <= Math.min(this.total * walks, mostWalks)
  }

  /** Whether all steps of the comparison are used up. */
  get isExhausted(): boolean {
    return this.spent >= this.total
  }
}

/** How many steps of the walk there are for one step of the questions; they are that much cheaper. */
const walks = 5

/**
 * What the largest documents have: some seconds. Comparing two years of an API of 13 MB takes 150,000 steps and 40,000 of the
 * walk.
 */
const [most, mostWalks] = [250_000, 300_000]

/** What is said of a question that reached a limit. */
export const tooLarge = 'it is too large to decide within the limit of steps'
/** What is said of every question after the comparison used up its steps. */
export const exhausted = 'the comparison reached its limit of steps before it was decided'
/** What is said of the first part that the walk through both documents did not reach any more. */
export const notCompared = 'the comparison reached its limit of steps; this part and those after it were not compared'

/** The answer to a question; null where it is too large. */
export const withinLimits = <T>(ask: () => T): T | null => {
  try {
    return ask()
  } catch (thrown) {
    if (thrown instanceof Exhausted || thrown instanceof RangeError) return null
    throw thrown
  }
}
