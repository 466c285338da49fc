/** Small questions about texts that many rooms ask. */

/** The text percent-decoded, or as it is where its escapes are malformed. */
export const decodedOrSame = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The text for a regular expression that matches just it. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** The words of a text: what blanks and line breaks separate. */
export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Where the line begins that an offset is in. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** Where the line ends that an offset is in: at its line break, else at the end of the text. */
export const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Whether a text is of spaces and tabs alone. */
export const isBlank = (text: string): boolean => /^[ \t]*$/.test(text)

/** The text, with "…" in place of what is beyond a length. */
export const cutTo = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/** The number of a character, as Unicode writes it: "U+200B". */
export const codePointName = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The text with a capital as its first letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A reference as the part before its first "#" and the fragment behind it. */
export const splitFragment = (uri: string): readonly [string, string] => {
  const hash = uri.indexOf('#')
  return hash === -1 ? [uri, ''] : [uri.slice(0, hash), uri.slice(hash + 1)]
}

/** Whether a reference begins with a scheme, "https:" or "svc:". */
export const hasScheme = (uri: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(uri)

/** Whether a name is an http or https address. */
export const isWebAddress = (name: string): boolean => /^https?:\/\//i.test(name)

/** Whether a place is that of a meta-schema of JSON Schema: every reader knows these, so none is fetched. */
export const isMetaSchema = (place: string): boolean => /^https?:\/\/json-schema\.org\/draft[-/]/.test(place)
