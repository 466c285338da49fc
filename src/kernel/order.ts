/** Which of two texts comes first, by UTF-16 units as `<` compares them: negative, 0 or positive. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
