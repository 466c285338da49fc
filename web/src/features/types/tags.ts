/** Tags as one line of text. */
export const writeTags = (tags: readonly string[]): string => tags.join(', ')

/** The tags of a line of text, separated by commas, each once. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((it) => it.trim())
      .filter((it) => it !== ''),
  ),
]
