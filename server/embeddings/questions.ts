import type { Embedder } from '../kit/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'

/** Vectors of questions, so that the pages of one answer cost one request to the provider. */
export class Questions {
  readonly #known = new SizedCache<Promise<Uint8Array>>(200, 'search_vectors')

  /** @throws SvcError `embedding-failed`, `egress-denied` */
  vectorOf(embedder: Embedder, q: string): Promise<Uint8Array> {
    const known = this.#known.get(q)
    if (known) return known
    const vector = embedder.embed([q]).then(([one]) => one ?? new Uint8Array())
    this.#known.set(q, vector, 1)
    // A failure is not remembered: the provider may answer the next time.
    vector.catch(() => this.#known.delete(q))
    return vector
  }
}

/** So few are indexed in a moment; a backlog is not waited for. */
const fewMissing = 5
const mostTurns = 20
const turnMs = 100

/** Waits a moment until what was changed just now is indexed; gives how many are still missing. */
export async function awaitIndexed(countMissing: () => Promise<number>, wake: () => void): Promise<number> {
  for (let turn = 0; ; turn++) {
    const n = await countMissing()
    if (n === 0 || n > fewMissing || turn === mostTurns) return n
    wake()
    await Bun.sleep(turnMs)
  }
}
