/**
 * A text as searches compare it: letters of both cases are equal, and so are the ways to write one letter. The databases
 * compare folded texts only, so that both find the same.
 */
export const fold = (text: string): string =>
  text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC').replaceAll('\n', ' ')

/** What of a type is searched: its folded parts, one a line, so that no match spans two of them. */
export const foldParts = (parts: readonly (string | null | undefined)[]): string =>
  parts.flatMap((part) => (part === null || part === undefined || part === '' ? [] : [fold(part)])).join('\n')
