import { SvcError } from '../../src/errors.ts'

/** So many questions of one organization, or of everybody without credentials, are worked on at a time; each may hold texts of 20 MB. */
const maxAtOnce = 8

/** Keeps what nobody pays for from filling the memory of the server: who has too many questions under way asks again later. */
export class Shares {
  readonly #running = new Map<string, number>()

  /**
   * Works on a question.
   * @param payer whose share it takes
   * @throws SvcError `checks-exceeded`, and what the work refuses
   */
  async run<T>(payer: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(payer) ?? 0
    if (running >= maxAtOnce) throw new SvcError('checks-exceeded', { max: maxAtOnce, retry_after: 1 })
    this.#running.set(payer, running + 1)
    try {
      return await work()
    } finally {
      const left = (this.#running.get(payer) ?? 1) - 1
      if (left === 0) this.#running.delete(payer)
      else this.#running.set(payer, left)
    }
  }
}
