import { sourceKinds, type SourceKind } from '../../../../src/types/limits.ts'

/** Where the types of an import come from. */
export const methods = ['file', 'paste', 'url', 'git'] as const
export type Method = (typeof methods)[number]
export const methodNames: Readonly<Record<Method, string>> = { file: 'File', paste: 'Text', url: 'URL', git: 'Git' }
export const readMethod = (text: string | undefined): Method => methods.find((it) => it === text) ?? 'file'

export const kindOptions: readonly { readonly value: SourceKind; readonly name: string; readonly detail: string }[] = [
  {
    value: 'json-schema',
    name: 'JSON Schema',
    detail: 'Each entry of $defs and definitions; a schema without them is one type.',
  },
  { value: 'openapi', name: 'OpenAPI', detail: 'The schemas of an OpenAPI or Swagger description, converted.' },
  {
    value: 'type-def-bundle',
    name: 'Bundle of types',
    detail: 'Each entry of "types": a schema, or a schema with namespace, description, category and tags.',
  },
]
export const readKind = (text: string | undefined): SourceKind | null => sourceKinds.find((it) => it === text) ?? null

const beginning = 20_000

/** What a text most likely is, by the first lines of it: a suggestion, which the reader can change. */
export const guessKind = (text: string): SourceKind => {
  const start = text.slice(0, beginning)
  if (/^\s*["']?(?:openapi|swagger)["']?\s*:/m.test(start) || /^\s*\{\s*"(?:openapi|swagger)"\s*:/.test(start))
    return 'openapi'
  if (
    /^["']?types["']?\s*:/m.test(start) ||
    /^\s*\{\s*(?:"namespace"\s*:\s*"[^"]*"\s*,\s*)?"types"\s*:\s*\{/.test(start)
  )
    return 'type-def-bundle'
  return 'json-schema'
}

/** The largest source, in bytes. */
export const sourceLimit = 16 * 1024 * 1024
