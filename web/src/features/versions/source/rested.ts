/** Does work again after each touch, once things have rested for a moment: one at a time, and never for what is outdated. */
export class Rested {
  readonly #work: () => Promise<void>
  readonly #delayMs: () => number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isWorking = false
  #isTouched = false
  #isStopped = false

  constructor(work: () => Promise<void>, delayMs: () => number) {
    this.#work = work
    this.#delayMs = delayMs
  }

  touch(): void {
    if (this.#isStopped) return
    this.#isTouched = true
    if (this.#isWorking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), this.#delayMs())
  }

  async #run(): Promise<void> {
    this.#isWorking = true
    this.#isTouched = false
    try {
      await this.#work()
    } finally {
      this.#isWorking = false
      if (this.#isTouched) this.touch()
    }
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
