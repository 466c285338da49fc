/** What is checked of operations, written once for all that have it in common: requests come to it by a jump, and go on with another one. */
import type { Condition, Refusal, Rules } from './seclang.ts'

/** A refusal with its conditions, before it is known which requests meet it. */
export interface Check {
  readonly conditions: readonly Condition[]
  readonly refusal: Refusal
}

/** A check with those that follow it. Lists that end alike have their end in common. */
interface Step {
  readonly number: number
  readonly check: Check
  readonly next: Step | null
  /** Whether requests jump to it, or come to it from more than one step. */
  isBeginning: boolean
  isFollowed: boolean
}

/** Lists of checks of the first phase. */
export class Blocks {
  private readonly steps = new Map<string, Step>()
  private readonly end: string

  /** @param end the marker where a request goes on that passed all of its checks; it is somewhere behind them */
  constructor(end: string) {
    this.end = end
  }

  /** @returns the marker to jump to for these checks */
  label(checks: readonly Check[]): string {
    let next: Step | null = null
    for (const check of checks.toReversed()) {
      const key: string = JSON.stringify([check, next?.number])
      const known = this.steps.get(key)
      const step: Step = known ?? {
        number: this.steps.size + 1,
        check,
        next,
        isBeginning: false,
        isFollowed: false,
      }
      if (known === undefined) {
        if (next?.isFollowed === true) next.isBeginning = true
        if (next !== null) next.isFollowed = true
        this.steps.set(key, step)
      }
      next = step
    }
    if (next === null) return this.end
    next.isBeginning = true
    return nameOf(next)
  }

  /** Writes the checks. */
  write(rules: Rules): void {
    // What follows a step was made before it: jumps only lead forward.
    const blocks = [...this.steps.values()].filter((it) => it.isBeginning).toReversed()
    for (const [i, block] of blocks.entries()) {
      rules.marker(nameOf(block))
      let step: Step | null = block
      do {
        rules.refuse(1, step.check.conditions, step.check.refusal)
        step = step.next
      } while (step !== null && !step.isBeginning)
      const after = blocks[i + 1]
      if (after === undefined || step !== after)
        rules.flow(1, [], [`skipAfter:${step === null ? this.end : nameOf(step)}`])
    }
  }
}

const nameOf = ({ number }: Step): string => `SVC_CHECK_${number}`

/** Checks in another order: those that few lists have come first, so that lists have more of their ends in common. */
export function rarestFirst(lists: readonly (readonly Check[])[]): Check[][] {
  const counts = new Map<string, number>()
  const keyOf = (check: Check): string => JSON.stringify(check)
  for (const key of lists.flat().map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return lists.map((list) =>
    list
      .map((check) => ({ check, key: keyOf(check) }))
      .toSorted((a, b) => (counts.get(a.key) ?? 0) - (counts.get(b.key) ?? 0) || (a.key < b.key ? -1 : 1))
      .map((it) => it.check),
  )
}
