/** Keeps the most recently used values up to a total size. */
export class SizedCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly size: number }>()
  readonly #maxSize: number
  #size = 0
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    // A Map keeps insertion order, so putting it back makes it the youngest.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }

  /** Forgets a value. */
  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }

  /** Keeps a value of the given size (in any one unit); a value larger than the whole is not kept. */
  set(key: string, value: V, size: number): void {
    if (size > this.#maxSize) return
    const old = this.#entries.get(key)
    if (old) this.#size -= old.size
    this.#entries.delete(key)
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#maxSize) break
      this.#entries.delete(oldest)
      this.#size -= entry.size
    }
  }
}
