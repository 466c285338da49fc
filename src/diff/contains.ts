/** Containment of JSON Schemas, decided as a comparison decides it. */
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import { SvcError } from '../errors.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { diff } from './diff.ts'

/** Whether every value of the first schema is a value of the second; null where that is not decided. */
export interface Contained {
  readonly contains: boolean | null
  /** A value that the first schema accepts and the second refuses. */
  readonly counterexample?: Json
  readonly reason?: string
}

/** The dialects of schemas that do not name their own. */
export const containedDialects = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-04': 'http://json-schema.org/draft-04/schema#',
} as const

export type ContainedDialect = keyof typeof containedDialects

/**
 * A document as a schema of a dialect, unless it names one itself.
 * @throws SvcError `usage` for what is no schema
 */
export function asSchema(document: Document, dialect: ContainedDialect): Document {
  const { value, format, source } = document
  if ((format !== null && format.kind !== 'json-schema') || !(isObject(value) || typeof value === 'boolean'))
    throw new SvcError('usage', {
      reason: `"${source}" is not a JSON Schema. Send the schema, or name one of a document in "schema"`,
    })
  if (!isObject(value) || value.$schema !== undefined) return document
  const text = JSON.stringify({ $schema: containedDialects[dialect], ...value })
  return parseDocument(text, { source, syntax: 'json' })
}

/** Decides whether one JSON Schema contains another, as a backward comparison does: the values of the first have to stay valid. */
export function decideContained(inner: Document, outer: Document): Contained {
  const { verdict, witness, changes } = diff(inner, outer, { mode: 'backward' })
  if (verdict === 'safe') return { contains: true }
  const decisive = verdict === 'breaking' ? 'breaking' : 'unknown'
  const reason = changes.find(({ classification }) => classification === decisive)?.message ?? ''
  if (verdict === 'unknown') return { contains: null, reason }
  return { contains: false, ...(witness ? { counterexample: witness.value } : {}), reason }
}
