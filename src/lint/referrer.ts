/** The references on the way to a node. */
import type { Document } from '../document/document.ts'
import type { Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import type { Referrer } from './graph.ts'
import { placeOf, type Node } from './jsonpath/walk.ts'

/**
 * What refers to a node that the walk came to by a reference: the first on its way, or one of the document itself, where every
 * place is visited for its own sake.
 */
export function referrerOf(node: Node, path: Path, root: Document): Referrer | null {
  const { target, up } = node
  if (target === null || up === null || path.length < target.path.length) return null
  if (up.document !== root) for (let it: Node | null = up; it !== null; it = it.up) if (it.target !== null) return null
  if (target.path.some((step, index) => path[index] !== step)) return null
  const value = getPath(up.value, [node.key])
  return value === undefined
    ? null
    : { document: up.document, path: [...placeOf(up), node.key], value, target: target.path }
}

/** Whether a walk came to a node, or to one above it, by a reference. */
export function isBehindReference(node: Node | null): boolean {
  for (let at = node; at !== null; at = at.up) if (at.target !== null) return true
  return false
}
