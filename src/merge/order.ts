/**
 * The order of a list that two sides changed, by the keys of its items.
 * - Items that all three have keep the order of the side that moved them, else that of mine.
 * - An item that only one side has comes after the one that it follows there.
 * @returns null where both sides moved items, each otherwise
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] | null {
  const [inBase, inMine, inTheirs] = [new Set(base), new Set(mine), new Set(theirs)]
  const isShared = (key: string): boolean => inBase.has(key) && inMine.has(key) && inTheirs.has(key)
  const [before, left, right] = [base, mine, theirs].map((keys) => JSON.stringify(keys.filter(isShared)))
  if (before !== left && before !== right && left !== right) return null
  return left === before && right !== before ? insert(theirs, mine) : insert(mine, theirs)
}

/** The keys of `lead`, and those that only `other` has, each after the one that it follows there. */
function insert(lead: readonly string[], other: readonly string[]): readonly string[] {
  const [inLead, inOther] = [new Set(lead), new Set(other)]
  // What only one side has waits behind the last key before it that both have; "" is the beginning.
  const behind = new Map<string, string[]>()
  let last = ''
  for (const key of other)
    if (inLead.has(key)) last = `:${key}`
    else behind.set(last, [...(behind.get(last) ?? []), key])
  const merged: string[] = []
  last = ''
  for (const key of lead) {
    if (inOther.has(key)) {
      merged.push(...(behind.get(last) ?? []))
      last = `:${key}`
    }
    merged.push(key)
  }
  return [...merged, ...(behind.get(last) ?? [])]
}
