/**
 * For long work on large documents, to be called often: collects what is garbage by then, whenever memory has grown by so
 * much. The runtime alone lets the heap double first.
 * @param least bytes below which nothing is collected
 * @param step bytes of growth from one collection to the next
 */
export function memoryGuard(least: number, step: number, collect: () => void): () => void {
  let next = least
  return () => {
    if (process.memoryUsage.rss() < next) return
    collect()
    next = Math.max(least, process.memoryUsage.rss() + step)
  }
}

/** The same for what is called thousands of times: it looks at every so-manieth call. */
export function every(calls: number, act: () => void): () => void {
  let called = 0
  return () => {
    if (++called % calls === 0) act()
  }
}
