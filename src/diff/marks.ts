import { isObject } from '../document/json.ts'
import type { Json } from '../document/json.ts'

interface Seen {
  readonly refs: readonly string[]
  readonly marked: boolean
}

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
    if (typeof schema !== 'object' || schema === null) return { refs: [], marked: false }
    const known = this.seen.get(schema)
    if (known) return known
    const refs: string[] = []
    let marked = false
    const visit = (value: Json): void => {
      if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it)
      else if (isObject(value)) {
        for (const key in value) {
          const it = value[key]!
          if (key === '$ref' && typeof it === 'string') refs.push(it)
          else if ((key === 'readOnly' || key === 'writeOnly') && it === true) marked = true
          else if (typeof it === 'object') visit(it)
        }
      }
    }
    visit(schema)
    const made = { refs: [...new Set(refs)], marked }
    this.seen.set(schema, made)
    return made
  }
}
