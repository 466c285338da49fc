/** Whether every value of one JSON Schema is a value of another. */
import { asSchema, type Contained, decideContained } from '../diff/contains.ts'
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import { assertReadable } from './files.ts'

function readSchema(text: string, source: string): Document {
  const document = parseDocument(text, { source })
  assertReadable(document)
  return asSchema(document, '2020-12')
}

/**
 * Decides whether every value of schema `a` is a value of schema `b`; schemas without `$schema` are of 2020-12.
 * @throws SvcError `document-invalid` for what cannot be read, `usage` for what is no schema
 */
export const containsText = (a: string, b: string): Contained => decideContained(readSchema(a, 'A'), readSchema(b, 'B'))
