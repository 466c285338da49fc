import type { Json } from '../../../src/kernel/json.ts'
import { formatPointer, getPath } from '../../../src/kernel/pointer.ts'
import { serializeJson, serializeYaml } from '../../../src/document/serialize.ts'
import { applyPatch, type JsonPatch, type ValueOperation } from '../../../src/patch/json-patch.ts'
import { hunkOf, patchText } from '../../../src/patch/patch-text.ts'
import type { Document } from '../../../src/document/document.ts'
import { findMatches, type Relation } from '../../../src/types/suggest.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { renderableOf } from '../renderable.ts'

interface FoundSuggestion {
  readonly pointer: string
  readonly ref: string
  readonly relation: Relation
  readonly patch: readonly ValueOperation[]
  readonly diff: string
}

// A text is read again for each of its patches: of a longer one the schema alone is shown.
const longestText = 512 * 1024

function diffOf(document: Document, pointer: string, path: readonly (string | number)[], patch: JsonPatch): string {
  if (document.text.length <= longestText) return hunkOf(document.text, patchText(document, patch))
  const write = (value: Json): string => (document.syntax === 'json' ? serializeJson(value) : serializeYaml(value))
  const after = applyPatch(document.value, patch)
  return `${pointer}\n${hunkOf(write(getPath(document.value, path) ?? null), write(getPath(after, path) ?? null))}`
}

/** The schemas of a document that registered types could replace, each with the patch of the document. */
export function run(
  input: {
    readonly kind: string
    readonly types: readonly { readonly ref: string; readonly schema: string }[]
    /** The types that these refer to, as JSON text by what they are known by. */
    readonly registry: Readonly<Record<string, string>>
    readonly bases: readonly string[]
    readonly limit: number
  },
  desk: Desk,
): { readonly suggestions: readonly FoundSuggestion[]; readonly schemas: number; readonly isCut: boolean } {
  const material = onlyOne(desk)
  const source = renderableOf(desk.engine, material, input.kind)
  if (source === null) return { suggestions: [], schemas: 0, isCut: false }
  const document = desk.engine.document(material)
  const { matches, schemas, isCut } = findMatches({
    upgraded: source.openapi,
    own: document.value,
    types: input.types.map(({ ref, schema }) => ({ ref, schema: JSON.parse(schema) as Json })),
    registry: new Map(Object.entries(input.registry).map(([key, text]) => [key, JSON.parse(text) as Json])),
    bases: input.bases,
    limit: input.limit,
  })
  const suggestions = matches.map(({ path, ref, relation, patch }) => {
    const pointer = formatPointer(path)
    return { pointer, ref, relation, patch, diff: diffOf(document, pointer, path, patch) }
  })
  return { suggestions, schemas, isCut }
}
