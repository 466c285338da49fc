/** A number with its noun: "1 operation", "2 operations"; nouns that do not end in "s" give their plural form. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
