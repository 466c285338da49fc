import type { Document, Problem } from '../document/document.ts'
import type { Path } from '../kernel/json.ts'
import { plural } from '../kernel/plural.ts'

const most = 50

/** Collects what a conversion could not carry over, with the places in the imported document. */
export class Notes {
  readonly #kept: Omit<Problem, 'range'>[] = []
  readonly #document: Document
  readonly #counts = new Map<string, number>()

  constructor(document: Document) {
    this.#document = document
  }

  /** What was noted, and for each code that came up more than fifty times how many more there were. */
  get warnings(): Problem[] {
    const more = [...this.unlisted].map(([code, count]): Problem => {
      const message = `The same at ${plural(count, 'more location')}.`
      return { code, severity: 'warning', message, path: [], range: this.#document.locate([]) }
    })
    return [...this.listed, ...more]
  }

  /** What was noted: of each code the first fifty. */
  get listed(): Problem[] {
    // Places are looked up only for who reads them: a rendering does not.
    return this.#kept.map((note): Problem => ({ ...note, range: this.#document.locate(note.path) }))
  }

  /** How often a code came up beyond the fifty that are listed. */
  get unlisted(): ReadonlyMap<string, number> {
    return new Map([...this.#counts].filter(([, count]) => count > most).map(([code, count]) => [code, count - most]))
  }

  /** Notes one thing. Of each code the first fifty are kept: a large document repeats itself. */
  add(code: string, message: string, path: Path): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count > most) return
    this.#kept.push({ code, severity: 'warning', message, path: [...path] })
  }
}
