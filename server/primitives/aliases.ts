/** The addresses in a setting, separated by commas, each without a slash at its end. */
export const addressesOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((it) => it.trim().replace(/\/+$/, ''))
    .filter((it) => it !== '')
