import { isObject, type Json, type Path } from '../../kernel/json.ts'
import { formatFragment, getPath } from '../../kernel/pointer.ts'
import { resolveReference } from '../../document/reference.ts'
import { type Role, roleOf } from '../../document/references-in-document.ts'
import { baseAt } from '../../document/reference.ts'
import type { Document } from '../../document/document.ts'

/** The step of a path below a schema in other words; the steps of names and data stay. */
export type Rename = (
  step: string,
  schema: { readonly [key: string]: Json },
  next: string | number | undefined,
) => string

/** A path into a schema with its keywords renamed. */
export function renamePath(schema: Json, path: Path, rename: Rename): Path {
  let node: Json = schema
  let role: Role = 'schema'
  return path.map((step, index) => {
    const isKeyword = role === 'schema' && isObject(node)
    const made = isKeyword ? rename(String(step), node as { readonly [key: string]: Json }, path[index + 1]) : step
    const child: Json = (node as { readonly [key: string]: Json } | null)?.[step] ?? null
    role = Array.isArray(node) ? role : roleOf(String(step), child, role)
    node = child
    return made
  })
}

/**
 * A reference to a place of the same document, which has other keywords in the result. References by URI alone, to anchors and to
 * other documents stay.
 */
export function renameReference(document: Document, ref: string, at: Path, rename: Rename): string {
  const hash = ref.indexOf('#')
  const fragment = hash === -1 ? '' : ref.slice(hash + 1)
  if (!/^(?:\/|%2f)/i.test(fragment)) return ref
  const target = resolveReference(document, { ref, base: baseAt({ document, path: at }) })
  if (typeof target !== 'object' || target.document !== document) return ref
  // The pointer begins at the resource that the address names, which may be embedded.
  const depth = fragment.split('/').length - 1
  const root = target.path.slice(0, target.path.length - depth)
  const below = renamePath(getPath(document.value, root) ?? null, target.path.slice(root.length), rename)
  return `${ref.slice(0, Math.max(hash, 0))}${formatFragment(below)}`
}
