/** A pause that anyone can end: by `ring`, also before it begins. */
export class Doorbell {
  #ring: () => void = () => {}
  #rung = false
  readonly ring = (): void => {
    this.#rung = true
    this.#ring()
  }
  async wait(ms: number): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#ring = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#rung = false
  }
}
