/** The middle of a list of numbers, the greater one of two; 0 of an empty list. */
export const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
