/** The search of the documentation, the same options where the index is made and where it is asked. */
import MiniSearch, { type Options } from 'minisearch'

export interface SearchEntry {
  /** The address of the section. */
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
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
  },
}

export const createIndex = (entries: readonly SearchEntry[]): MiniSearch<SearchEntry> => {
  const index = new MiniSearch<SearchEntry>(options)
  index.addAll(entries)
  return index
}

export const loadIndex = (json: string): MiniSearch<SearchEntry> => MiniSearch.loadJSON<SearchEntry>(json, options)
