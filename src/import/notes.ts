import type { Document, Problem } from '../document/document.ts'
import type { Path } from '../document/json.ts'

/** Collects what a conversion could not carry over, with the places in the imported document. */
export class Notes {
  readonly warnings: Problem[] = []
  readonly #document: Document
  readonly #counts = new Map<string, number>()

  constructor(document: Document) {
    this.#document = document
  }

  /** Notes one thing. Of each code the first fifty are kept: a large document repeats itself. */
  add(code: string, message: string, path: Path): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count > 50) return
    const range = this.#document.locate(path)
    this.warnings.push({ code, severity: 'warning', message, path: [...path], range })
  }
}
