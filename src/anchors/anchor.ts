import { followPath, formatPointer, parsePointer } from '../kernel/pointer.ts'
import type { Json, Path } from '../kernel/json.ts'
import { digestValue } from '../document/serialize.ts'
import { keyOf } from './key.ts'
import { kindOf, type AnchorKind } from './kind.ts'

/** A place of a document, known by what it means. */
export interface Anchor {
  readonly kind: AnchorKind
  /** The place by what it means (`keyOf`). */
  readonly key: string
  /** The place in the document that it was made for. */
  readonly pointer: string
  /** The digest of what was there. */
  readonly nodeDigest: string
  /** The beginning of what was there, at most 300 characters. */
  readonly excerpt: string
}

const longestExcerpt = 300

// Writes no more of a value than an excerpt needs: a whole document is one value too.
function preview(value: Json, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room))
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const [key, child] of Object.entries(value)) {
    if (text.length > room) return text
    if (text.length > 1) text += ', '
    text += isList ? '' : `${JSON.stringify(key.slice(0, room))}: `
    text += preview(child, Math.max(room - text.length, 0))
  }
  return `${text}${isList ? ']' : '}'}`
}

/** The beginning of a value in one line. */
export function excerptOf(value: Json): string {
  const text = (typeof value === 'string' ? value : preview(value, longestExcerpt)).replaceAll(/\s+/g, ' ')
  if (text.length <= longestExcerpt) return text.toWellFormed()
  return `${text.slice(0, longestExcerpt - 1).replace(/[\uD800-\uDBFF]$/, '')}…`.toWellFormed()
}

/** The anchor of a node. */
export const anchorAt = (document: Json, { path, value }: { readonly path: Path; readonly value: Json }): Anchor => ({
  kind: kindOf(path),
  key: keyOf(document, path),
  pointer: formatPointer(path),
  nodeDigest: digestValue(value),
  excerpt: excerptOf(value),
})

/** The anchor of the place that a JSON Pointer names; null where the pointer is invalid or names nothing. */
export function makeAnchor(document: Json, pointer: string): Anchor | null {
  const path = parsePointer(pointer)
  const found = path === null ? null : followPath(document, path)
  return found === null ? null : anchorAt(document, found)
}
