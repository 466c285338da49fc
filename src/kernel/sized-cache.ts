/** How full the caches of a name are, together. */
export interface CacheFill {
  readonly entries: number
  /** In the unit of the cache: bytes, characters, rows. */
  readonly size: number
  readonly limit: number
}

/** Whatever can say how full it is. */
interface Filled {
  readonly fill: CacheFill
}

const named = new Map<string, Set<WeakRef<Filled>>>()

/** Shows how full a cache is to operators, as long as it is used. */
export function nameCache(name: string, cache: Filled): void {
  const refs = named.get(name) ?? new Set()
  named.set(name, refs.add(new WeakRef(cache)))
}

/** Adds up how full caches are, by name. */
export function addFills(all: Iterable<readonly [string, CacheFill]>): Map<string, CacheFill> {
  const sums = new Map<string, CacheFill>()
  for (const [name, fill] of all) {
    const { entries, size, limit } = sums.get(name) ?? { entries: 0, size: 0, limit: 0 }
    sums.set(name, { entries: entries + fill.entries, size: size + fill.size, limit: limit + fill.limit })
  }
  return sums
}

/** How full the named caches of this process are. */
export function cacheFills(): ReadonlyMap<string, CacheFill> {
  return addFills(
    [...named].flatMap(([name, refs]) =>
      [...refs].flatMap((ref): [string, CacheFill][] => {
        const cache = ref.deref()
        if (cache === undefined) refs.delete(ref)
        return cache === undefined ? [] : [[name, cache.fill]]
      }),
    ),
  )
}

/** Keeps the most recently used values up to a total size. */
export class SizedCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly size: number }>()
  readonly #maxSize: number
  #size = 0
  /** @param name under which its fill is shown to operators */
  constructor(maxSize: number, name?: string) {
    this.#maxSize = maxSize
    if (name !== undefined) nameCache(name, this)
  }

  /** How full it is. */
  get fill(): CacheFill {
    return { entries: this.#entries.size, size: this.#size, limit: this.#maxSize }
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
