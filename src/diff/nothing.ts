import type { Document } from '../document/document.ts'
import { isObject, type Json } from '../kernel/json.ts'

// What a document offers, by the members that list it.
const offers: Readonly<Record<string, Json>> = { paths: {}, webhooks: {}, components: {}, tools: [], workflows: [] }
const schemas = ['definitions', 'parameters', 'responses', 'securityDefinitions']

/** What was there before a document that is new: the same kind of document, with nothing in it. A schema is its own past. */
export function nothingBefore(document: Document, name: string): Document {
  const { value, format } = document
  if (!isObject(value) || format === null || format.kind === 'json-schema') return { ...document, source: name }
  const emptied = (whole: Json): Json =>
    isObject(whole)
      ? Object.fromEntries(
          Object.entries(whole)
            .filter(([key]) => !schemas.includes(key))
            .map(([key, it]) => [key, offers[key] ?? it]),
        )
      : whole
  return { ...document, source: name, value: emptied(value), exactValue: () => emptied(document.exactValue()) }
}
