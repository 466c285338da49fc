/** Files that references lead to: documents and texts. */
import type { Document } from './document.ts'
import { parseDocument, plainText } from './parse.ts'

// Prose, and the languages in which examples of requests are written.
const textEnding =
  /\.(?:md|markdown|mdx|txt|text|adoc|asciidoc|rst|html?|csv|xml|graphql|proto|sh|bash|curl|http|ps1|py|rb|php|pl|js|mjs|cjs|jsx|ts|tsx|go|rs|java|kt|kts|scala|swift|dart|cs|fs|vb|c|h|cc|cpp|hpp|m|r|ex|exs|clj|hs|lua|sql|tf)$/i

/** Whether a file is a text by its name: a reference to it means the text. All others are JSON or YAML. */
export const isTextName = (name: string): boolean => textEnding.test(name)

/** What a reference leads to, as its name says: a document, or a text whose value is the text. Never throws. */
export const parseReferenced = (text: string, source: string): Document =>
  isTextName(source) ? plainText(text, source) : parseDocument(text, { source })
