/** The place of a rule in the order in which rules apply. */
interface Ordered {
  readonly id: string
  readonly order: number
}

const highest = 100_000

/** Rules in the order in which they apply. */
export const inOrder = <T extends Ordered>(rules: readonly T[]): T[] => rules.toSorted((a, b) => a.order - b.order)

/**
 * What to store so that a rule changes places with its neighbour.
 * @param rules in their order
 * @param step -1: before the one before it, 1: behind the next one
 * @returns one new number where there is room between two rules, otherwise the numbers of all that get another one
 */
export function ordersAfter(rules: readonly Ordered[], id: string, step: -1 | 1): Ordered[] {
  const from = rules.findIndex((it) => it.id === id)
  const to = from + step
  const moved = rules[from]
  if (moved === undefined || rules[to] === undefined) return []
  const others = rules.toSpliced(from, 1)
  const before = others[to - 1]?.order ?? -1
  const after = others[to]?.order ?? Math.min(before + 20, highest + 1)
  const middle = Math.floor((before + after) / 2)
  if (middle > before) return [{ id, order: middle }]
  return others.toSpliced(to, 0, moved).flatMap(({ id: one, order: was }, index) => {
    const order = (index + 1) * 10
    return order === was ? [] : [{ id: one, order }]
  })
}
