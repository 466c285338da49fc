/** What is being typed as a mention: where it begins and what follows the "@". */
export interface Typed {
  readonly start: number
  readonly text: string
}

const unfinished = /(?:^|[\s(])@([^\s@[\]()]{0,40})$/

/** The mention that is being typed at a position of a text; null where none is. */
export const typedMention = (text: string, caret: number): Typed | null => {
  const found = unfinished.exec(text.slice(0, caret))?.[1]
  return found === undefined ? null : { start: caret - found.length - 1, text: found }
}

/** A text with a member in the place of what was typed, and where the caret is then. */
export const insertMention = (
  text: string,
  { start, text: typed }: Typed,
  member: { readonly user_id: string; readonly name: string },
): { readonly text: string; readonly caret: number } => {
  const written = `@[${member.name.replaceAll(/[[\]\n]/g, ' ')}](user:${member.user_id}) `
  return {
    text: `${text.slice(0, start)}${written}${text.slice(start + 1 + typed.length).replace(/^ /, '')}`,
    caret: start + written.length,
  }
}
