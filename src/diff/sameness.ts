import { isExact } from '../document/exact.ts'
import { isObject } from '../kernel/json.ts'
import type { Json } from '../kernel/json.ts'
import { hasKeywords, roleOf } from '../document/references-in-document.ts'
import type { Role } from '../document/references-in-document.ts'
import { Family, mappedReference } from './family.ts'
import type { PlacedValue, Side } from './side.ts'

/**
 * Knows which parts of two documents are the same, references included: most of two revisions is, and need not be compared.
 * A reference is clean when what it names is written the same on both sides and reaches clean references only.
 */
export class Sameness {
  private readonly clean = new Set<string>()
  private readonly comparable: boolean
  private readonly equality: Equality
  private readonly role: Role
  private readonly families: readonly [Family, Family]
  private readonly shared = new WeakMap<object, boolean>()

  constructor(base: Side, head: Side) {
    this.comparable = base.dialect === head.dialect
    this.equality = new Equality(base.dialect === 'swagger-2.0')
    this.role = base.isApi ? 'node' : 'schema'
    this.families = [new Family(base), new Family(head)]
    if (!this.comparable) return
    const users = new Map<string, string[]>()
    const dirty: string[] = []
    const seen = new Set<string>()
    const queue: string[] = collectRefs(base.root, base.dialect === 'swagger-2.0')
    for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
      if (seen.has(ref)) continue
      seen.add(ref)
      const a = base.find(ref)
      const b = head.find(ref)
      const refs: string[] = []
      // What cannot be resolved is not known to be the same, even if nothing says that it differs.
      const equal = a !== null && b !== null && this.equality.equal(a.value, b.value, 'node', refs)
      // A schema with a discriminator includes those that extend it.
      for (const family of this.families) refs.push(...family.extensionsOf(ref))
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

  /** Whether two schemas are written the same and mean the same, with all that extend them. */
  sameSchema(a: PlacedValue, b: PlacedValue): boolean {
    if (!this.same(a.value, b.value)) return false
    if (this.families.every((it) => it.isAlone)) return true
    const extensions = [...this.families[0].extensionsAt(a), ...this.families[1].extensionsAt(b)]
    return extensions.every((ref) => this.clean.has(ref))
  }

  /** Whether two values are written the same and mean the same. */
  same(a: Json, b: Json): boolean {
    if (!this.comparable) return false
    if (a !== b || typeof a !== 'object' || a === null) return this.isSame(a, b)
    // One object of both documents: only where its references lead can differ, and it is asked for at many places.
    let known = this.shared.get(a)
    if (known === undefined) this.shared.set(a, (known = this.isSame(a, b)))
    return known
  }

  private isSame(a: Json, b: Json): boolean {
    const refs: string[] = []
    return this.equality.equal(a, b, this.role, refs) && refs.every((ref) => this.clean.has(ref))
  }
}

/** Every reference of a document, where it is one. */
const collectRefs = (root: Json, swagger: boolean): string[] => {
  const refs: string[] = []
  const seen = new Map<Role, Set<Json>>()
  const visit = (value: Json, role: Role): void => {
    if (role === 'data' || typeof value !== 'object' || value === null) return
    let known = seen.get(role)
    if (!known) seen.set(role, (known = new Set()))
    if (known.has(value)) return
    known.add(value)
    if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it, role)
    else if (isObject(value)) {
      if (typeof value.$ref === 'string' && hasKeywords(role)) refs.push(value.$ref)
      for (const key in value) {
        const it = value[key]!
        if (typeof it === 'object') visit(it, roleOf(key, it, role, swagger))
      }
    }
  }
  visit(root, 'node')
  return refs
}

/** Lists whose order says nothing where they are keywords. */
const unordered: ReadonlySet<string> = new Set(['required', 'enum', 'type', 'allOf', 'anyOf', 'oneOf', 'parameters'])
/** Longer lists in another order are compared part by part elsewhere. */
const longest = 300

const none: readonly string[] = []

