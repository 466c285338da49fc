/** A number with its noun, as a reader writes numbers: "1 operation", "1,204 operations". */
export const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`

/** A number of bytes for people, in powers of ten: "4.1 MB". */
export const bytesWords = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toLocaleString(undefined, { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step] ?? ''}`
}

/** The slug that a name suggests: lower-case ASCII letters, digits and hyphens; "" where the name has none of them. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z0-9])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-+|-+$/g, '')

/** A text that begins with a capital letter. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The order of two texts by their characters, for `toSorted`. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
