/** When to collect, and how. */
export interface Collection {
  /** The bytes of memory below which nothing is collected. */
  readonly least: number
  /** The bytes of growth from one collection to the next. */
  readonly step: number
  collect(): void
}

/**
 * For long work on large documents, to be called often: collects what is garbage by then, whenever memory has grown by so
 * much. The runtime alone lets the heap double first. Asking for the memory takes longer than most of the work between two
 * calls, so it is asked for once.
 */
export function memoryGuard(...collections: readonly Collection[]): () => void {
  const next = collections.map(({ least }) => least)
  return () => {
    let resident = process.memoryUsage.rss()
    for (const [at, { least, step, collect }] of collections.entries()) {
      if (resident < next[at]!) continue
      collect()
      resident = process.memoryUsage.rss()
      next[at] = Math.max(least, resident + step)
    }
  }
}

/** The same for what is called thousands of times: it looks at every so-manieth call. */
export function every(calls: number, act: () => void): () => void {
  let called = 0
  return () => {
    if (++called % calls === 0) act()
  }
}
