import type { Json } from '../document/json.ts'
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

/** Whether a word is text to machines. The name that a body had before OpenAPI 3 is not even that: nobody ever sent it. */
export const isDocsWord = (word: string): boolean =>
  docsWords.has(word) || (word.startsWith('x-') && word !== 'x-body-name')

const exampleWords: ReadonlySet<string> = new Set(['example', 'examples'])

/** One example and a list of it are the same thing in two dialects. */
const sameExamples = (pair: SchemaPair): boolean => {
  const [a, b] = [pair.base, pair.head].map((view): Json | undefined => {
    const [one, list] = [view.words.get('example'), view.words.get('examples')]
    return one && !list ? [one.value] : one ? undefined : list?.value
  })
  return a !== undefined && isSameValue(a, b)
}

/** States the edits of a schema that change its text only. */
export const compareDocs = (pair: SchemaPair): void => {
  const words = new Set([...pair.base.words.keys(), ...pair.head.words.keys()])
  for (const word of [...words].sort()) {
    if (!isDocsWord(word) || word === 'x-nullable') continue
    const a = pair.base.words.get(word)
    const b = pair.head.words.get(word)
    if (isSameValue(a?.value, b?.value) || (exampleWords.has(word) && sameExamples(pair))) continue
    pair.state({
      docs: true,
      kind: 'documentation',
      action: a ? (b ? 'changed' : 'removed') : 'added',
      base: a?.path ?? null,
      head: b?.path ?? null,
      before: a?.value ?? null,
      after: b?.value ?? null,
      subject: `the \`${word}\` of ${pair.subject((b ?? a)?.path.slice(0, -1) ?? [], b !== undefined)}`,
    })
  }
}
