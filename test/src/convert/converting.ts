/** Documents of tests of conversions. */
import { convertDocument, type Target } from '../../../src/convert/convert.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { formatPointer } from '../../../src/kernel/pointer.ts'

export const read = (value: Json) => parseDocument(JSON.stringify(value), { source: 'a.json' })

/** A converted document, with the code and place of each note. */
export const convert = (
  value: Json,
  target: Target,
): { readonly value: JsonObject; readonly notes: readonly string[] } => {
  const made = convertDocument(read(value), target)
  return { value: made.value, notes: made.notes.map(({ code, path }) => `${code} ${formatPointer(path)}`) }
}

export const api = (version: string, more: JsonObject): JsonObject => ({
  openapi: version,
  info: { title: 'A', version: '1' },
  ...more,
})
