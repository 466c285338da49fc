/** What became of a node that is no longer where its name says: renamed siblings, moved operations. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { canonicalize } from '../document/serialize.ts'
import { methods } from '../kernel/methods.ts'
import { objectAt } from './key.ts'
import { itemNames } from './list-items.ts'

// Less says too little to know a node by: `{"type": "string"}` is everywhere.
const fewestCharacters = 60
// Two nodes are taken for the same one if at least this share of their entries is equal.
const enoughShared = 0.6
const fewestShared = 2
// More pairs than these are not compared: in such a container everything is new.
const mostPairs = 100_000

/** Whether there is enough in a value to know it by. */
export const isTelling = (text: string): boolean => text.length >= fewestCharacters

/** A child of a list or an object that the other document does not have by the name it has there. */
interface Child {
  readonly name: string
  readonly step: string | number
  readonly text: string
  readonly entries: ReadonlySet<string>
}

const entriesOf = (node: Json): ReadonlySet<string> =>
  new Set(
    !isObject(node)
      ? []
      : Object.entries(node).flatMap(([key, child]) =>
          isObject(child) && (key === 'properties' || key === 'responses')
            ? Object.keys(child).map((it) => `${key}/${it}`)
            : [`${key} ${canonicalize(child)}`],
        ),
  )

const likeness = (a: Child, b: Child): number => {
  let shared = 0
  for (const entry of a.entries) if (b.entries.has(entry)) shared++
  return shared < fewestShared ? 0 : shared / (a.entries.size + b.entries.size - shared)
}

const namesIn = (node: Json): readonly string[] => {
  if (Array.isArray(node)) return itemNames(node as readonly Json[]).names
  return isObject(node) ? Object.keys(node) : []
}

const childrenOf = (node: Json, except: ReadonlySet<string>): Child[] =>
  namesIn(node).flatMap((name, at) => {
    if (except.has(name)) return []
    const step = Array.isArray(node) ? at : name
    const value = (node as Record<string | number, Json>)[step] as Json
    return [{ name, step, text: canonicalize(value), entries: entriesOf(value) }]
  })

/** The child of `added` that a child of `gone` became; null where that is not certain. */
function successorOf(lost: Child, gone: readonly Child[], added: readonly Child[]): string | number | null {
  if (!isTelling(lost.text)) return null
  const equal = added.filter((it) => it.text === lost.text)
  if (equal.length > 0) {
    const isOnly = equal.length === 1 && gone.filter((it) => it.text === lost.text).length === 1
    return isOnly ? (equal[0] as Child).step : null
  }
  let best: Child | null = null
  let [share, next] = [0, 0]
  for (const it of added) {
    const found = likeness(lost, it)
    if (found > share) [best, next, share] = [it, share, found]
    else if (found > next) next = found
  }
  if (best === null || share < enoughShared || share === next) return null
  const winner = best
  // Another one that is gone may be what it was made of.
  return gone.some((it) => it !== lost && likeness(it, winner) >= share) ? null : winner.step
}

/** Finds what was renamed between two documents; each pair of containers is looked at once. */
export class Renames {
  readonly #found = new Map<Json, ReadonlyMap<string, string | number | null>>()

  /**
   * The step in `head` that a child which is gone from `base` became: the only one with the same content, else the one that
   * is clearly most like it. Null where that is not certain.
   * @param name the name that the child has in `base`
   */
  find(base: Json, head: Json, name: string): string | number | null {
    let known = this.#found.get(base)
    if (known === undefined) {
      const [before, after] = [new Set(namesIn(base)), new Set(namesIn(head))]
      const gone = childrenOf(base, after)
      const added = childrenOf(head, before)
      const isTooMany = gone.length * added.length > mostPairs
      known = new Map(isTooMany ? [] : gone.map((it) => [it.name, successorOf(it, gone, added)]))
      this.#found.set(base, known)
    }
    return known.get(name) ?? null
  }
}

/** Every operation of a document with its path. */
export function* operationsOf(document: Json): Generator<{ readonly path: Path; readonly value: JsonObject }> {
  for (const [template, item] of Object.entries(objectAt(document, ['paths']) ?? {}))
    for (const method of methods) {
      const value = isObject(item) ? item[method] : undefined
      if (isObject(value)) yield { path: ['paths', template, method], value }
    }
}

/** The operations of two documents by `operationId`, as far as it is there once, and those of the head alone by content. */
export class OperationMoves {
  readonly #byId = new Map<string, Path | null>()
  readonly #byText = new Map<string, Path | null>()

  constructor(base: Json, head: Json) {
    const before = new Set(Array.from(operationsOf(base), ({ path }) => path.join(' ')))
    for (const { path, value } of operationsOf(head)) {
      if (before.has(path.join(' '))) continue
      const { operationId } = value
      if (typeof operationId === 'string') this.#byId.set(operationId, this.#byId.has(operationId) ? null : path)
      const text = canonicalize(value)
      this.#byText.set(text, this.#byText.has(text) ? null : path)
    }
  }

  /** Where an operation went that is no longer at its path; null where that is not certain. */
  find(operation: Json): Path | null {
    if (!isObject(operation)) return null
    const { operationId } = operation
    const named = typeof operationId === 'string' ? this.#byId.get(operationId) : undefined
    if (named) return named
    const text = canonicalize(operation)
    return isTelling(text) ? (this.#byText.get(text) ?? null) : null
  }
}
