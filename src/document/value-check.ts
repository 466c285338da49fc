import type { Json, Path } from '../kernel/json.ts'
import { nodeKind, type Outline } from './outline.ts'
import { deepestKept, rememberReferences } from './written-references.ts'

/** What a walk over a parsed value found that JSON or the database cannot hold. */
export interface Oddities {
  /** The number of entries of all objects; null where shared nodes make it meaningless. */
  readonly entries: number | null
  readonly found: readonly { readonly kind: 'nul' | 'not-finite'; readonly path: Path }[]
}

const mostReported = 20

const isOdd = (value: Json): boolean =>
  typeof value === 'string' ? value.includes('\0') : typeof value === 'number' && !Number.isFinite(value)

/**
 * Counts the entries of all objects, says whether anything odd is among the values, and gathers the references that are
 * written in them, on one way through the value. Each object once where `seen` is given; then references are gathered elsewhere.
 */
class Census {
  entries = 0
  odd = false
  private references = new Set<string>()
  private readonly seen: Set<object> | null
  constructor(seen: Set<object> | null) {
    this.seen = seen
  }

  visit(node: Json, depth = 0): void {
    if (typeof node !== 'object' || node === null) {
      if (isOdd(node)) this.odd = true
      return
    }
    if (this.seen !== null) {
      if (this.seen.has(node)) return
      this.seen.add(node)
      this.enter(node, depth)
    } else if (depth > deepestKept) this.enter(node, depth)
    else {
      const around = this.references
      this.references = new Set()
      this.enter(node, depth)
      rememberReferences(node, this.references)
      for (const it of this.references) around.add(it)
      this.references = around
    }
  }

  private enter(node: object, depth: number): void {
    if (Array.isArray(node)) {
      // Of a list, the references are kept as a whole.
      for (let index = 0; index < node.length; index++) this.visit(node[index] as Json, deepestKept + 1)
      return
    }
    const map = node as { readonly [key: string]: Json }
    for (const key in map) {
      const child = map[key] as Json
      this.entries++
      if (key === '$ref' && typeof child === 'string') this.references.add(child)
      this.visit(child, depth + 1)
    }
  }
}

function placesOfOdd(value: Json, seen: Set<object>): Oddities['found'] {
  const found: { kind: 'nul' | 'not-finite'; path: Path }[] = []
  const path: (string | number)[] = []
  const visit = (node: Json): void => {
    if (found.length === mostReported) return
    if (isOdd(node)) found.push({ kind: typeof node === 'string' ? 'nul' : 'not-finite', path: [...path] })
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    for (const [key, child] of Object.entries(node)) {
      path.push(Array.isArray(node) ? Number(key) : key)
      visit(child)
      path.pop()
    }
  }
  visit(value)
  return found
}

/**
 * Counts the entries of a value and finds numbers that are not finite and strings with NUL. `shared` says that nodes may occur at
 * several places (YAML aliases): each is then visited once, and the count is null.
 */
export const findOddities = (value: Json, shared: boolean): Oddities => {
  const census = new Census(shared ? new Set() : null)
  census.visit(value)
  return {
    entries: shared ? null : census.entries,
    found: census.odd ? placesOfOdd(value, new Set()) : [],
  }
}

/**
 * The nodes whose key occurred before in the same map. `entries` is the count in the value: where it equals the count in the text
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
