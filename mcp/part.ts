import { isObject, type Json, type JsonObject } from '../src/kernel/json.ts'
import type { SpecPart } from '../src/api/specs.ts'
import { SvcError } from '../src/errors.ts'
import { getPath, parsePointer } from '../src/kernel/pointer.ts'
import { cutAway, cutBelow, cutsIn, deepestCut, essence, replySize } from './budget.ts'

export interface PartAnswer {
  spec: string
  name: string
  pointer: string
  definition: unknown
  /** What the definition refers to, by its "$ref" text: nearest first. */
  referenced: Record<string, unknown>
  /** "$ref" texts of what is not shown here. */
  not_shown: string[]
  total: number
  truncated: boolean
  next_cursor: string | null
}

/** Replaces references by what they refer to, `depth` levels deep; inside of itself a definition stays a reference. */
function inlined(
  value: Json,
  referenced: Readonly<Record<string, unknown>>,
  depth: number,
  open: readonly string[],
): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => inlined(item, referenced, depth, open))
  if (!isObject(value)) return value
  const ref = value.$ref
  if (typeof ref === 'string' && Object.hasOwn(referenced, ref) && depth > 0 && !open.includes(ref)) {
    const target = inlined(referenced[ref] as Json, referenced, depth - 1, [...open, ref])
    const { $ref: _, ...beside } = value
    return isObject(target) ? { ...target, ...beside } : target
  }
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inlined(child, referenced, depth, open)]))
}

const refsIn = (value: Json, found: Set<string> = new Set()): Set<string> => {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) refsIn(item, found)
  else if (isObject(value)) {
    if (typeof value.$ref === 'string') found.add(value.$ref)
    for (const child of Object.values(value)) refsIn(child, found)
  }
  return found
}

/** How far earlier answers came: `shown` of what belongs to the definition, which was cut at `depth`. */
interface Place {
  readonly depth: number | null
  readonly shown: number
}

function readCursor(cursor: string): Place {
  const match = /^(?:refs|cut-(\d{1,2}))-(\d{1,6})$/.exec(cursor)
  if (!match) throw new SvcError('cursor-invalid')
  return { depth: match[1] === undefined ? null : Number(match[1]), shown: Number(match[2]) }
}

const writeCursor = ({ depth, shown }: Place): string => `${depth === null ? 'refs' : `cut-${depth}`}-${shown}`

/** Names are listed as far as this many; the rest is counted in `total` and reached by the cursor. */
const namesShown = 30

interface Bounds {
  readonly detail: 'operation' | 'full'
  readonly refs: 'keep' | 'inline'
  readonly cursor?: string
  readonly budgetBytes: number
}

/** A definition in the detail that was asked for, and what belongs to it in the order of the answers. */
class PartPages {
  readonly #part: SpecPart
  readonly isFull: boolean
  readonly value: Json
  readonly #depth: number | null
  readonly #names: readonly string[]
  readonly #rest: readonly string[]
  readonly #total: number

  constructor(part: SpecPart, full: boolean, depth: number | null) {
    this.#part = part
    this.isFull = full
    this.value = this.shape(part.value)
    this.#depth = depth
    const cuts = depth === null ? [] : cutsIn(cutBelow(this.value, depth, part.pointer))
    this.#names = [...cuts, ...Object.keys(part.referenced)]
    this.#rest = [...this.#names, ...part.omitted]
    this.#total = cuts.length + part.total
  }

  shape(value: unknown): Json {
    return this.isFull ? (value as Json) : essence(value as Json)
  }

