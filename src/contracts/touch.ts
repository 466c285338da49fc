import type { Change } from '../diff/change.ts'
import { isJsonLike } from './specification.ts'
import type { NodeKind } from './reach.ts'

/** Numbers of consumers. */
export type Users = ReadonlySet<number>

/** A place of a document with those who depend on it. */
export interface NodeUse {
  readonly kind: NodeKind
  readonly users: Set<number>
  /** By property, those who go on into it. */
  readonly enters: Map<string, Set<number>>
}

/** What the consumers of one operation depend on. */
export interface OperationUse {
  readonly users: Set<number>
  readonly senders: Set<number>
  /** By side, direction and pointer. */
  readonly nodes: Map<string, NodeUse>
}

export const nodeKey = (side: 'base' | 'head', direction: 'request' | 'response', pointer: string): string =>
  `${side} ${direction} ${pointer}`

const nobody: Users = new Set()

const decode = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** The nearest place at or above a pointer that somebody depends on, and the steps from there down. */
const nearest = (
  use: OperationUse,
  side: 'base' | 'head',
  direction: 'request' | 'response',
  pointer: string,
): { readonly node: NodeUse; readonly rest: readonly string[] } | null => {
  let at = pointer
  for (;;) {
    const node = use.nodes.get(nodeKey(side, direction, at))
    if (node)
      return {
        node,
        rest: pointer
          .slice(at.length + 1)
          .split('/')
          .filter((it) => it !== '')
          .map(decode),
      }
    const cut = at.lastIndexOf('/')
    if (cut < 0) return null
    at = at.slice(0, cut)
  }
}

// Keywords that hold schemas of their own: what stands in them is reached or it is not.
const holders = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  '$defs',
  'definitions',
])
const lists = new Set(['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'])
const unions = new Set(['oneOf', 'anyOf', 'allOf'])

const nameOfRequired = (change: Change): string | null => {
  const name = change.after ?? change.before
  return typeof name === 'string' ? name : null
}

const touchedSchema = (
  change: Change,
  node: NodeUse,
  rest: readonly string[],
  direction: 'request' | 'response',
): Users => {
  const [word] = rest
  if (node.kind === 'parameter') return node.users
  if (node.kind !== 'schema') return nobody
  if (word === undefined) return node.users
  if (word === 'required') {
    // Whoever sends the object has to send it now; whoever reads the property may miss it now.
    if (direction === 'request' && change.id === 'schema-required-added') return node.users
    return node.enters.get(nameOfRequired(change) ?? '') ?? nobody
  }
  if (word === 'properties' && rest.length === 2 && direction === 'request')
    return change.id === 'schema-required-property-added' ? node.users : nobody
  if (holders.has(word)) return nobody
  if (lists.has(word)) return rest.length === 1 ? node.users : nobody
  if (unions.has(word)) return rest.length === 1 || (word === 'allOf' && rest.length === 2) ? node.users : nobody
  return node.users
}

const sides = ['base', 'head'] as const

const bySchema = (change: Change, use: OperationUse): Users => {
  const touched = new Set<number>()
  const directions = change.direction === null ? (['request', 'response'] as const) : [change.direction]
  const branchGone = change.id.endsWith('-branch-removed')
  for (const side of sides) {
    const pointer = change[side]?.pointer
    // The head of a branch that went names the whole list; only those who used the branch lose something.
    if (pointer === undefined || (branchGone && side === 'head')) continue
    for (const direction of directions) {
      const found = nearest(use, side, direction, pointer)
      if (!found) continue
      for (const user of touchedSchema(change, found.node, found.rest, direction)) touched.add(user)
    }
  }
  return touched
}

const byPlace = (change: Change, use: OperationUse, kinds: readonly NodeKind[]): Users => {
  const touched = new Set<number>()
  for (const side of sides)
    for (const direction of ['request', 'response'] as const) {
      const pointer = change[side]?.pointer
      const found = pointer === undefined ? null : nearest(use, side, direction, pointer)
      if (found && kinds.includes(found.node.kind)) for (const user of found.node.users) touched.add(user)
    }
  return touched
}

const byMediaType = (change: Change, use: OperationUse): Users => {
  const steps = (change.base?.pointer ?? '').split('/').map(decode)
  const name =
    steps
      .at(steps.lastIndexOf('content') + 1)
      ?.split(';')[0]
      ?.trim()
      .toLowerCase() ?? ''
  // Fields are named in what is like JSON: another type that goes is somebody else's loss.
  return change.id === 'media-type-removed' && isJsonLike(name) ? byPlace(change, use, ['answer', 'body']) : nobody
}

/**
 * Who of an operation's consumers depends on what a change changed. Words that explain touch nobody, and neither does what
 * is only added, unless everyone has to send it.
 */
export const touchedBy = (change: Change, use: OperationUse): Users => {
  if (change.severity === 'docs-only') return nobody
  const breaks = change.severity === 'breaking'
  const area = change.id.slice(0, change.id.indexOf('-'))
  switch (area) {
    case 'operation':
      return change.id === 'operation-tags-changed' || change.id.startsWith('operation-operation-id')
        ? nobody
        : use.users
    case 'security':
      return breaks ? use.users : nobody
    case 'parameter':
      if (change.id === 'parameter-added' || change.id === 'parameter-required-added')
        return breaks ? use.users : nobody
      // Where it stands in the path is what counts, not what it is called.
      return change.id === 'parameter-name-changed' ? nobody : byPlace(change, use, ['parameter'])
    case 'body':
      return change.id === 'body-added' || change.id === 'body-required-added'
        ? breaks
          ? use.users
          : nobody
        : use.senders
    case 'media':
      return byMediaType(change, use)
    case 'status':
      return change.id.endsWith('-removed') ? byPlace(change, use, ['answer']) : nobody
    case 'schema':
      return bySchema(change, use)
    default:
      return nobody
  }
}
