/** A number with its noun, as a reader writes numbers: "1 operation", "1,204 operations". */
export const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`
