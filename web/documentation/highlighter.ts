/**
 * What the renderer highlights code with, for the languages that it knows alone. Its own function writes the name of a
 * language into HTML as it is, and that name comes from the document (`x-codeSamples`): a name with a quotation mark would
 * begin elements of its own. `web/build.ts` puts this module in the place of the package.
 */
import { lowlightLanguageMappings, standardLanguages, syntaxHighlight as highlight } from '@scalar/code-highlight'

export {
  basicLanguages,
  htmlFromMarkdown,
  isHeading,
  jsonYamlLanguages,
  lowlightLanguageMappings,
  rehypeHighlight,
  standardLanguages,
  textFromNode,
} from '@scalar/code-highlight'

const isKnown = (language: string): boolean =>
  Object.hasOwn(standardLanguages, language) || Object.hasOwn(lowlightLanguageMappings, language)

/** HTML of a code text; in a language that is not known, the text alone. */
export const syntaxHighlight: typeof highlight = (code, options) =>
  highlight(code, { ...options, lang: isKnown(options.lang) ? options.lang : 'plaintext' })
