/** Thrown where a question about an expression would take longer than allowed. */
export class OutOfEffort extends Error {}

/** Counted steps: the same question has the same answer on every machine. */
export class Effort {
  private left: number
  constructor(steps: number) {
    this.left = steps
  }
  /** @throws OutOfEffort */
  spend(steps = 1): void {
    this.left -= steps
    if (this.left < 0) throw new OutOfEffort()
  }
}
