/** Which operations and answers of the descriptions a run saw. */
import { answerKeys, answerOf, type Called, type Description } from './openapi.ts'
import type { Coverage } from './result.ts'

/** Counts what was called, and what was answered. */
export class CoverageCount {
  readonly #called = new Set<Called>()
  readonly #seen = new Map<Called, Set<string>>()

  add(called: Called, status: number): void {
    this.#called.add(called)
    const answer = answerOf(called, status)
    if (answer === null) return
    const seen = this.#seen.get(called) ?? new Set()
    this.#seen.set(called, seen.add(answer.key))
  }

  /** The counts of one description. */
  of({ source, operations }: Description): Coverage {
    const seen = operations.reduce((sum, it) => sum + (this.#seen.get(it)?.size ?? 0), 0)
    const total = operations.reduce((sum, it) => sum + answerKeys(it).length, 0)
    const missed = operations.filter((it) => !this.#called.has(it))
    return {
      source,
      operations: { called: operations.length - missed.length, total: operations.length },
      answers: { seen, total },
      missed: missed.map(({ method, path }) => `${method} ${path}`),
    }
  }
}
