/** The names of operations of one comparison, as numbers: thousands of entries share them, and sets of numbers are small. */
export class OperationNames {
  private readonly numbers = new Map<string, number>()
  private readonly names: string[] = []
  private readonly lists = new Map<string, readonly string[]>()

  numberOf(name: string): number {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    const number = this.names.push(name) - 1
    this.numbers.set(name, number)
    return number
  }

  /** The names of a set in order; equal sets answer the same list. */
  listOf(reached: Reached): readonly string[] {
    const key = reached.key()
    const known = this.lists.get(key)
    if (known) return known
    const list = reached
      .numbers()
      .map((number) => this.names[number] ?? '')
      .sort()
    this.lists.set(key, list)
    return list
  }
}

/**
 * A set of operations by number: a bit for each, from the first word that has one. So a set of one operation takes one word,
 * however many operations there are.
 */
export class Reached {
  private words: Uint32Array
  /** The word of the numbers that the first of `words` is. */
  private from: number

  constructor(words = new Uint32Array(0), from = 0) {
    this.words = words
    this.from = from
  }

  copy(): Reached {
    return new Reached(this.words.slice(), this.from)
  }

  /** Adds one; false where it was there. */
  add(number: number): boolean {
    const bit = 1 << (number & 31)
    this.reach(number >>> 5, number >>> 5)
    const at = (number >>> 5) - this.from
    const word = this.words[at] ?? 0
    if ((word & bit) !== 0) return false
    this.words[at] = word | bit
    return true
  }

  /** Adds all of another set. */
  join(other: Reached): void {
    const [first, last] = other.ends()
    if (first > last) return
    this.reach(first + other.from, last + other.from)
    for (let i = first; i <= last; i++) {
      const at = i + other.from - this.from
      this.words[at] = (this.words[at] ?? 0) | (other.words[i] ?? 0)
    }
  }

  numbers(): number[] {
    const found: number[] = []
    for (const [at, word] of this.words.entries())
      for (let bit = 0; bit < 32; bit++) if ((word & (1 << bit)) !== 0) found.push((at + this.from) * 32 + bit)
    return found
  }

  /** A text that equal sets have in common, whatever room they take. */
  key(): string {
    const [first, last] = this.ends()
    return first > last ? '' : `${first + this.from}: ${this.words.subarray(first, last + 1).join(' ')}`
  }

  /** The first and the last word with a bit; the first is after the last where there is none. */
  private ends(): readonly [first: number, last: number] {
    let [first, last] = [0, this.words.length - 1]
    while (first <= last && this.words[first] === 0) first++
    while (last >= first && this.words[last] === 0) last--
    return [first, last]
  }

  /** Makes room for the words from one number to another. */
  private reach(first: number, last: number): void {
    const { length } = this.words
    if (length === 0) this.from = first
    const end = this.from + length
    if (length > 0 && first >= this.from && last < end) return
    const from = Math.min(this.from, first < this.from ? Math.max(0, Math.min(first, this.from - length)) : first)
    const to = last >= end ? Math.max(last + 1, length === 0 ? 0 : end + length) : end
    const larger = new Uint32Array(to - from)
    larger.set(this.words, this.from - from)
    this.words = larger
    this.from = from
  }
}
