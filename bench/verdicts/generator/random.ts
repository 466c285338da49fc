/** Random choices that a text decides: the same seed makes the same choices on every machine. */

/** FNV-1a over the UTF-16 units of a text: 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const names = ['amount', 'code', 'color', 'count', 'kind', 'label', 'level', 'note', 'owner', 'place', 'rank', 'size']
const nouns = ['bills', 'cards', 'desks', 'flights', 'items', 'lamps', 'orders', 'parcels', 'rooms', 'seats', 'trips']
const values = ['amber', 'blue', 'coral', 'denim', 'ebony', 'flax', 'green', 'hazel', 'ivory', 'jade', 'khaki', 'lime']

/** A source of choices; what is made from one text is independent of what other texts make. */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = hashOf(seed)
  }

  /** A number from 0 up to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.int(0, list.length - 1)]
    if (found === undefined) throw new Error('There is nothing to pick from')
    return found
  }

  shuffle<T>(list: readonly T[]): T[] {
    const rest = [...list]
    const made: T[] = []
    while (rest.length > 0) made.push(...rest.splice(this.int(0, rest.length - 1), 1))
    return made
  }

  /** Different names of properties. */
  names(count: number): string[] {
    return this.shuffle(names).slice(0, count)
  }

  /** Different values of enumerations. */
  values(count: number): string[] {
    return this.shuffle(values).slice(0, count)
  }

  noun(): string {
    return this.pick(nouns)
  }
}
