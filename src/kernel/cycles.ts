interface Visit {
  readonly key: string
  readonly next: readonly string[]
  at: number
}

/** The nodes of a graph in an order, and which of them lead to each other. */
export interface Cycles {
  /** All nodes, each after those that it leads to, except within a cycle. */
  readonly order: readonly string[]
  /** The number of the cycle that a node belongs to; one outside of cycles has a number of its own. */
  readonly cycleOf: ReadonlyMap<string, number>
}

/**
 * Strongly connected components of a graph (Tarjan 1972), without recursion: chains have any length.
 *
 * @param edges the nodes that each node leads to; nodes without any may be left out
 */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): Cycles {
  const order: string[] = []
  const cycleOf = new Map<string, number>()
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visits: Visit[] = []
  const enter = (key: string): void => {
    index.set(key, index.size)
    lowest.set(key, index.size - 1)
    open.push(key)
    visits.push({ key, next: [...(edges.get(key) ?? [])], at: 0 })
  }
  const lower = (key: string, to: number | undefined): void => {
    lowest.set(key, Math.min(lowest.get(key) ?? 0, to ?? 0))
  }
  const leave = (key: string): void => {
    visits.pop()
    order.push(key)
    const above = visits.at(-1)
    if (above !== undefined) lower(above.key, lowest.get(key))
    if (lowest.get(key) !== index.get(key)) return
    // Nothing from here leads to what was entered earlier: all that is still open since then is one cycle.
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      cycleOf.set(member, index.get(key) ?? 0)
      if (member === key) break
    }
  }
  for (const first of edges.keys()) {
    if (!index.has(first)) enter(first)
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const next = visit.next[visit.at++]
      if (next === undefined) leave(visit.key)
      else if (!index.has(next)) enter(next)
      else if (!cycleOf.has(next)) lower(visit.key, index.get(next))
    }
  }
  return { order, cycleOf }
}
