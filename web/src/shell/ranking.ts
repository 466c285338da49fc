/** Which destinations a text of the command palette means, the most likely first. */

/** What a destination is to the ranking. */
export interface Ranked {
  readonly name: string
  readonly detail?: string
  /** Other exact names: a slug, a handle, the path of an operation. */
  readonly aliases?: readonly string[]
  /** action: it starts something; operation: it has a path; place: a project, a person or an organization. */
  readonly kind?: 'action' | 'operation' | 'place'
  /** Of the page that is open. */
  readonly isHere?: true
  /** The service found it: by words, or by what it means. */
  readonly found?: 'words' | 'meaning'
}

/** What a first character narrows the list to. */
const kinds: Readonly<Record<string, NonNullable<Ranked['kind']>>> = {
  '>': 'action',
  '/': 'operation',
  '@': 'place',
}

/** What was typed: the text that is looked for, and what it is narrowed to. */
export interface Wanted {
  readonly text: string
  readonly kind: Ranked['kind'] | null
}

/** Reads what was typed: ">" narrows to actions, "@" to projects, people and organizations, "/" to operations by their path. */
export function wantedOf(typed: string): Wanted {
  const text = typed.trim()
  const kind = kinds[text[0] ?? ''] ?? null
  // The slash is part of a path.
  return { text: kind === null || kind === 'operation' ? text : text.slice(1).trim(), kind }
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/**
 * How well a destination matches: 0 is its name, slug or path itself, 1 that its name begins so, 2 something of the page that is
 * open, 3 words of its name, 4 a part of its name or of what is said about it, 5 what the service found by words, 6 by semantic search.
 * @param text in small letters
 * @returns null where it does not match
 */
export function rankOf(choice: Ranked, text: string): number | null {
  const names = [choice.name, ...(choice.aliases ?? [])].map((name) => name.toLowerCase())
  if (names.includes(text)) return 0
  if (names.some((name) => name.startsWith(text))) return 1
  const isNamed = names.some((name) => name.includes(text))
  if (isNamed && choice.isHere === true) return 2
  const words = wordsOf(text)
  const begins = (word: string): boolean => names.some((name) => wordsOf(name).some((own) => own.startsWith(word)))
  if (words.length > 0 && words.every(begins)) return 3
  if (isNamed || choice.detail?.toLowerCase().includes(text) === true) return 4
  if (choice.found === undefined) return null
  return choice.found === 'words' ? 5 : 6
}

/** The destinations that match, best first; those that match equally well stay in their order. Without a text: all that it is narrowed to. */
export function rank<T extends Ranked>(choices: readonly T[], { text, kind }: Wanted): T[] {
  const among = kind === null ? choices : choices.filter((choice) => choice.kind === kind)
  if (text === '') return [...among]
  const small = text.toLowerCase()
  return among
    .flatMap((choice) => {
      const at = rankOf(choice, small)
      return at === null ? [] : [{ choice, at }]
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ choice }) => choice)
}
