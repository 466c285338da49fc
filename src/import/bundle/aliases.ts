import type { Document } from '../../document/document.ts'
import type { Path } from '../../kernel/json.ts'
import { compareText } from '../../kernel/order.ts'

/** A name that the document gives to a place, and where. */
interface Alias {
  readonly name: string
  readonly path: Path
}

/** The names under which the document itself lists places of other files, by the keys of these. */
export class Aliases {
  readonly #known = new Map<string, Alias[]>()

  /** Notes a place of the bundle that is a place of a file, or refers to it; only the entries of a section are names. */
  add(key: string, section: Path, out: Path | null): void {
    if (out === null || out.length !== section.length + 1 || section.some((step, index) => step !== out[index])) return
    const aliases = this.#known.get(key) ?? []
    aliases.push({ name: String(out.at(-1)), path: out })
    this.#known.set(key, aliases)
  }

  /** Where the document lists a place; of several names the one that the place would have taken, else the first. */
  homeOf(key: string, place: { readonly document: Document; readonly path: Path } | undefined): Alias | null {
    const aliases = this.#known.get(key)
    if (aliases === undefined) return null
    const last = String(place?.path.at(-1) ?? place?.document.source.split('/').at(-1)?.replace(/\..*$/, '') ?? '')
    const [first] = aliases.toSorted((a, b) => compareText(a.name, b.name))
    return aliases.find(({ name }) => name === last) ?? first ?? null
  }
}
