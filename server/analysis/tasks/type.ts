import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { digestText } from '../../../src/document/serialize.ts'
import { edgesOf, type Edge } from '../../../src/types/edges.ts'
import { inspectSchema, type Inspected } from '../../../src/types/inspect.ts'

/** What the registry keeps of a schema. */
interface ReadSchema extends Inspected {
  readonly schema: string
  readonly digest: string
  readonly edges: readonly Edge[]
}

/** Reads one schema: `text` is JSON that the service wrote itself. */
export function run({ text, bases }: { readonly text: string; readonly bases: readonly string[] }): ReadSchema {
  const schema = JSON.parse(text) as Json
  const document = parseDocument(text, { source: 'schema.json', syntax: 'json' })
  return {
    schema: text,
    digest: digestText(canonicalJson(schema)),
    edges: edgesOf(schema, bases),
    ...inspectSchema(document, schema),
  }
}
