/** Puts references to registered types into the document of a draft. */
import type { Call } from '../../src/api/endpoint.ts'
import type { PrimitiveSuggestion } from '../../src/api/primitive-impact-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { patchText } from '../../src/patch/patch-text.ts'
import type { JsonPatch } from '../../src/patch/json-patch.ts'
import { plural } from '../../src/kernel/plural.ts'

const mostLinks = 200

/** A draft, as calls name it. */
interface Draft {
  readonly tenant: string
  readonly project: string
  readonly version: string
}

/** What was linked: the place of each schema and the type that it refers to now. */
export type Linked = readonly { readonly pointer: string; readonly ref: string }[]

/** The suggestions that leave the values of every schema as they are. */
export const harmless = (suggestions: readonly PrimitiveSuggestion[]): readonly PrimitiveSuggestion[] =>
  suggestions.filter((it) => !it.changes_values)

/**
 * Applies suggestions to the document of a draft, in its format.
 * @throws SvcError `version-published`, `document-changed`, and what the service answers
 */
export async function applySuggestions(
  call: Call,
  { tenant, project, version }: Draft,
  suggestions: readonly PrimitiveSuggestion[],
  digest: string,
): Promise<Linked> {
  if (suggestions.length === 0) return []
  const params = { tenant_slug: tenant, project_ref: project, version_ref: version }
  const record = await call(versionsApi.get, { params })
  const text = new TextDecoder().decode(await call(versionsApi.document, { params }))
  const document = parseDocument(text, { source: record.provenance.source })
  // What is inside of another place is written first.
  const inward = suggestions.toSorted((a, b) => b.pointer.split('/').length - a.pointer.split('/').length)
  const body = new TextEncoder().encode(patchText(document, inward.flatMap(({ patch }) => patch) as JsonPatch))
  await call(versionsApi.putDocument, { params, body, headers: { 'if-match': `"${digest}"` } })
  return suggestions.map(({ pointer, primitive }) => ({ pointer, ref: primitive.ref }))
}

/**
 * Lets the schemas of a draft that are equal to a registered type, or contained in it, refer to it.
 * @param refs the types that count; all where it is null
 * @throws SvcError as `applySuggestions` does
 */
export async function linkTypes(call: Call, draft: Draft, refs: ReadonlySet<string> | null): Promise<Linked> {
  const { tenant, project, version } = draft
  const body = { project, version, limit: mostLinks }
  const found = await call(primitivesApi.suggestions, { params: { tenant_slug: tenant }, body })
  const meant = harmless(found.suggestions).filter(({ primitive }) => refs === null || refs.has(primitive.ref))
  return applySuggestions(call, draft, meant, found.digest)
}

/** What was linked, as lines with a sentence. */
export const linkedText = (linked: Linked): string =>
  linked.map(({ pointer, ref }) => `${pointer} refers to ${ref}.\n`).join('') +
  (linked.length === 0
    ? 'No schema is equal to a type.\n'
    : `${plural(linked.length, 'schema')} of the draft linked to types.\n`)
