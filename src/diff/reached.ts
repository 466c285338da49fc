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

/** A set of operations by number: a bit for each. */
export class Reached {
  private words: Uint32Array

  constructor(words = new Uint32Array(1)) {
    this.words = words
  }

  copy(): Reached {
    return new Reached(this.words.slice())
  }

  /** Adds one; false where it was there. */
  add(number: number): boolean {
    const at = number >>> 5
    const bit = 1 << (number & 31)
    if (at >= this.words.length) this.grow(at + 1)
    const word = this.words[at] ?? 0
    if ((word & bit) !== 0) return false
    this.words[at] = word | bit
    return true
  }

  /** Adds all of another set. */
  join(other: Reached): void {
    if (other.words.length > this.words.length) this.grow(other.words.length)
    for (const [at, word] of other.words.entries()) this.words[at] = (this.words[at] ?? 0) | word
  }

  numbers(): number[] {
    const found: number[] = []
    for (const [at, word] of this.words.entries())
      for (let bit = 0; bit < 32; bit++) if ((word & (1 << bit)) !== 0) found.push(at * 32 + bit)
    return found
  }

  /** A text that equal sets have in common, whatever room they take. */
  key(): string {
    return this.words.join(' ').replace(/(?: 0)+$/, '')
  }

  private grow(words: number): void {
    const larger = new Uint32Array(Math.max(words, this.words.length * 2))
    larger.set(this.words)
    this.words = larger
  }
}
