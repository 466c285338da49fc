import { isObject } from '../document/json.ts'
import type { Json } from '../document/json.ts'
import type { Side } from './side.ts'

/**
 * Knows which parts of two documents are the same, references included: most of two revisions is, and need not be compared.
 * A reference is clean when what it names is written the same on both sides and reaches clean references only.
 */
export class Sameness {
  private readonly clean = new Set<string>()
  private readonly comparable: boolean

  constructor(base: Side, head: Side) {
    this.comparable = base.dialect === head.dialect
    if (!this.comparable) return
    const users = new Map<string, string[]>()
    const dirty: string[] = []
    const seen = new Set<string>()
    const queue: string[] = collectRefs(base.root)
    for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
      if (seen.has(ref)) continue
      seen.add(ref)
      const a = base.find(ref)
      const b = head.find(ref)
      const refs: string[] = []
      // A reference that leads nowhere on both sides is equally unknown on both.
      const equal =
        a === null && b === null ? true : a !== null && b !== null && equalCollect(a.value, b.value, refs, unordered)
      if (!equal) dirty.push(ref)
      else {
        this.clean.add(ref)
        for (const used of refs) {
          const list = users.get(used)
          if (list) list.push(ref)
          else users.set(used, [ref])
          queue.push(used)
        }
      }
    }
    for (let ref = dirty.pop(); ref !== undefined; ref = dirty.pop()) {
      for (const user of users.get(ref) ?? []) if (this.clean.delete(user)) dirty.push(user)
    }
  }

  isClean(ref: string): boolean {
    return this.clean.has(ref)
  }

  /** Whether two values are written the same and mean the same. */
  same(a: Json, b: Json): boolean {
    if (!this.comparable) return false
    const refs: string[] = []
    return equalCollect(a, b, refs, unordered) && refs.every((ref) => this.clean.has(ref))
  }
}

const collectRefs = (root: Json): string[] => {
  const refs: string[] = []
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it)
    else if (isObject(value)) {
      for (const key in value) {
        const it = value[key]!
        if (key === '$ref' && typeof it === 'string') refs.push(it)
        else if (typeof it === 'object') visit(it)
      }
    }
  }
  visit(root)
  return refs
}

/** Lists whose order says nothing. */
const unordered: ReadonlySet<string> = new Set(['required', 'enum', 'type', 'allOf', 'anyOf', 'oneOf', 'parameters'])
/** Longer lists in another order are compared part by part elsewhere. */
const longest = 300

/** Equality of lists in any order. What has another digest is another value, so few pairs are looked at in full. */
const equalUnordered = (a: readonly Json[], b: readonly Json[], refs: string[], free: ReadonlySet<string>): boolean => {
  const same = (left: Json, right: Json): boolean => {
    const found: string[] = []
    const equal = digestOf(left) === digestOf(right) && equalCollect(left, right, found, free)
    if (equal) for (const ref of found) refs.push(ref)
    return equal
  }
  let first = 0
  while (first < a.length && same(a[first]!, b[first]!)) first++
  if (first === a.length) return true
  if (a.length > longest) return false
  const open = b.slice(first)
  return a.slice(first).every((it) => {
    const at = open.findIndex((other) => same(it, other))
    if (at >= 0) open.splice(at, 1)
    return at >= 0
  })
}

const digests = new WeakMap<object, number>()

/** A number that equal values have in common, whatever the order of their keys and items. */
const digestOf = (value: Json): number => {
  if (value === null || typeof value !== 'object') return digestOfText(`${typeof value} ${value}`)
  const known = digests.get(value)
  if (known !== undefined) return known
  let sum = Array.isArray(value) ? 7 : 11
  if (Array.isArray(value)) for (const it of value as readonly Json[]) sum = (sum + spread(digestOf(it))) | 0
  else if (isObject(value)) {
    for (const key in value) sum = (sum + spread(Math.imul(digestOfText(key), 31) + digestOf(value[key]!))) | 0
  }
  digests.set(value, sum)
  return sum
}

const digestOfText = (text: string): number => {
  let sum = text.length
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0
  return sum
}

/** Makes sums of what differs differ. */
const spread = (value: number): number => {
  const mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 13)
}

const none: ReadonlySet<string> = new Set()

/** Structural equality, the order of keys and of the lists in `free` aside; gathers the references on the way. */
const equalCollect = (a: Json, b: Json, refs: string[], free = none): boolean => {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b
  if (Array.isArray(a)) {
    const other = b as readonly Json[]
    if (!Array.isArray(b) || a.length !== other.length) return false
    return (a as readonly Json[]).every((it, i) => equalCollect(it, other[i]!, refs, free))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    const left = a[key]!
    const right = b[key]
    if (right === undefined) return false
    if (key === '$ref' && typeof left === 'string') refs.push(left)
    if (free.has(key) && Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length || !equalUnordered(left, right, refs, free)) return false
    } else if (!equalCollect(left, right, refs, free)) return false
  }
  return true
}

/** Whether two values are equal, the order of keys aside. */
export const isSameValue = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : equalCollect(a, b, [])
