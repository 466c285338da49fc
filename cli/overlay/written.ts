/** Overlays that svc writes: each is applied before it is written, and gives what it was made for. */
import { dirname, relative, resolve } from 'node:path'
import { isEqual } from '../../src/anchors/equal-nodes.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { serializeJson, serializeYaml } from '../../src/document/serialize.ts'
import { listOf, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { isWebAddress } from '../../src/kernel/text.ts'
import { applyToValue } from '../../src/overlay/apply.ts'
import { makeOverlay, type OverlayInfo } from '../../src/overlay/make.ts'
import { overlayOf } from '../../src/overlay/read.ts'
import { pathOf } from '../input/document-source.ts'

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

/**
 * A document as an overlay names it that is written to a file: an address, or the path from the folder of the overlay.
 * @returns null for what is no file: standard input, files of git revisions, stored versions
 */
export function extendsOf(
  { name, place }: { readonly name: string; readonly place: string },
  output: string | undefined,
  cwd: string,
): string | null {
  if (isWebAddress(place)) return place
  const path = pathOf(place)
  if (path === null || name === '-' || resolve(cwd, name) !== resolve(path)) return null
  const folder = output === undefined || output === '-' ? cwd : dirname(resolve(cwd, output))
  const way = relative(folder, path).replaceAll('\\', '/')
  return encodeURI(way.startsWith('.') ? way : `./${way}`)
}
