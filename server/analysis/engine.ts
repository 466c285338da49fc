import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { diff } from '../../src/diff/diff.ts'
import type { DiffOptions, DiffResult } from '../../src/diff/options.ts'
import type { Pace } from '../../src/lint/lint.ts'
import { SizedCache } from '../sized-cache.ts'
import type { Facts, Opened, Subject, Verdict } from './analysis.ts'
import type { Applicable } from './guide.ts'
import { judgeReading, readSubject, type Reading } from './read.ts'

// Counted in characters of source text; the parsed values take several times that.
const cacheCharacters = 16 * 1024 * 1024

/** Reads, judges and compares texts in this process, and keeps the last ones that it read. */
export class Engine {
  readonly #readings = new SizedCache<Reading>(cacheCharacters)
  readonly #documents = new SizedCache<Document>(cacheCharacters)

  /** What was read of a subject, where that is still at hand. */
  known(key: string): Reading | undefined {
    return this.#readings.get(key)
  }

  /** Reads a text, or remembers what it read of it. */
  read(subject: Subject): Reading {
    let reading = this.#readings.get(subject.key)
    if (reading === undefined) {
      reading = readSubject(subject)
      this.#readings.set(subject.key, reading, subject.text.length)
    }
    return reading
  }

  /** Forgets everything that was read. */
  clear(): void {
    this.#readings.clear()
    this.#documents.clear()
  }

  look(subject: Subject, guide: Applicable, pace?: Pace): { facts: Facts; verdict: Verdict } {
    const reading = this.read(subject)
    return { facts: reading.facts, verdict: judgeReading(reading, guide, pace) }
  }

  /** Parses a text without judging it. */
  open(subject: Subject): Opened {
    const document = this.#document(subject)
    const error = document.problems.find((it) => it.severity === 'error')
    const { line, character } = error?.range.start ?? { line: 0, character: 0 }
    return {
      syntax: document.syntax,
      ownFormat: document.format,
      json: error === undefined ? JSON.stringify(document.value) : '',
      problems: document.problems,
      fault: error === undefined ? null : `${subject.source}:${line + 1}:${character + 1}: ${error.message}`,
    }
  }

  compare(base: Subject, head: Subject, options: DiffOptions): DiffResult {
    return diff(this.#document(base), this.#document(head), options)
  }

  // A comparison needs no more than the values.
  #document({ key, text, source, syntax }: Subject): Document {
    const known = this.#readings.get(key)?.document ?? this.#documents.get(key)
    if (known !== undefined) return known
    const document = parseDocument(text, { source, ...(syntax === null ? {} : { syntax }) })
    this.#documents.set(key, document, text.length)
    return document
  }
}
