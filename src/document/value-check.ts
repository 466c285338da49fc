import type { Json, Path } from './json.ts'
import { nodeKind, type Outline } from './outline.ts'

/** What a walk over a parsed value found that JSON or the database cannot hold. */
export interface Oddities {
  /** The number of entries of all objects; null where shared nodes make it meaningless. */
  readonly entries: number | null
  readonly found: readonly { readonly kind: 'nul' | 'not-finite'; readonly path: Path }[]
}

const mostReported = 20

/**
 * Counts the entries of a value and finds numbers that are not finite and strings with NUL. `shared` says that nodes may occur at
 * several places (YAML aliases): each is then visited once, and the count is null.
 */
export const findOddities = (value: Json, shared: boolean): Oddities => {
  const seen = shared ? new Set<object>() : null
  const found: { kind: 'nul' | 'not-finite'; path: Path }[] = []
  const path: (string | number)[] = []
  let entries = 0
  const visit = (node: Json): void => {
    if (typeof node === 'string') {
      if (node.includes('\0') && found.length < mostReported) found.push({ kind: 'nul', path: [...path] })
    } else if (typeof node === 'number') {
      if (!Number.isFinite(node) && found.length < mostReported) found.push({ kind: 'not-finite', path: [...path] })
    } else if (typeof node === 'object' && node !== null) {
      if (seen?.has(node) === true) return
      seen?.add(node)
      if (Array.isArray(node))
        for (let index = 0; index < node.length; index++) {
          path.push(index)
          visit(node[index] as Json)
          path.pop()
        }
      else {
        const map = node as { readonly [key: string]: Json }
        for (const key in map) {
          entries++
          path.push(key)
          visit(map[key] as Json)
          path.pop()
        }
      }
    }
  }
  visit(value)
  return { entries: shared ? null : entries, found }
}

/**
 * The nodes whose key stood before in the same map. `entries` is the count in the value: where it equals the count in the text
 * no key can be repeated, and no key needs to be read.
 */
export const findRepeatedKeys = (outline: Outline, entries: number | null): number[] => {
  if (entries === outline.entries) return []
  const repeated: number[] = []
  for (let id = 0; id < outline.count; id++) {
    if (outline.kind[id] !== nodeKind.map) continue
    const names = new Set<string>()
    for (const child of outline.children(id)) {
      const name = outline.key(child)
      if (names.has(name)) {
        outline.repeating.add(id)
        // Several merge keys in one map are common and lose nothing.
        if (name !== '<<') repeated.push(child)
      }
      names.add(name)
    }
  }
  return repeated
}
