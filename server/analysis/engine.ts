import type { Beside } from '../../src/mcp-catalogue/beside.ts'
import type { Document } from '../../src/document/document.ts'
import { changedLines, type ChangedLines } from '../../src/document/changed-lines.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { readTrusted } from '../../src/document/trusted.ts'
import { diff } from '../../src/diff/diff.ts'
import { inTypes } from '../../src/diff/places.ts'
import type { DiffOptions, DiffResult } from '../../src/diff/options.ts'
import { joinDocuments } from '../../src/import/bundle/document.ts'
import type { Pace } from '../../src/lint/lint.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { Conclusion } from './analysis.ts'
import { conclude } from './conclude.ts'
import type { Applicable, LintGuide } from '../guide-rules/door.ts'
import { asWritten, makeDocument, type Made } from './material.ts'
import { judgeReading, readSubject, type Reading } from './read.ts'
import { contentKey, type Material } from './subject.ts'

// Counted in characters of source text; the parsed values take several times that.
const cacheCharacters = 16 * 1024 * 1024
const cachedChanges = 20_000
const cachedLines = 200_000
const cachedFindings = 50_000

/** The findings of a text in the order in which they are shown, and its grade. */
export type CheckedFindings = Pick<Conclusion, 'findings' | 'grade' | 'isReadable'>

/** The document of a material without the types that it refers to. */
const plain = (material: Material): Material => {
  const { types, ...rest } = material
  return types === undefined ? material : { ...rest, key: types.of }
}

/** Reads, evaluates and compares texts in this process, and keeps the last ones that it read. */
export class Engine {
  readonly #readings = new SizedCache<Reading>(cacheCharacters, 'analysis_readings')
  readonly #documents = new SizedCache<Document>(cacheCharacters, 'analysis_documents')
  readonly #types = new SizedCache<Document>(cacheCharacters / 4, 'analysis_types')
  readonly #trusted = new SizedCache<Document>(cacheCharacters, 'analysis_stored_documents')
  readonly #changedLines = new SizedCache<readonly ChangedLines[]>(cachedLines, 'analysis_changed_lines')
  readonly #checked = new SizedCache<CheckedFindings>(cachedFindings, 'analysis_findings')
  readonly #comparisons = new SizedCache<DiffResult>(cachedChanges, 'analysis_comparisons')

  /** What was read of a subject, where that is still available. */
  known(key: string): Reading | undefined {
    return this.#readings.get(key)
  }

  /** Reads a text, or remembers what it read of it. */
  read(typed: Material): Reading {
    // Types matter where rules look through references: see `look`.
    const material = plain(typed)
    let reading = this.#readings.get(material.key)
    if (reading === undefined) {
      reading = readSubject(material, this.#made(material))
      this.#readings.set(material.key, reading, reading.document.text.length)
    }
    return reading
  }

  /** What a guide says of a text, read with the types that it refers to. `pace` is called with the progress, and throws to stop it. */
  look(
    material: Material,
    guide: Applicable & Pick<LintGuide, 'id' | 'name' | 'digest'>,
    pace?: Pace,
    beside: Beside | null = null,
  ): Conclusion {
    const reading = this.read(material)
    return conclude(reading, judgeReading(reading, guide, pace, this.typesOf(material), { beside }), guide)
  }

  /**
   * The findings of a text under a guide, each with its fix, from memory where they were found before: agents ask for one page of
   * findings after another.
   * @param make finds them
   */
  checked(
    { key }: Material,
    { id, name, digest }: Pick<LintGuide, 'id' | 'name' | 'digest'>,
    make: () => CheckedFindings,
  ): CheckedFindings {
    const place = JSON.stringify([key, id, name, digest])
    const known = this.#checked.get(place)
    if (known !== undefined) return known
    const made = make()
    this.#checked.set(place, made, made.findings.length + 1)
    return made
  }

  /** A text, parsed and no more. */
  document(material: Material): Document {
    const { key } = material
    const known = this.#readings.get(key)?.document ?? this.#documents.get(key)
    if (known !== undefined) return known
    const { types } = material
    const document =
      types === undefined ? this.#made(material).document : this.#withTypes(this.document(plain(material)), material)
    this.#documents.set(key, document, document.text.length)
    return document
  }

  // What is a text and nothing else is parsed once, whatever is asked of it.
  #made(material: Material): Made {
    const known = material.parts === null ? this.#documents.get(material.key) : undefined
    return known === undefined ? makeDocument(material) : { ...asWritten, document: known }
  }

  // What types say is found by the references that name them, as what other files say.
  #withTypes(document: Document, material: Material): Document {
    return joinDocuments(document, this.typesOf(material), (place) => place)
  }

  /** The types of a material, each with its reference as its source. */
  typesOf({ types, bytesOf }: Material): readonly Document[] {
    return (types?.list ?? []).map(({ ref, text }) => {
      const key = `${ref} ${text}`
      const known = this.#types.get(key)
      if (known !== undefined) return known
      const document = parseDocument(new TextDecoder().decode(bytesOf(text)), { source: ref, syntax: 'json' })
      this.#types.set(key, document, document.text.length)
      return document
    })
  }

  /** The document of a material without the types that it refers to. */
  untyped(material: Material): Document {
    return this.document(plain(material))
  }

  /** A text that was found valid before it was stored: its value, the faster way. */
  trusted(typed: Material): Document {
    const material = plain(typed)
    const { key, text, source, syntax } = material
    // Anything but JSON is read in the one way that there is.
    if (syntax !== 'json' && material.parts === null) return this.document(material)
    const known = this.#readings.get(key)?.document ?? this.#documents.get(key) ?? this.#trusted.get(key)
    if (known !== undefined) return known
    const content = new TextDecoder().decode(material.bytesOf(text))
    const document = readTrusted(content, { source, ...(syntax === null ? {} : { syntax }) })
    this.#trusted.set(key, document, content.length)
    return document
  }

  /** Which lines of a text are not those of an earlier one; the same pair is compared once. */
  changedLines(base: Material, head: Material): readonly ChangedLines[] {
    const key = `${base.text} ${head.text}`
    const known = this.#changedLines.get(key)
    if (known !== undefined) return known
    const textOf = ({ text, bytesOf }: Material): string => new TextDecoder().decode(bytesOf(text))
    const result = changedLines(textOf(base), textOf(head))
    this.#changedLines.set(key, result, result.length + 1)
    return result
  }

  /** What changed between two texts; the same pair is compared once. */
  compare(base: Material, head: Material, options: DiffOptions): DiffResult {
    const key = `${JSON.stringify(options)} ${contentKey(base)} ${contentKey(head)}`
    const known = this.#comparisons.get(key)
    if (known !== undefined) return known
    const [older, newer] = [this.document(base), this.document(head)]
    const result = inTypes(diff(older, newer, options), older, newer)
    this.#comparisons.set(key, result, result.changes.length + 1)
    return result
  }
}
