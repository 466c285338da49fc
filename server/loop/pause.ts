/** A pause that anyone can end: by `end`, also before it begins. */
export class Pause {
  #end: () => void = () => {}
  #isEnded = false

  readonly end = (): void => {
    this.#isEnded = true
    this.#end()
  }

  /** Waits so long, or until `end` is called; not at all where it was called since the last wait. */
  async wait(ms: number): Promise<void> {
    if (!this.#isEnded)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#isEnded = false
  }
}
