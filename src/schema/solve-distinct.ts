import { isObject } from '../kernel/json.ts'
import type { Json } from '../kernel/json.ts'
import { none } from './answer.ts'
import type { Answer, Literals } from './answer.ts'
import { canonical } from './node.ts'
import type { Node, NodeFactory } from './node.ts'

/** Every way in which an array or object differs from `value`, as something more that holds for it. */
const differences = (factory: NodeFactory, value: Json): readonly (readonly Node[])[] => {
  const other = (it: Json): Node => factory.not(factory.values([it]))
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    const before = (index: number): Node[] => Array.from({ length: index }, () => factory.always)
    return [
      [factory.count('minItems', list.length + 1)],
      ...list.map((it, i) => [
        factory.count('minItems', i + 1),
        factory.items([...before(i), other(it)], factory.always),
      ]),
      ...(list.length > 0 ? [[factory.count('maxItems', list.length - 1)]] : []),
    ]
  }
  if (!isObject(value)) return []
  const entries = Object.entries(value)
  return [
    [factory.count('minProperties', entries.length + 1)],
    ...entries.map(([name, it]) => [
      factory.required(name),
      factory.object(new Map([[name, other(it)]]), [], factory.always, false),
    ]),
    ...entries.map(([name]) => [factory.lacks(name)]),
  ]
}

/**
 * An array or object that fits every atom and is not in `taken` (canonical texts). `solve` finds one that fits; where that is
 * taken, every way to differ from it is tried, so that none is left out.
 */
export const solveDistinct = (
  solve: (literals: Literals) => Answer,
  factory: NodeFactory,
  literals: Literals,
  taken: ReadonlySet<string>,
  spend: (steps: number) => void,
): Answer => {
  const answer = solve(literals)
  if (answer.is !== 'found' || taken.size === 0 || !taken.has(canonical(answer.value))) return answer
  let worst: Answer = none
  for (const more of differences(factory, answer.value)) {
    spend(1 + literals.yes.length / 20)
    const next = solveDistinct(solve, factory, { ...literals, yes: [...literals.yes, ...more] }, taken, spend)
    if (next.is === 'found') return next
    if (next.is === 'unknown') worst = next
  }
  return worst
}
