/** Overlays that svc writes: each is applied before it is written, and gives what it was made for. */
import { isEqual } from '../anchors/equal-nodes.ts'
import { parseDocument } from '../document/parse.ts'
import { serializeJson, serializeYaml } from '../document/serialize.ts'
import { listOf, type Json, type JsonObject } from '../kernel/json.ts'
import { applyToValue } from './apply.ts'
import { makeOverlay, type OverlayInfo } from './make.ts'
import { overlayOf } from './read.ts'

/** An overlay as text, and how many actions it has. */
export interface WrittenOverlay {
  readonly value: JsonObject
  readonly text: string
  readonly actions: number
}

/**
 * The overlay that turns one value into another.
 * @throws SvcError as `makeOverlay` does
 * @throws Error where the overlay would not give exactly that value
 */
export function writtenOverlay(base: Json, head: Json, info: OverlayInfo, syntax: 'json' | 'yaml'): WrittenOverlay {
  const value = makeOverlay(base, head, info)
  const text = syntax === 'json' ? serializeJson(value) : serializeYaml(value)
  const again = overlayOf(parseDocument(text, { source: 'the overlay', syntax }))
  if (!isEqual(applyToValue(base, [again]).value, head))
    throw new Error('the overlay that was made does not give the document that it was made for')
  return { value, text, actions: listOf(value.actions).length }
}
