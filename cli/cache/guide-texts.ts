/** What a style guide was made of, so that results can be kept as long as none of it changes. */
import type { Document } from '../../src/document/document.ts'
import type { ReadingOptions, RulesetLoader } from '../../src/lint/read-ruleset.ts'
import { digestOf } from './cache.ts'

/** Notes the texts of a ruleset and of everything that it extends. */
export class GuideTexts {
  readonly #parts: string[] = []
  readonly #files = new Set<string>()
  #runsScripts = false

  /** Notes the ruleset itself. */
  add(document: Document): Document {
    this.#parts.push('document', document.source, document.text)
    this.#files.add(document.source)
    return document
  }

  /** The same loader, with a note of what it finds and of what it does not. */
  loader(load: RulesetLoader): RulesetLoader {
    return async (name, from) => {
      const found = await load(name, from)
      this.#parts.push('extends', name, from)
      if (found === null) this.#parts.push('none')
      else if ('refused' in found) this.#parts.push('refused', found.refused)
      else {
        this.add(found.document)
        if (found.functions !== undefined) this.#runsScripts = true
      }
      return found
    }
  }

  /** The same functions, with a note of whether one is a program. */
  functions(read: NonNullable<ReadingOptions['functions']>): NonNullable<ReadingOptions['functions']> {
    return async (names, folder, from) => {
      const found = await read(names, folder, from)
      for (const [name, it] of found)
        if (typeof it === 'string') this.#parts.push('function', name, it)
        else this.#runsScripts = true
      return found
    }
  }

  /** The digest of all texts; undefined where programs take part, which may read anything. */
  get digest(): string | undefined {
    return this.#runsScripts ? undefined : digestOf(...this.#parts)
  }

  /** The files and addresses that were read. */
  get files(): readonly string[] {
    return [...this.#files]
  }
}
