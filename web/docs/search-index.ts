/** The search of the documentation, the same options where the index is made and where it is asked. */
import MiniSearch, { type Options } from 'minisearch'

export interface SearchEntry {
  /** The address of the section. */
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** What a page with one answer is about, by its address; null for pages that were written, whose titles say it. */
export function kindOf(address: string): string | null {
  const [, folder] = /^\/docs\/(rules|changes|errors|reference\/commands|reference\/operations)\/./.exec(address) ?? []
  if (folder === undefined) return null
  const kinds: Readonly<Record<string, string>> = {
    rules: 'Lint rule',
    changes: 'Change',
    errors: 'Error',
    'reference/commands': 'Command',
    'reference/operations': 'REST API',
  }
  return kinds[folder] ?? null
}

const options: Options<SearchEntry> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading'],
  // Names such as `info-contact`, `--fail-on` and `SVC_PORT` are found whole and by their parts.
  tokenize: (text) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  searchOptions: {
    boost: { title: 4, heading: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    // The shapes of the REST API have every word of the other pages in some description.
    boostDocument: (id: string) => (id.startsWith('/docs/reference/operations/') ? 0.3 : 1),
  },
}

export const createIndex = (entries: readonly SearchEntry[]): MiniSearch<SearchEntry> => {
  const index = new MiniSearch<SearchEntry>(options)
  index.addAll(entries)
  return index
}

export const loadIndex = (json: string): MiniSearch<SearchEntry> => MiniSearch.loadJSON<SearchEntry>(json, options)
