/** Files that hold nothing but the value of an example. */
import type { Document } from './document.ts'
import { findLinks, type Link } from './links.ts'
import { findExternalValues } from './outside-names.ts'
import { plainText } from './parse.ts'
import { referenceNames } from './reference-names.ts'

/** Tells files that are named by `externalValue` alone from documents: nothing in them is a reference, and they may be of any format. */
export class ExampleFiles {
  readonly #values = new Set<string>()
  readonly #documents = new Set<string>()

  /** What leads from a document to other files, the values of its examples included. Each document is to be asked for once. */
  linksOf(document: Document): readonly Link[] {
    if (this.isOne(document)) return []
    const links = findLinks(document)
    const values = findExternalValues(document)
    for (const [into, named] of [
      [this.#documents, links],
      [this.#values, values],
    ] as const)
      for (const { ref } of named) for (const { name } of referenceNames(document.source, ref)) into.add(name)
    return [...links, ...values]
  }

  /** What is neither JSON nor YAML is a text. */
  asValue(document: Document): Document {
    const { value, text, problems, source } = document
    const isUnread = value === null && problems.some((it) => it.severity === 'error')
    return isUnread && this.isOne(document) ? plainText(text, source) : document
  }

  /** Whether a document that `linksOf` named is but the value of an example. */
  isOne({ source }: Pick<Document, 'source'>): boolean {
    return this.#values.has(source) && !this.#documents.has(source)
  }
}
