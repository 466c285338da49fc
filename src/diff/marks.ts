import { isObject } from '../kernel/json.ts'
import type { Json } from '../kernel/json.ts'

interface Seen {
  readonly refs: readonly string[]
  readonly marked: boolean
}

const blank: Seen = { refs: [], marked: false }
const bare: Seen = { refs: [], marked: true }

/** Knows which schemas of a document hold, themselves or by reference, a property that is sent in one direction only. */
export class Marks {
  private readonly seen = new WeakMap<object, Seen>()
  private readonly marked = new Map<string, boolean>()
  private readonly find: (ref: string) => Json | undefined

  constructor(find: (ref: string) => Json | undefined) {
    this.find = find
  }

  isMarked(schema: Json): boolean {
    const { marked, refs } = this.look(schema)
    return marked || refs.some((ref) => this.isRefMarked(ref))
  }

  private isRefMarked(ref: string): boolean {
    // Everything that is reached is looked at once; when nothing in it is marked, none of it is.
    const reached = new Set([ref])
    let answer = false
    for (const it of reached) {
      const before = this.marked.get(it)
      if (before === false) continue
      const target = before ? null : this.look(this.find(it) ?? null)
      if (before || target?.marked) {
        answer = true
        break
      }
      for (const next of target?.refs ?? []) reached.add(next)
    }
    if (answer) this.marked.set(ref, true)
    else for (const it of reached) this.marked.set(it, false)
    return answer
  }

  /** What a schema says without following its references. */
  private look(schema: Json): Seen {
    if (typeof schema !== 'object' || schema === null) return blank
    const known = this.seen.get(schema)
    if (known) return known
    const refs = new Set<string>()
    let marked = false
    const take = (json: Json): void => {
      if (typeof json !== 'object' || json === null) return
      const inner = this.look(json)
      for (const ref of inner.refs) refs.add(ref)
      if (inner.marked) marked = true
    }
    if (Array.isArray(schema)) for (const it of schema as readonly Json[]) take(it)
    else if (isObject(schema))
      for (const key in schema) {
        const it = schema[key]!
        if (key === '$ref' && typeof it === 'string') refs.add(it)
        else if ((key === 'readOnly' || key === 'writeOnly') && it === true) marked = true
        else take(it)
      }
    const made = refs.size > 0 ? { refs: [...refs], marked } : marked ? bare : blank
    this.seen.set(schema, made)
    return made
  }
}
