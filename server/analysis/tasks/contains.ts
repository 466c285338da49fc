import { diff } from '../../../src/diff/diff.ts'
import type { Document } from '../../../src/document/document.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { SvcError } from '../../../src/errors.ts'
import { isObject, type Json } from '../../../src/kernel/json.ts'
import { both, type Desk } from '../desk.ts'
import { assertReadable } from './readable.ts'

/** Whether every value of the first schema is a value of the second; null where that is not decided. */
export interface Contained {
  readonly contains: boolean | null
  /** A value that the first schema accepts and the second refuses. */
  readonly counterexample?: Json
  readonly reason?: string
}

const dialects = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-04': 'http://json-schema.org/draft-04/schema#',
} as const

/** @throws SvcError `document-invalid`, `usage` for what is no schema */
function schemaOf(document: Document, dialect: keyof typeof dialects): Document {
  assertReadable(document)
  const { value, format, source } = document
  if ((format !== null && format.kind !== 'json-schema') || !(isObject(value) || typeof value === 'boolean'))
    throw new SvcError('usage', {
      reason: `"${source}" is not a JSON Schema. Send the schema, or name one of a document in "schema"`,
    })
  if (!isObject(value) || value.$schema !== undefined) return document
  const text = JSON.stringify({ $schema: dialects[dialect], ...value })
  return parseDocument(text, { source, syntax: 'json' })
}

/**
 * Decides whether one JSON Schema contains another, as a backward comparison does: the values of the first have to stay valid.
 * @throws SvcError `document-invalid` for one that cannot be read, `usage` for one that is not a JSON Schema
 */
export function run({ dialect }: { readonly dialect: keyof typeof dialects }, desk: Desk): Contained {
  const [inner, outer] = both(desk).map((it) => schemaOf(desk.engine.document(it), dialect)) as [Document, Document]
  const { verdict, witness, changes } = diff(inner, outer, { mode: 'backward' })
  if (verdict === 'safe') return { contains: true }
  const decisive = verdict === 'breaking' ? 'breaking' : 'unknown'
  const reason = changes.find(({ classification }) => classification === decisive)?.message ?? ''
  if (verdict === 'unknown') return { contains: null, reason }
  return { contains: false, ...(witness ? { counterexample: witness.value } : {}), reason }
}
