/** A changed document as text, in which everything that did not change stays as its author wrote it. */
import type { Document } from '../document/document.ts'
import { isExact, writeExactly } from '../document/exact.ts'
import { serializeYaml } from '../document/serialize.ts'
import type { Json } from '../kernel/json.ts'
import { rewriteParts } from '../patch/rewrite.ts'

export type Syntax = 'json' | 'yaml'

const holdsExact = (value: Json): boolean =>
  isExact(value) || (typeof value === 'object' && value !== null && Object.values<Json>(value).some(holdsExact))

/** A value as text: numbers that no double holds keep their digits. */
export const serializeExactly = (value: Json, syntax: Syntax): string =>
  syntax === 'yaml' ? serializeYaml(value) : `${writeExactly(value, 2)}\n`

/** A text, and whether it is that of the author with edits: comments and layout are kept. */
export interface WrittenText {
  readonly text: string
  readonly keepsLayout: boolean
}

/**
 * The text of a value that was made of a document: its own text with edits where the syntax is the same and every change has a safe
 * place, else all of it written again. Numbers that no double holds keep their digits.
 *
 * @param value what the text must mean
 * @param exact the same value with the numbers that no double holds
 */
export function writeChanged(document: Document, value: Json, syntax: Syntax, exact: Json = value): WrittenText {
  const isExactly = holdsExact(exact)
  if (document.syntax === syntax) {
    if (document.value === value) return { text: document.text, keepsLayout: true }
    const rewritten = isExactly ? null : rewriteParts(document, value)
    if (rewritten !== null) return { text: rewritten.text, keepsLayout: true }
  }
  return { text: serializeExactly(isExactly ? exact : value, syntax), keepsLayout: false }
}
