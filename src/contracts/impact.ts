import { shapeOf } from '../diff/model/openapi.ts'
import type { Change } from '../diff/change.ts'
import type { Contract, Unresolved, UsedOperation } from './contract.ts'
import { goneMessage, itemOf, keyedParts, lossOf, withoutRepeats, type UsedPart } from './losses.ts'
import { reachedBy, reachedByBody, type ReachedNode } from './reach.ts'
import type { Specification } from './specification.ts'
import { newNode, nodeKey, touchedBy, type OperationUse } from './touch.ts'

/** A consumer as far as its impact is asked for. */
export interface DeclaredConsumer {
  readonly handle: string
  readonly contract: Contract
}

/** What a step from one version to another means for one consumer. */
export interface ConsumerImpact {
  readonly handle: string
  /** `broken`: something it uses breaks or is gone. `unknown`: nothing of that, but something it uses was not decided. */
  readonly status: 'broken' | 'unknown' | 'touched' | 'unaffected'
  /** What it uses of the base and the head lacks. */
  readonly losses: readonly Unresolved[]
  /** Positions of the changes that touch what it uses. */
  readonly changes: readonly number[]
}

export interface Impact {
  /** In the order of the consumers that were given. */
  readonly consumers: readonly ConsumerImpact[]
  /** By position of the change, the handles of the consumers that it touches, sorted. */
  readonly touched: ReadonlyMap<number, readonly string[]>
}

interface PartUse {
  readonly part: UsedPart
  readonly users: Set<number>
}

interface Gathered {
  readonly used: UsedOperation
  readonly use: OperationUse
  readonly parts: Map<string, PartUse>
}

/** An operation as everyone means it: the method, and the path without the names of its parameters. */
const operationKey = (method: string, path: string): string => `${method.toUpperCase()} ${shapeOf(path)}`

const gather = (consumers: readonly DeclaredConsumer[]): Map<string, Gathered> => {
  const operations = new Map<string, Gathered>()
  for (const [number, { contract }] of consumers.entries()) {
    for (const used of contract.operations) {
      const key = operationKey(used.method, used.path)
      let it = operations.get(key)
      if (!it) {
        it = { used, use: { users: new Set(), senders: new Set(), nodes: new Map() }, parts: new Map() }
        operations.set(key, it)
      }
      it.use.users.add(number)
      if (used.body) it.use.senders.add(number)
      for (const [name, part] of keyedParts(used)) {
        const known = it.parts.get(name)
        if (known) known.users.add(number)
        else it.parts.set(name, { part, users: new Set([number]) })
      }
    }
  }
  return operations
}

const note = (
  use: OperationUse,
  side: 'base' | 'head',
  nodes: readonly ReachedNode[],
  users: ReadonlySet<number>,
): void => {
  for (const { direction, pointer, kind, enters, extent } of nodes) {
    const key = nodeKey(side, direction, pointer)
    let node = use.nodes.get(key)
    if (!node) use.nodes.set(key, (node = newNode(kind)))
    for (const user of users) node.users.add(user)
    if (extent === 'value' || extent === 'all') for (const user of users) node.whole.add(user)
    if (extent === 'all' || extent === 'unsaid') for (const user of users) node.below.add(user)
    if (enters === null) continue
    const entering = node.enters.get(enters)
    if (entering) for (const user of users) entering.add(user)
    else node.enters.set(enters, new Set(users))
  }
}

const reach = (gathered: Gathered, side: 'base' | 'head', specification: Specification): void => {
  const { found } = specification.find(gathered.used.method, gathered.used.path)
  if (!found) return
  // A client that calls an operation with a required body sends a body.
  if (found.body?.required === true) for (const user of gathered.use.users) gathered.use.senders.add(user)
  for (const { part, users } of gathered.parts.values())
    note(gathered.use, side, reachedBy(specification, found, part), users)
  note(gathered.use, side, reachedByBody(specification, found), gathered.use.senders)
}

const statusOf = (losses: readonly Unresolved[], changes: readonly Change[]): ConsumerImpact['status'] => {
  if (losses.length > 0) return 'broken'
  const breaking = changes.filter((it) => it.severity === 'breaking')
  if (breaking.some((it) => it.classification !== 'unknown')) return 'broken'
  // An optional field may stop coming for clients in general, but not for one that reads it.
  if (changes.some((it) => it.id === 'schema-write-only-added' && it.direction === 'response')) return 'broken'
  if (breaking.length > 0) return 'unknown'
  return changes.length > 0 ? 'touched' : 'unaffected'
}

/**
 * Which consumers a step from `base` to `head` affects. A contract is looked up again in both documents by what it means
 * (method, path, data paths), so that renamed path parameters and moved definitions are not changes.
 *
 * @param changes what a comparison of the two documents found
 */
export const impactOf = (
  base: Specification,
  head: Specification,
  changes: readonly Change[],
  consumers: readonly DeclaredConsumer[],
): Impact => {
  const operations = gather(consumers)
  const wanted = new Set(changes.flatMap((it) => it.operations.map(keyOfTitle)))
  for (const [key, it] of operations) {
    // Without changes no consumer is affected.
    if (!wanted.has(key)) continue
    reach(it, 'base', base)
    reach(it, 'head', head)
  }
  const touchedBySet = changes.map((change) => {
    const users = new Set<number>()
    for (const title of change.operations) {
      const it = operations.get(keyOfTitle(title))
      if (it) for (const user of touchedBy(change, it.use)) users.add(user)
    }
    return users
  })
  const mine: number[][] = consumers.map(() => [])
  const touched = new Map<number, readonly string[]>()
  for (const [position, users] of touchedBySet.entries()) {
    if (users.size === 0) continue
    for (const user of users) mine[user]!.push(position)
    touched.set(position, [...new Set([...users].map((user) => consumers[user]!.handle))].sort())
  }
  const losses = lossesBetween(base, head, operations, consumers.length)
  return {
    touched,
    consumers: consumers.map(({ handle }, number) => {
      const own = mine[number]!
      const lost = withoutRepeats(losses[number]!)
      const status = statusOf(
        lost,
        own.map((position) => changes[position]!),
      )
      return { handle, status, losses: lost, changes: own }
    }),
  }
}

const keyOfTitle = (title: string): string => {
  const space = title.indexOf(' ')
  return operationKey(title.slice(0, space), title.slice(space + 1))
}

/** What each consumer uses that the base has and the head lacks. Each part is looked up once for all of them. */
const lossesBetween = (
  base: Specification,
  head: Specification,
  operations: ReadonlyMap<string, Gathered>,
  count: number,
): readonly Unresolved[][] => {
  const losses: Unresolved[][] = Array.from({ length: count }, () => [])
  for (const { used, use, parts } of operations.values()) {
    const before = base.find(used.method, used.path).found
    const after = head.find(used.method, used.path).found
    if (!before) continue
    if (!after) {
      const item = itemOf(used, { kind: 'operation' }, 'operation-retired', goneMessage(used))
      for (const user of use.users) losses[user]!.push(item)
      continue
    }
    for (const { part, users } of parts.values()) {
      const loss = lossOf(head, after, part)
      if (!loss || lossOf(base, before, part)) continue
      const item = itemOf(used, part, loss.reason, loss.message)
      for (const user of users) losses[user]!.push(item)
    }
  }
  return losses
}
