/** Links of a bundle: the operations that they name by a reference, where these are in the bundle. */
import type { Document } from '../../document/document.ts'
import type { JsonObject, Path } from '../../kernel/json.ts'
import { formatFragment, formatPointer, parsePointer } from '../../kernel/pointer.ts'
import { insert } from './objects.ts'

interface Place {
  readonly document: Document
  readonly path: Path
}

/** An `operationRef` of the bundle, and what it named where it was written. */
export interface NamedOperation {
  readonly out: Path
  readonly target: Place
}

/** Where the files of a bundle were written into it, by the pointers of the bundle. */
export type Origins = ReadonlyMap<string, Place>

/** The place in the bundle of what a file has at a place; null where it is no part of the bundle. */
function placeOf({ document, path }: Place, entry: Document, origins: Origins): Path | null {
  if (document === entry) return path
  const key = formatPointer(path)
  for (const [out, origin] of origins) {
    const from = formatPointer(origin.path)
    if (origin.document !== document || !(key === from || key.startsWith(`${from}/`))) continue
    return [...(parsePointer(out) ?? []), ...path.slice(origin.path.length)]
  }
  return null
}

/** The bundle with the operations of its links named by their places in it; those of other descriptions stay as they are. */
export const withOperations = (
  bundle: JsonObject,
  links: readonly NamedOperation[],
  entry: Document,
  origins: Origins,
): JsonObject =>
  links.reduce((value, { out, target }) => {
    const place = placeOf(target, entry, origins)
    return place === null ? value : insert(value, out, formatFragment(place))
  }, bundle)
