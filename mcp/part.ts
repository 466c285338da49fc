import { isObject, type Json, type JsonObject } from '../src/document/json.ts'
import type { SpecPart } from '../src/api/specs.ts'
import { SvcError } from '../src/errors.ts'
import { deepestCut, essence, replySize } from './budget.ts'

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

/** How many referenced definitions earlier answers have shown. */
function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return -1
  const match = /^refs-(\d{1,6})$/.exec(cursor)
  if (!match) throw new SvcError('cursor-invalid')
  return Number(match[1])
}

/** Names are listed as far as this many; the rest is counted in `total` and reached by the cursor. */
const namesShown = 30

/**
 * An operation or schema with what it refers to, within the budget. The definition comes first, then the nearest
 * definitions as whole ones; the cursor goes on with those that did not fit. What alone is larger than the budget is cut
 * at a depth, with the `$ref` of each cut part in its place.
 */
export function boundPart(
  part: SpecPart,
  options: {
    readonly detail: 'operation' | 'full'
    readonly refs: 'keep' | 'inline'
    readonly cursor?: string
    readonly budgetBytes: number
  },
): PartAnswer {
  const { budgetBytes, detail, refs } = options
  const shape = (value: unknown): Json => (detail === 'full' ? (value as Json) : essence(value as Json))
  const shown = readCursor(options.cursor)
  const names = Object.keys(part.referenced)
  const rest = [...names, ...part.omitted]
  const answer = (definition: Json, referenced: JsonObject, from: number): PartAnswer => {
    const missing = rest.slice(from)
    return {
      spec: part.spec,
      name: part.name,
      pointer: part.pointer,
      definition,
      referenced: { ...referenced },
      not_shown: missing.slice(0, namesShown),
      total: 1 + rest.length,
      truncated: missing.length > 0,
      // What the service left out follows what it sent, so that the same count goes on there.
      next_cursor: missing.length > 0 && (from < names.length || shown < 0) ? `refs-${from}` : null,
    }
  }
  const fits = (it: object) => replySize(it) <= budgetBytes
  const value = shape(part.value)
  if (refs === 'inline' && shown < 0) return inlineAnswer(part, value, shape, fits)
  let definition: Json = null
  if (shown < 0) {
    definition = deepestCut(value, part.pointer, (cut) => fits(answer(cut, {}, 0)))
    if (definition === null || definition !== value) return { ...answer(definition, {}, 0), truncated: true }
  }
  const referenced: Record<string, Json> = {}
  let index = Math.max(0, shown)
  for (; index < names.length; index++) {
    const name = names[index] ?? ''
    const whole = shape(part.referenced[name])
    const withIt = (it: Json) => answer(definition, { ...referenced, [name]: it }, index + 1)
    if (fits(withIt(whole))) referenced[name] = whole
    else if (Object.keys(referenced).length > 0 || shown < 0) break
    else referenced[name] = deepestCut(whole, name.replace(/^#/, ''), (cut) => fits(withIt(cut))) ?? null
  }
  return answer(definition, referenced, index)
}

/** The definition with its references replaced as deep as the budget allows. */
function inlineAnswer(
  part: SpecPart,
  value: Json,
  shape: (value: unknown) => Json,
  fits: (it: object) => boolean,
): PartAnswer {
  const referenced = Object.fromEntries(Object.entries(part.referenced).map(([name, it]) => [name, shape(it)]))
  const answer = (definition: Json): PartAnswer => {
    const left = [...refsIn(definition)]
    return {
      spec: part.spec,
      name: part.name,
      pointer: part.pointer,
      definition,
      referenced: {},
      not_shown: left.slice(0, namesShown),
      total: 1 + Object.keys(part.referenced).length + part.omitted.length,
      truncated: left.length > 0,
      next_cursor: null,
    }
  }
  let best: PartAnswer | null = null
  for (let depth = 0; depth <= 8; depth++) {
    const next = answer(inlined(value, referenced, depth, []))
    if (!fits(next)) break
    best = next
    if (next.not_shown.length === 0) break
  }
  if (best) return best
  return { ...answer(deepestCut(value, part.pointer, (cut) => fits(answer(cut)))), truncated: true }
}