  /** The answer with these definitions, when `from` of all have been shown. */
  answer(definition: Json, referenced: JsonObject, from: number, isFirst: boolean): PartAnswer {
    const missing = this.#rest.slice(from)
    // What the service left out follows what it sent, so that the same count continues there.
    const goesOn = missing.length > 0 && (from < this.#names.length || isFirst)
    return {
      spec: this.#part.spec,
      name: this.#part.name,
      pointer: this.#part.pointer,
      definition,
      referenced: { ...referenced },
      not_shown: missing.slice(0, namesShown),
      total: this.#total,
      truncated: missing.length > 0,
      next_cursor: goesOn ? writeCursor({ depth: this.#depth, shown: from }) : null,
    }
  }

  /** The definitions from a count on, as many as fit beside the first; one that alone is too large is cut. */
  fill(definition: Json, from: number, isFirst: boolean, fits: (it: object) => boolean): PartAnswer {
    const referenced: Record<string, Json> = {}
    let index = from
    for (; index < this.#names.length; index++) {
      const name = this.#names[index] ?? ''
      const whole = this.#definitionOf(name)
      const withIt = (it: Json) => this.answer(definition, { ...referenced, [name]: it }, index + 1, isFirst)
      if (fits(withIt(whole))) referenced[name] = whole
      else if (Object.keys(referenced).length > 0 || isFirst) break
      else referenced[name] = deepestCut(whole, name.replace(/^#/, ''), (cut) => fits(withIt(cut))).cut ?? cutAway(name)
    }
    return this.answer(definition, referenced, index, isFirst)
  }

  #definitionOf(name: string): Json {
    if (Object.hasOwn(this.#part.referenced, name)) return this.shape(this.#part.referenced[name])
    // A piece of the definition itself: its address begins with that of the definition.
    const path = parsePointer(name.slice(1 + this.#part.pointer.length))
    return (path && getPath(this.value, path)) ?? null
  }
}

/**
 * An operation or schema with what it refers to, within the budget. The definition comes first, then the nearest
 * definitions as whole ones; the cursor continues with those that did not fit. What alone is larger than the budget is cut
 * at a depth, with the `$ref` of each cut piece in its place, and the cursor continues with the pieces.
 */
export function boundPart(part: SpecPart, options: Bounds): PartAnswer {
  const fits = (it: object) => replySize(it) <= options.budgetBytes
  const full = options.detail === 'full'
  if (options.cursor !== undefined) {
    const { depth, shown } = readCursor(options.cursor)
    return new PartPages(part, full, depth).fill(null, shown, false, fits)
  }
  const pages = new PartPages(part, full, null)
  if (options.refs === 'inline') return inlineAnswer(part, pages, options.budgetBytes)
  return firstAnswer(part, pages, options.budgetBytes)
}

function firstAnswer(part: SpecPart, pages: PartPages, budgetBytes: number): PartAnswer {
  const fits = (it: object) => replySize(it) <= budgetBytes
  const whole = pages.answer(pages.value, {}, 0, true)
  if (fits(whole)) return pages.fill(pages.value, 0, true, fits)
  // A cut leaves more names behind than a whole definition: room for them is kept free.
  const names = 'x'.repeat(Math.min(namesShown * 60, Math.floor(budgetBytes / 8)))
  const { cut, depth } = deepestCut(pages.value, part.pointer, (it) =>
    fits({ ...pages.answer(it, {}, 0, true), names }),
  )
  const answer = new PartPages(part, pages.isFull, depth).answer(cut, {}, 0, true)
  return fits(answer) ? answer : { ...answer, not_shown: [] }
}

/** The definition with its references replaced as deep as the budget allows; the cursor continues with what they refer to. */
function inlineAnswer(part: SpecPart, pages: PartPages, budgetBytes: number): PartAnswer {
  const referenced = Object.fromEntries(Object.entries(part.referenced).map(([name, it]) => [name, pages.shape(it)]))
  const answer = (definition: Json): PartAnswer => {
    const left = [...refsIn(definition)]
    return {
      ...pages.answer(definition, {}, 0, true),
      not_shown: left.slice(0, namesShown),
      truncated: left.length > 0,
      next_cursor: left.length > 0 ? writeCursor({ depth: null, shown: 0 }) : null,
    }
  }
  let best: PartAnswer | null = null
  for (let depth = 0; depth <= 8; depth++) {
    const next = answer(inlined(pages.value, referenced, depth, []))
    if (replySize(next) > budgetBytes) break
    best = next
    if (next.not_shown.length === 0) break
  }
  return best ?? firstAnswer(part, pages, budgetBytes)
}
