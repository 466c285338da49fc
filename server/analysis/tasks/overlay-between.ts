import { carryPatch } from '../../../src/patch/carry.ts'
import { applyPatch, PatchRefused, type JsonPatch } from '../../../src/patch/json-patch.ts'
import { writtenOverlay } from '../../../src/overlay/written.ts'
import { both, type Desk } from '../desk.ts'

/** An overlay, or why a patch cannot be applied. */
export type MadeOverlay = { readonly text: string; readonly actions: number } | { readonly reason: string }

interface Asked {
  readonly title: string
  /** A patch that was made for the first document, and is an overlay of the second; null for the overlay between the two. */
  readonly patch: JsonPatch | null
}

/** Writes the smallest overlay (Overlay 1.1, YAML) that turns a document into another, or into what a patch makes of it. */
export function run({ title, patch }: Asked, desk: Desk): MadeOverlay {
  const [first, second] = both(desk)
  const [base, head] = [desk.engine.document(first), desk.engine.document(second)]
  const info = { title, version: '1.0.0', extends: null }
  try {
    const before = patch === null ? base.value : head.value
    const carried = patch === null || first.text === second.text ? patch : carryPatch(base.value, head.value, patch)
    const after = carried === null ? head.value : applyPatch(head.value, carried)
    const { text, actions } = writtenOverlay(before, after, info, 'yaml')
    return { text, actions }
  } catch (error) {
    if (error instanceof PatchRefused) return { reason: `operation ${error.at + 1}: ${error.message}` }
    throw error
  }
}
