/** An overlay applied to a document: its actions in order, each on what the one before it made. */
import type { Document } from '../document/document.ts'
import { defaultLimits } from '../document/limits.ts'
import { SvcError } from '../errors.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { rewriteDocument } from '../patch/rewrite.ts'
import { Draft } from './draft.ts'
import { QueryInvalid, type Query, type Selected } from './jsonpath.ts'
import { mergedMembers, mergeUpdate, nodeKindOf, UpdateMismatch } from './merge-update.ts'
import type { Overlay, OverlayAction } from './read.ts'

/** What one action did. */
export interface AppliedAction {
  /** The source of its overlay, and its position in it. */
  readonly overlay: string
  readonly index: number
  readonly target: string
  readonly kind: 'update' | 'copy' | 'remove' | 'none'
  /** How many nodes it selected; an action that selects none changes nothing. */
  readonly matches: number
  /** The pointers of the first of them, as they were ahead of the action. */
  readonly places: readonly string[]
}

/** A value after overlays, and what each action did. */
export interface OverlaidValue {
  readonly value: Json
  readonly actions: readonly AppliedAction[]
}

/** A document after overlays. */
export interface Overlaid {
  readonly document: Document
  readonly actions: readonly AppliedAction[]
}

const longestPlace = 200
/** An action may select every node: where it applies is shown by the first of them. */
const shownPlaces = 5

/** How many nodes all actions together may put into a document: `copy` can double it with each action. */
const maxNodes = defaultLimits.maxExpandedNodes

/** Counts what the actions of all overlays put into a document. */
class Growth {
  #count = 0

  /** @returns whether so many copies of a value still fit */
  allows(value: Json, copies: number): boolean {
    this.#count += this.#nodesIn(value, Math.floor((maxNodes - this.#count) / copies)) * copies
    return this.#count <= maxNodes
  }

  // Counts no further than `most`: a value whose parts are shared can have more nodes than anyone can visit.
  #nodesIn(value: Json, most: number): number {
    let count = 0
    const waiting: Json[] = [value]
    while (waiting.length > 0 && count <= most) {
      const node = waiting.pop() as Json
      count++
      if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) waiting.push(child)
    }
    return count
  }
}

class Application {
  readonly #overlay: Overlay
  readonly #draft: Draft
  readonly #growth: Growth

  constructor(overlay: Overlay, draft: Draft, growth: Growth) {
    this.#overlay = overlay
    this.#draft = draft
    this.#growth = growth
  }

  #fail({ index }: OverlayAction, field: string, reason: string): never {
    const { document } = this.#overlay
    const { start } = document.locate(['actions', index, field])
    throw new SvcError('overlay-failed', {
      source: `${document.source}:${start.line + 1}:${start.character + 1}`,
      action: String(index + 1),
      reason,
    })
  }

  #select(action: OverlayAction, query: Query, field: string): readonly Selected[] {
    try {
      const seen = new Map(query.select(this.#draft.value).map((it) => [formatPointer(it.path), it]))
      return [...seen.values()]
    } catch (error) {
      if (!(error instanceof QueryInvalid)) throw error
      this.#fail(action, field, `the query takes too long: ${error.message}`)
    }
  }

  run(action: OverlayAction): AppliedAction {
    const { index, target, change } = action
    const selected = change === null ? [] : this.#select(action, target, 'target')
    if (change?.kind === 'remove') this.#remove(action, selected)
    else if (change !== null && selected.length > 0) {
      const value = change.kind === 'update' ? change.value : this.#copied(action, change.from)
      this.#update(action, selected, value)
    }
    const overlay = this.#overlay.document.source
    const places = selected.slice(0, shownPlaces).map(({ path }) => formatPointer(path))
    return { overlay, index, target: target.text, kind: change?.kind ?? 'none', matches: selected.length, places }
  }

  #remove(action: OverlayAction, selected: readonly Selected[]): void {
    if (selected.some(({ path }) => path.length === 0))
      this.#fail(action, 'target', 'the root of a document cannot be removed')
    // What is in a node that goes away goes with it.
    const sorted = selected.map(({ path }) => path).toSorted((a, b) => b.length - a.length)
    this.#draft.remove(sorted)
  }

  #copied(action: OverlayAction, from: Query): Json {
    this.#draft.share()
    const found = this.#select(action, from, 'copy')
    if (found.length === 1) return found[0]!.value
    this.#fail(action, 'copy', `"${from.text}" selects ${found.length} nodes, and exactly one can be copied`)
  }

  #update(action: OverlayAction, selected: readonly Selected[], value: Json): void {
    const kinds = new Set(selected.map((it) => nodeKindOf(it.value)))
    if (kinds.size > 1)
      this.#fail(action, 'target', `it selects ${[...kinds].join('s and ')}s, and one update is for nodes of one kind`)
    if (!this.#growth.allows(value, selected.length))
      this.#fail(
        action,
        action.change?.kind ?? 'target',
        `the actions up to this one put more than ${maxNodes} nodes into the document`,
      )
    // Inner nodes first: an outer one would be merged with what they were.
    for (const { path } of selected.toSorted((a, b) => b.path.length - a.path.length)) {
      const before = path.reduce<Json>((it, step) => (it as Record<string | number, Json>)[step]!, this.#draft.value)
      try {
        if (isObject(before) && isObject(value)) this.#draft.assign(path, mergedMembers(before, value))
        else this.#draft.replace(path, mergeUpdate(before, value))
      } catch (error) {
        if (!(error instanceof UpdateMismatch)) throw error
        this.#fail(
          action,
          action.change?.kind ?? 'target',
          `${placeName([...path, ...error.path])} does not fit: ${error.message}`,
        )
      }
    }
  }
}

const placeName = (path: Path): string => {
  const pointer = formatPointer(path)
  return pointer === '' ? 'the root' : pointer.slice(0, longestPlace)
}

/**
 * A value after overlays, in the order that is given. The value is not changed; what stays is shared with it.
 * @throws SvcError `overlay-failed` for an action that does not fit the value, with its place
 */
export function applyToValue(value: Json, overlays: readonly Overlay[]): OverlaidValue {
  const draft = new Draft(value)
  const growth = new Growth()
  const actions = overlays.flatMap((overlay) => {
    const application = new Application(overlay, draft, growth)
    return overlay.actions.map((it) => application.run(it))
  })
  return { value: draft.value, actions }
}

/**
 * A document after overlays (Overlay 1.0 and 1.1). Its text is edited: comments, order and style stay wherever nothing changed.
 * @param overlays in the order in which they are applied
 * @returns the document, with each action and how many nodes it selected: zero is no error, and mostly a mistake
 * @throws SvcError `overlay-failed` for an action that does not fit the document, with its place
 */
export function applyOverlay(document: Document, overlays: readonly Overlay[]): Overlaid {
  const { value, actions } = applyToValue(document.value, overlays)
  return { document: value === document.value ? document : rewriteDocument(document, value), actions }
}
