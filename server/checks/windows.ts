import { SizedCache } from '../../src/kernel/sized-cache.ts'

/** A part of a list, with what is known of all of it. */
interface Part {
  readonly total: number
  readonly items: readonly unknown[]
}

const windowSize = 1000
// Counted in characters of JSON.
const cacheCharacters = 8 * 1024 * 1024

/** Pages of lists that are expensive to make: a window of each is kept, since pages are asked for one after another. */
export class Windows<P extends Part> {
  readonly #known: SizedCache<P>

  /** @param name of the cache, in metrics */
  constructor(name: string) {
    this.#known = new SizedCache(cacheCharacters, name)
  }

  /**
   * A page of a list.
   * @param key the same for the same list
   * @param from how many to skip
   * @param limit the most that it has, at most `windowSize`
   * @param ask makes a part of the list
   */
  async page(
    key: string,
    { from, limit }: { readonly from: number; readonly limit: number },
    ask: (from: number, limit: number) => Promise<P>,
  ): Promise<P> {
    const start = from - (from % windowSize)
    const window = await this.#window(key, start, ask)
    const items = window.items.slice(from - start, from - start + limit)
    const next = start + windowSize
    if (from + limit <= next || window.total <= next) return { ...window, items }
    const rest = await this.#window(key, next, ask)
    return { ...window, items: [...items, ...rest.items.slice(0, limit - items.length)] }
  }

  async #window(key: string, start: number, ask: (from: number, limit: number) => Promise<P>): Promise<P> {
    const place = `${start} ${key}`
    const known = this.#known.get(place)
    if (known !== undefined) return known
    const made = await ask(start, windowSize)
    this.#known.set(place, made, place.length + JSON.stringify(made).length)
    return made
  }
}
