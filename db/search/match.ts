/** What is looked for in the index, in words of neither engine. */

/** Is before the words of titles and names in the index, so that they can be looked for alone. Of private use: no text has it. */
export const headMark = '\u{E000}'

export interface Match {
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
