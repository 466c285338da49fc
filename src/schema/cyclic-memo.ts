interface Open<Key> {
  readonly level: number
  /** Answers that hold as long as a question below this one gets the answer that was assumed for it. */
  readonly pending: Key[]
}

/**
 * Remembers the answers of questions that may need themselves. A question met inside itself gets the assumed answer; what is
 * concluded from that holds only together with the question it leaned on, so it is provisional until that one is settled
 * (as in Tarjan's search for strongly connected components), and used again until then.
 */
export class CyclicMemo<Key, Answer> {
  private readonly known = new Map<Key, Answer>()
  private readonly provisional = new Map<Key, number>()
  private readonly open = new Map<Key, Open<Key>>()
  private readonly stack: Open<Key>[] = []
  private lowest = Infinity
  private readonly assumption: Answer
  private readonly isAssumed: (answer: Answer) => boolean
  private readonly isFinal: (answer: Answer) => boolean

  /** `isFinal`: the answer holds whatever was assumed on the way. */
  constructor(assumption: Answer, isAssumed: (answer: Answer) => boolean, isFinal: (answer: Answer) => boolean) {
    this.assumption = assumption
    this.isAssumed = isAssumed
    this.isFinal = isFinal
  }

  /** The answer of a question; `work` finds it where it is not known. */
  answer(key: Key, work: () => Answer): Answer {
    const known = this.known.get(key)
    if (known !== undefined) return known
    const leans = this.provisional.get(key) ?? this.open.get(key)?.level
    if (leans !== undefined) {
      this.lowest = Math.min(this.lowest, leans)
      return this.assumption
    }
    const frame: Open<Key> = { level: this.stack.length, pending: [] }
    this.open.set(key, frame)
    this.stack.push(frame)
    const outer = this.lowest
    this.lowest = Infinity
    const answer = work()
    this.stack.pop()
    this.open.delete(key)
    const leaned = this.lowest
    this.settle(key, answer, frame, leaned)
    this.lowest = Math.min(outer, leaned < frame.level ? leaned : Infinity)
    return answer
  }

  /** Forgets what is in progress, after a question was given up. */
  abandon(): void {
    this.open.clear()
    this.provisional.clear()
    this.stack.length = 0
    this.lowest = Infinity
  }

  private settle(key: Key, answer: Answer, { level, pending }: Open<Key>, leaned: number): void {
    const settled = leaned >= level
    if (this.isAssumed(answer) && !settled) {
      const below = this.stack.at(-1)
      for (const it of [...pending, key]) {
        this.provisional.set(it, leaned)
        below?.pending.push(it)
      }
      return
    }
    if (settled || this.isFinal(answer)) this.known.set(key, answer)
    const holds = settled && this.isAssumed(answer)
    for (const it of pending) {
      this.provisional.delete(it)
      if (holds) this.known.set(it, answer)
    }
  }
}
