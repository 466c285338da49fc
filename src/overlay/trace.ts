/** Overlays applied to a document that afterwards knows where each of its nodes was written: in its own file, or in an overlay. */
import type { Document } from '../document/document.ts'
import { isSameRange, type Range } from '../document/position.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import { alignLists } from '../patch/align.ts'
import { rewriteDocument } from '../patch/rewrite.ts'
import { applyToValue, type AppliedAction } from './apply.ts'
import type { Overlay, OverlayAction } from './read.ts'

/** Where a node was written. */
export interface WrittenNode {
  /** The document before overlays, or an overlay. */
  readonly document: Document
  readonly path: Path
  /** Whether an overlay made it. */
  readonly isOverlay: boolean
}

/** A document after overlays. Its text and its positions are those that the overlays made. */
export interface OverlaidDocument extends Document {
  /** Where the node at a path was written; for one that does not exist, its nearest existing ancestor. */
  writtenAt(path: Path): WrittenNode
}

export const isOverlaid = (document: Document): document is OverlaidDocument => 'writtenAt' in document

/** One action that changed something, and the values before and after it. */
interface Stage {
  readonly overlay: Overlay
  readonly action: OverlayAction
  readonly before: Json
  readonly after: Json
}

/** What is below a node by one step; undefined where nothing is. */
function childOf(value: Json, step: string | number): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(step)]
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** The path as far as it leads to something. */
function existing(value: Json, path: Path): Path {
  let at: Json | undefined = value
  for (const [length, step] of path.entries()) {
    at = childOf(at, step)
    if (at === undefined) return path.slice(0, length)
  }
  return path
}

class Trace {
  readonly #document: Document
  readonly #stages: readonly Stage[]
  readonly #value: Json
  readonly #lists = new WeakMap<object, ReadonlyMap<number, number>>()
  readonly #targets = new Map<Stage, readonly Path[]>()

  constructor(document: Document, stages: readonly Stage[], value: Json) {
    this.#document = document
    this.#stages = stages
    this.#value = value
  }

  writtenAt(asked: Path): WrittenNode {
    let path = existing(this.#value, asked)
    for (const stage of this.#stages.toReversed()) {
      const earlier = this.#before(stage, path)
      if (earlier === null)
        return { document: stage.overlay.document, path: this.#pathIn(stage, path), isOverlay: true }
      path = earlier
    }
    return { document: this.#document, path, isOverlay: false }
  }

  /** The path that a node had before an action; null where the action made it. */
  #before({ before, after }: Stage, path: Path): Path | null {
    const found: (string | number)[] = []
    let [older, newer]: [Json | undefined, Json | undefined] = [before, after]
    for (const step of path) {
      if (older === newer) return [...found, ...path.slice(found.length)]
      if (older === undefined || newer === undefined) return null
      const same = this.#stepBefore(older, newer, step)
      if (same === null) return null
      found.push(same)
      older = childOf(older, same)
      newer = childOf(newer, step)
    }
    const isKept = older === newer || (isObject(older) && isObject(newer))
    return isKept || (Array.isArray(older) && Array.isArray(newer)) ? found : null
  }

  #stepBefore(older: Json, newer: Json, step: string | number): string | number | null {
    if (Array.isArray(older) && Array.isArray(newer)) return this.#positions(older, newer).get(Number(step)) ?? null
    return isObject(older) && isObject(newer) && Object.hasOwn(older, step) ? step : null
  }

  #positions(older: readonly Json[], newer: readonly Json[]): ReadonlyMap<number, number> {
    const known = this.#lists.get(newer)
    if (known !== undefined) return known
    const made = new Map<number, number>()
    for (const step of alignLists(older, newer))
      if (step.before !== null && step.after !== null) made.set(step.after, step.before)
    this.#lists.set(newer, made)
    return made
  }

  #targetsOf(stage: Stage): readonly Path[] {
    let known = this.#targets.get(stage)
    if (known === undefined)
      this.#targets.set(stage, (known = stage.action.target.select(stage.before).map((it) => it.path)))
    return known
  }

  /** Where an overlay says what a node is that one of its actions made. */
  #pathIn(stage: Stage, path: Path): Path {
    const { change, index } = stage.action
    if (change?.kind !== 'update') return ['actions', index, change?.kind ?? 'target']
    const at: (string | number)[] = ['actions', index, 'update']
    const holders = this.#targetsOf(stage).filter((it) =>
      it.every((step, depth) => String(step) === String(path[depth])),
    )
    const [holder] = holders.toSorted((a, b) => b.length - a.length)
    if (holder === undefined) return at
    let value: Json = change.value
    let old = getPath(stage.before, holder)
    for (const step of path.slice(holder.length)) {
      const isAdded = Array.isArray(old) && !Array.isArray(value)
      // The update of a list that is no list itself is one item of it.
      if (!isAdded) {
        const own: string | number = Array.isArray(value) && Array.isArray(old) ? Number(step) - old.length : step
        const next = childOf(value, own)
        if (next === undefined) break
        at.push(own)
        value = next
      }
      old = isObject(old) ? childOf(old, step) : undefined
    }
    return at
  }
}

/**
 * A document after overlays, as `applyOverlay` makes it, which knows where its nodes were written.
 * @param overlays in the order in which they are applied
 * @returns the document, with each action and how many nodes it selected
 * @throws SvcError `overlay-failed` for an action that does not fit the document, with its place
 */
export function traceOverlays(
  document: Document,
  overlays: readonly Overlay[],
): { readonly document: OverlaidDocument; readonly actions: readonly AppliedAction[] } {
  let { value } = document
  const stages: Stage[] = []
  const actions: AppliedAction[] = []
  for (const overlay of overlays)
    for (const action of overlay.actions) {
      const before = value
      const done = applyToValue(before, [{ ...overlay, actions: [action] }])
      actions.push(...done.actions)
      value = done.value
      if (value !== before) stages.push({ overlay, action, before, after: value })
    }
  const made = value === document.value ? document : rewriteDocument(document, value)
  const trace = new Trace(document, stages, value)
  return { document: { ...made, writtenAt: (path) => trace.writtenAt(path) }, actions }
}

const views = [{}, { key: true }, { spectral: true }, { key: true, spectral: true }] as const

/** Where something that is said of a document after overlays is shown. */
export interface ShownPlace {
  /** The overlay that made the node; null where it is in the file of the document. */
  readonly overlay: string | null
  readonly range: Range
}

/**
 * Where a node of a document after overlays was written.
 * @param range what was said of it in the document: its value, its key, or all that Spectral counts to it
 */
export function shownPlace(document: OverlaidDocument, path: Path, range: Range): ShownPlace {
  const view = views.find((it) => isSameRange(document.locate(path, it), range)) ?? {}
  const written = document.writtenAt(path)
  return {
    overlay: written.isOverlay ? written.document.source : null,
    range: written.document.locate(written.path, view),
  }
}
