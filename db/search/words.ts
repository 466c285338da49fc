/** Turns text into the words that are indexed and searched: the same on both engines, which only compare them. */

const maxWords = 2000
const maxLength = 64

// "listUserRepos" and "HTTPServer2" are several words; so is everything between punctuation.
const borders = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[^\p{L}\p{N}]+/u

// A plural is found by its singular and the other way round.
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** The distinct words of a text in order: lower case, without accents, in the singular; bounded in number and length. */
export function splitWords(text: string): string[] {
  const words = new Set<string>()
  for (const part of text.normalize('NFKD').replace(/\p{M}/gu, '').split(borders)) {
    if (part === '') continue
    words.add(singular(part.toLowerCase().slice(0, maxLength)))
    if (words.size >= maxWords) break
  }
  return [...words]
}

/** Words that questions are full of and that tell nothing apart. */
const empty = new Set(
  splitWords(
    'a an and any are as at be can could do does for from has have how i in into is it its me my of on or our please should that the their there these they them this to us want was we were what when where which who whom whose why will with would you your',
  ),
)

/** The words of a question that tell something; all of them where none does. */
export function meaningful(words: readonly string[]): readonly string[] {
  const kept = words.filter((word) => !empty.has(word))
  return kept.length > 0 ? kept : words
}
