/** What is looked for in the index, in words of neither engine. */

/** Is before the words of titles and names in the index, so that they can be looked for alone. Of private use: no text has it. */
export const headMark = '\u{E000}'

/** Is before the organization and the kind of an entry, which the index has beside its words: `indexes.*.sql` writes them. */
const scopeMark = '\u{E001}'

/** Is before the digest of a whole name. */
const nameMark = '\u{E002}'

/** What the name of the entry of a schema begins with; that of an operation begins with its method, in capitals. */
export const schemaPrefix = 'schema '

export type EntryKind = 'operation' | 'schema'

/** The word of the index that all entries of an organization have. */
export const tenantTerm = (tenantId: string): string => scopeMark + tenantId.replaceAll('-', '')

/** The word of the index that all entries of a kind have. */
export const kindTerm = (kind: EntryKind): string => scopeMark + kind

const digestLength = 16

/** The word of the index for a whole name, whatever its case: what is called exactly so is found among any number of others. */
export const nameTerm = (name: string): string =>
  nameMark + new Bun.CryptoHasher('sha256').update(name.trim().toLowerCase()).digest('hex').slice(0, digestLength)

/** The two indexes: of the versions that people mean, and of all others. */
export type IndexName = 'current' | 'older'

export interface Match {
  readonly index: IndexName
  /** What an entry must have beside the words, as the index has it. */
  readonly terms: readonly string[]
  readonly words: readonly string[]
  /** How many of the words an entry must have. */
  readonly least: number
  /** In its title or name. */
  readonly head: boolean
  /** Words that begin with them count as well; a single letter must be the whole word. */
  readonly prefix: boolean
}

/** How many groups a search for some of the words may have. */
const mostGroups = 70

/** The groups of words of which an entry must have one whole group; one word each where there would be too many. */
export function groupsOf({ words, least }: Pick<Match, 'words' | 'least'>): string[][] {
  let groups: string[][] = [[]]
  // All groups of exactly `least` words, in the order of the words.
  for (const [index, word] of words.entries()) {
    const left = words.length - index
    groups = groups.flatMap((group) => {
      const kept: string[][] = []
      if (group.length < least) kept.push([...group, word])
      if (group.length + left > least) kept.push(group)
      return kept
    })
    if (groups.length > mostGroups) return words.map((one) => [one])
  }
  return groups
}

/** Whether a word is looked for by its beginning. */
export const byBeginning = (word: string, { prefix }: Pick<Match, 'prefix'>): boolean => prefix && word.length > 1
