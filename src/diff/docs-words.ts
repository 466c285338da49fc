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

/** Whether a word is text to machines. The name that a body had before OpenAPI 3 is not even that: no one ever sent it. */
export const isDocsWord = (word: string): boolean =>
  docsWords.has(word) || (word.startsWith('x-') && word !== 'x-body-name')
