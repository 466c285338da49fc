import type { Json, Path } from '../kernel/json.ts'
import { followPath, formatPointer } from '../kernel/pointer.ts'
import { canonicalize, digestText } from '../document/serialize.ts'
import { findEqual } from './equal-nodes.ts'
import { findHead, findStep, keyOf, partsOf, resolveKey, type KeyParts } from './key.ts'
import { isTelling, OperationMoves, Renames } from './renames.ts'

/** Whether the place of an anchor is still there: at its key, elsewhere, or not at all. */
export const anchorStates = ['anchored', 'moved', 'outdated'] as const
export type AnchorState = (typeof anchorStates)[number]

/** An anchor that is to be found again. */
export interface Sought {
  /** The key that it was made with. */
  readonly key: string
  readonly nodeDigest: string
  /** Its key in the base; null if it was not there any more. */
  readonly lastKey: string | null
}

/** Where an anchor is now. */
export interface AnchorPosition {
  readonly state: AnchorState
  /** The key there; of the nearest ancestor that is left if the state is `outdated`. */
  readonly key: string
  readonly pointer: string
}

interface Step {
  readonly path: Path
  /** False: this is the nearest ancestor that is left. */
  readonly isWhole: boolean
  /** Whether something on the way was found by its content and not by its name. */
  readonly isGuessed: boolean
}

const valueAt = (document: Json, path: Path): Json => followPath(document, path)?.value ?? null
const childAt = (node: Json, step: string | number): Json => (node as Record<string | number, Json>)[step] as Json

/** Goes from base to head step by step, and looks at content where a name is gone. */
class Walk {
  readonly #base: Json
  readonly #head: Json
  readonly #renames = new Renames()
  #moves: OperationMoves | null = null

  constructor(base: Json, head: Json) {
    this.#base = base
    this.#head = head
  }

  /** Follows a key of the base into the head. */
  follow(key: string): Step {
    const parts = partsOf(key)
    const baseHead = findHead(this.#base, parts.head) ?? []
    const start = this.#start(parts, baseHead)
    if (start === null) return { path: this.#living(baseHead), isWhole: false, isGuessed: true }
    let { isGuessed } = start
    const path = [...start.path]
    let [before, after] = [valueAt(this.#base, baseHead), valueAt(this.#head, path)]
    for (const name of parts.steps) {
      const old = findStep(before, name)
      let step = findStep(after, name)
      if (step === null) {
        step = this.#renames.find(before, after, name)
        isGuessed = true
      }
      if (step === null || old === null) return { path, isWhole: false, isGuessed }
      path.push(step)
      ;[before, after] = [childAt(before, old), childAt(after, step)]
    }
    return { path, isWhole: true, isGuessed }
  }

  #start({ head }: KeyParts, base: Path): { path: Path; isGuessed: boolean } | null {
    const found = findHead(this.#head, head)
    if (found !== null) return { path: found, isGuessed: false }
    if (head.startsWith('schema:')) return this.#renamedSchema(base)
    this.#moves ??= new OperationMoves(this.#base, this.#head)
    const moved = base.length === 3 ? this.#moves.find(valueAt(this.#base, base)) : null
    return moved === null ? null : { path: moved, isGuessed: true }
  }

  #renamedSchema(base: Path): { path: Path; isGuessed: boolean } | null {
    const container = base.slice(0, -1)
    const [before, after] = [valueAt(this.#base, container), valueAt(this.#head, container)]
    const step = this.#renames.find(before, after, String(base.at(-1)))
    return step === null ? null : { path: [...container, step], isGuessed: true }
  }

  /** As much of a path as the head has. */
  #living(path: Path): Path {
    for (let length = path.length; length > 0; length--)
      if (followPath(this.#head, path.slice(0, length)) !== null) return path.slice(0, length)
    return []
  }
}

/** For each node that is gone from where it was: the one other place that has the same content; null where there is none. */
function findMoved(base: Json, head: Json, lost: readonly (Json | undefined)[]): readonly (Path | null)[] {
  const isLooked = lost.map((it) => typeof it === 'object' && isTelling(canonicalize(it)))
  const values = lost.filter((_, at) => isLooked[at]) as Json[]
  if (values.length === 0) return lost.map(() => null)
  const [before, after] = [findEqual(base, values), findEqual(head, values)]
  let next = 0
  return isLooked.map((it) => {
    const at = it ? next++ : -1
    return before[at]?.length === 1 && after[at]?.length === 1 ? (after[at][0] ?? null) : null
  })
}

/**
 * Finds anchors again in a document that changed. `anchored`: the same key resolves. `moved`: it was renamed, or the
 * same content is in one other place and in no third. Else `outdated`, at the nearest ancestor that is left. What is not
 * certain is outdated; positions in lists alone never count.
 * @param base the document in which the anchors have their `lastKey`
 * @returns for each of `sought` where it is
 */
export function reanchor(base: Json, head: Json, sought: readonly Sought[]): AnchorPosition[] {
  const walk = new Walk(base, head)
  const steps = sought.map((it): Step => {
    if (it.lastKey !== null && resolveKey(base, it.lastKey) !== null) return walk.follow(it.lastKey)
    return restored(head, it)
  })
  const lost = sought.map(({ lastKey }, at) => {
    const path = steps[at]?.isWhole === false && lastKey !== null ? resolveKey(base, lastKey) : null
    return path === null ? undefined : valueAt(base, path)
  })
  const moved = findMoved(base, head, lost)
  return sought.map((entry, at) => {
    const step = steps[at] as Step
    const elsewhere = moved[at] ?? null
    const path = elsewhere ?? step.path
    const key = keyOf(head, path)
    const isFound = step.isWhole || elsewhere !== null
    const isSame = key === entry.key && !step.isGuessed && elsewhere === null
    return { state: isFound ? (isSame ? 'anchored' : 'moved') : 'outdated', key, pointer: formatPointer(path) }
  })
}

/** Looks for an anchor that was lost before: its own key may lead to the same content again. */
function restored(head: Json, { key, nodeDigest }: Sought): Step {
  const path = resolveKey(head, key)
  // Its old name may have been given to something else meanwhile.
  if (path !== null && digestText(canonicalize(valueAt(head, path))) === nodeDigest)
    return { path, isWhole: true, isGuessed: false }
  const { head: start, steps } = partsOf(key)
  const begin = findHead(head, start)
  if (begin === null) return { path: [], isWhole: false, isGuessed: true }
  const living = [...begin]
  let node = valueAt(head, begin)
  for (const name of steps) {
    const step = findStep(node, name)
    if (step === null) break
    living.push(step)
    node = childAt(node, step)
  }
  return { path: living, isWhole: false, isGuessed: true }
}