/** Compares values by their meaning: what is a keyword, and what is data, is reported by the role of the place. */
class Equality {
  private readonly swagger: boolean
  /** The references in what both documents share, by the role that it was found in. */
  private readonly found = new Map<Role, WeakMap<object, readonly string[]>>()

  constructor(swagger: boolean) {
    this.swagger = swagger
  }

  /** Equality, the order of keys and of some lists aside; gathers the references on the way. */
  equal(a: Json, b: Json, role: Role, refs: string[]): boolean {
    if (role === 'data') return isSameValue(a, b)
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b
    if (a === b) {
      for (const ref of this.refsIn(a, role)) refs.push(ref)
      return true
    }
    if (Array.isArray(a)) {
      const other = b as readonly Json[]
      if (!Array.isArray(b) || a.length !== other.length) return false
      return (a as readonly Json[]).every((it, i) => this.equal(it, other[i]!, role, refs))
    }
    if (!isObject(a) || !isObject(b) || isExact(a) || isExact(b)) return isSameValue(a, b)
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    const keyworded = hasKeywords(role)
    for (const key of keys) {
      const left = a[key]!
      const right = b[key]
      if (right === undefined) return false
      if (keyworded && key === '$ref' && typeof left === 'string') refs.push(left)
      if (keyworded && key === 'discriminator') refs.push(...mappedIn(left))
      const inner = roleOf(key, left, role, this.swagger)
      if (keyworded && role !== 'stray' && unordered.has(key) && Array.isArray(left) && Array.isArray(right)) {
        if (left.length !== right.length || !this.equalUnordered(left, right, inner, refs)) return false
      } else if (!this.equal(left, right, inner, refs)) return false
    }
    return true
  }

  /** The references in a value, each once: those that a comparison of it with itself gathers. */
  private refsIn(value: Json, role: Role): readonly string[] {
    if (role === 'data' || typeof value !== 'object' || value === null || isExact(value)) return none
    let found = this.found.get(role)
    if (!found) this.found.set(role, (found = new WeakMap()))
    const known = found.get(value)
    if (known) return known
    const refs = new Set<string>()
    const take = (it: Json, inner: Role): void => {
      if (typeof it === 'object') for (const ref of this.refsIn(it, inner)) refs.add(ref)
    }
    if (Array.isArray(value)) for (const it of value as readonly Json[]) take(it, role)
    else if (isObject(value)) {
      const keyworded = hasKeywords(role)
      for (const key in value) {
        const it = value[key]!
        if (keyworded && key === '$ref' && typeof it === 'string') refs.add(it)
        if (keyworded && key === 'discriminator') for (const ref of mappedIn(it)) refs.add(ref)
        take(it, roleOf(key, it, role, this.swagger))
      }
    }
    const made = refs.size === 0 ? none : [...refs]
    found.set(value, made)
    return made
  }

  /** Equality of lists in any order. What has another digest is another value, so few pairs are looked at in full. */
  private equalUnordered(a: readonly Json[], b: readonly Json[], role: Role, refs: string[]): boolean {
    const same = (left: Json, right: Json): boolean => {
      if (left === right) return this.equal(left, right, role, refs)
      const found: string[] = []
      const equal = digestOf(left) === digestOf(right) && this.equal(left, right, role, found)
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

/** The schemas that a discriminator names. */
const mappedIn = (discriminator: Json): readonly string[] =>
  isObject(discriminator) && isObject(discriminator.mapping)
    ? Object.values(discriminator.mapping).flatMap((it) => (typeof it === 'string' ? [mappedReference(it)] : []))
    : none

/** Whether two values are equal as data: the order of keys aside, lists in their order, numbers by their decimal value. */
export const isSameValue = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === undefined || b === undefined || a === null || b === null) return a === b
  if (typeof a !== 'object' || typeof b !== 'object' || a === b) return a === b
  if (Array.isArray(a)) {
    const other = b as readonly Json[]
    if (!Array.isArray(b) || a.length !== other.length) return false
    return (a as readonly Json[]).every((it, i) => isSameValue(it, other[i]))
  }
  if (isExact(a) || isExact(b)) return isExact(a) && isExact(b) && a.text === b.text
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameValue(a[key], b[key]))
  )
}
