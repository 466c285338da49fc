import type { SchemaPair } from './schema-pair.ts'
import { isSameValue } from './sameness.ts'

/** Keywords that only tell a reader something (JSON Schema 2020-12, section 9; OpenAPI's fixed fields for the same). */
export const docsWords: ReadonlySet<string> = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  '$comment',
  'x-enum-descriptions',
])

export const isDocsWord = (word: string): boolean => docsWords.has(word) || word.startsWith('x-')

/** States the edits of a schema that change its text only. */
export const compareDocs = (pair: SchemaPair): void => {
  const words = new Set([...pair.base.words.keys(), ...pair.head.words.keys()])
  for (const word of [...words].sort()) {
    if (!isDocsWord(word) || word === 'x-nullable') continue
    const a = pair.base.words.get(word)
    const b = pair.head.words.get(word)
    if (isSameValue(a?.value, b?.value)) continue
    pair.state({
      docs: true,
      kind: 'documentation',
      action: a ? (b ? 'changed' : 'removed') : 'added',
      base: a?.path ?? null,
      head: b?.path ?? null,
      before: a?.value ?? null,
      after: b?.value ?? null,
      subject: word,
    })
  }
}
