/** The texts that an editor has open and the files beside them, each parsed once for each of its states. */
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Document, Problem } from '../../src/document/document.ts'
import { findLinksAndSources } from '../../src/document/links.ts'
import { mostReferenced } from '../../src/document/most-referenced.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { parseReferenced } from '../../src/document/referenced-file.ts'
import { faultOfPart, reparse, type Difference } from '../../src/document/reparse.ts'
import type { Documents } from '../../src/document/reference.ts'
import { walkReferences } from '../../src/document/referenced-documents.ts'
import { textOf } from '../../src/document/text.ts'
import { assertBelow, readRegular, rootOf } from '../input/regular-file.ts'
import { isRuleset } from './ruleset-name.ts'
import { Positions } from './text.ts'
import type { EditorTypes } from './types.ts'
import type { Encoding, OpenedText, TextChange } from './wire.ts'

// Of a workspace, at most so many files are looked at for references to another.
const mostFiles = 5000
const passedOver = new Set(['node_modules', 'vendor', 'dist', 'target'])

// Of the files beside a document, so many are proposed for its references.
const mostBeside = 200
const largestBeside = 2_000_000

/** What a folder has, by name: file systems have an order each of their own. */
const entriesOf = async (folder: string): Promise<Dirent[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => [])).sort((a, b) => (a.name < b.name ? -1 : 1))

/** By what a text is known here: the path of a file with slashes, or the address of what is not a file. */
export type Key = string

/** The key of an address of the editor. */
export function keyOf(uri: string): Key {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri).replaceAll('\\', '/') : uri
  } catch {
    return uri
  }
}

/** The key of a file by its path. */
export const keyOfPath = (path: string): Key => path.replaceAll('\\', '/')

export const isFile = (key: Key): boolean => key.startsWith('/') || /^[a-z]:\//i.test(key)

/** A text of the editor. */
export class OpenText {
  readonly uri: string
  readonly key: Key
  readonly text: TextDocument
  readonly syntax: 'json' | 'yaml' | undefined
  #document: Document | null = null
  /** The last text that could be read, and how much of its begin and end is still the same. */
  #last: { readonly document: Document; readonly start: number; readonly tail: number } | null = null
  #edited: { start: number; end: number } | null = null

  constructor({ uri, languageId, version, text }: OpenedText) {
    this.uri = uri
    this.key = keyOf(uri)
    this.text = TextDocument.create(uri, languageId, version, text)
    const named = /\.(?:json|ya?ml)$/i.test(this.key)
    this.syntax = named ? undefined : /json/i.test(languageId) ? 'json' : /yaml/i.test(languageId) ? 'yaml' : undefined
  }

  get document(): Document {
    if (this.#document !== null) return this.#document
    return this.#keep(this.#again() ?? parseDocument(this.text.getText(), this.#options()))
  }

  #keep(document: Document): Document {
    this.#document = document
    if (document.value !== null) this.#last = { document, start: Infinity, tail: Infinity }
    return document
  }

  #options(): { readonly source: string; readonly syntax?: 'json' | 'yaml' } {
    const { key: source, syntax } = this
    return syntax === undefined ? { source } : { source, syntax }
  }

  /** The syntax of the text, readable or not. */
  get currentSyntax(): 'json' | 'yaml' {
    return this.#document?.syntax ?? this.#last?.document.syntax ?? this.document.syntax
  }

  /** Whether it is a ruleset, as far as it could be read. */
  get isRuleset(): boolean {
    return isRuleset(this.#last?.document ?? { source: this.key, format: null, value: null })
  }

  /** Where the text differs from the last one that could be read; null where none could. */
  #difference(): { readonly earlier: Document; readonly difference: Difference } | null {
    const last = this.#last
    if (last === null) return null
    const { length } = last.document.text
    const now = this.text.getText().length
    const start = Math.min(last.start, length, now)
    const tail = Math.min(last.tail, length - start, now - start)
    return { earlier: last.document, difference: { start, before: length - tail, after: now - tail } }
  }

  /** The document by what is known of the text before; null where all of it has to be read. */
  #again(): Document | null {
    const known = this.#difference()
    return known === null ? null : (reparse(known.earlier, this.text.getText(), known.difference)?.document ?? null)
  }

  /** The syntax error of the part that was edited, where the text cannot be read for that and was not read yet. */
  fault(): Problem | null {
    if (this.#document !== null) return null
    const again = this.#again()
    if (again !== null) {
      this.#keep(again)
      return null
    }
    const known = this.#difference()
    return known === null ? null : faultOfPart(known.earlier, this.text.getText(), known.difference)
  }

  edit({ start, end, text }: TextChange, version: number): void {
    const { length } = this.text.getText()
    const range = { start: this.text.positionAt(start), end: this.text.positionAt(end) }
    TextDocument.update(this.text, [{ range, text }], version)
    this.#document = null
    const last = this.#last
    if (last !== null)
      this.#last = { ...last, start: Math.min(last.start, start), tail: Math.min(last.tail, length - end) }
    if (this.#edited === null) return
    const { start: from, end: to } = this.#edited
    const moved = to <= start ? to : Math.max(to, end) + text.length - (end - start)
    this.#edited = { start: Math.min(from, start), end: Math.max(moved, start + text.length) }
  }

  /** The offsets in the present text between which everything was edited since it was checked; null where it was never checked. */
  get edited(): { readonly start: number; readonly end: number } | null {
    return this.#edited
  }

  /** Everything was checked. */
  checked(): void {
    this.#edited = { start: Infinity, end: -Infinity }
  }
}

interface KnownFile {
  readonly changed: number
  readonly size: number
  readonly text: string
  readonly document: Document
}

/** Everything that can be read: what the editor has open goes before what the disk has. */
export class Store {
  readonly open = new Map<Key, OpenText>()
  readonly types: EditorTypes
  readonly #files = new Map<Key, KnownFile>()

  constructor(types: EditorTypes) {
    this.types = types
  }

  /** A document; null where there is none, or none that is a text. */
  async read(key: Key): Promise<Document | null> {
    const open = this.open.get(key)
    if (open !== undefined) return open.document
    if (!isFile(key)) return this.types.get(key)
    try {
      const { size, mtimeMs: changed } = await stat(key)
      const known = this.#files.get(key)
      if (known?.changed === changed && known.size === size) return known.document
      const text = textOf(await readRegular(key, key), key)
      const document = parseReferenced(text, key)
      this.#files.set(key, { changed, size, text, document })
      return document
    } catch {
      this.#files.delete(key)
      return null
    }
  }

  /** The texts that were read from the disk, by their keys. */
  get texts(): ReadonlyMap<Key, string> {
    return new Map([...this.#files].map(([key, { text }]) => [key, text]))
  }

  /** The documents that references of a document lead to, as "svc lint" reads them, with registered types. */
  async documentsOf(document: Document): Promise<Documents> {
    return (await this.reachOf(document)).documents
  }

  /** The same, and why registered types could not be read. */
  async reachOf(document: Document): Promise<{ readonly documents: Documents; readonly failure: string | null }> {
    const known = new Map<string, Document>()
    const root = rootOf(document.source, undefined)
    const found = await walkReferences(document, {
      holds: isFile,
      read: (wanted) =>
        Promise.all(
          wanted.map(async ({ place }) => {
            const other = this.#isBelow(root, place) ? await this.read(place) : null
            if (other !== null) known.set(place, other)
            return other?.text ?? null
          }),
        ),
      parse: (text, name) => known.get(name) ?? parseReferenced(text, name),
      linksOf: findLinksAndSources,
      most: mostReferenced,
      tooMany: () => new Error(`more than ${mostReferenced} files refer to each other`),
    })
    const types = await this.types.read([document, ...found])
    return {
      documents: Object.fromEntries([...found, ...types.documents].map((it) => [it.source, it])),
      failure: types.failure,
    }
  }

  #isBelow(root: string, place: Key): boolean {
    if (this.open.has(place)) return true
    try {
      assertBelow(root, place, place)
      return true
    } catch {
      return false
    }
  }

  /** The documents in some folders, and those of the editor, whose text has the name of a file: any that may refer to it. */
  async naming(key: Key, folders: readonly string[]): Promise<Document[]> {
    const name = basename(key)
    const found = new Map<Key, Document>()
    for (const open of this.open.values())
      if (open.key === key || open.text.getText().includes(name)) found.set(open.key, open.document)
    let left = mostFiles
    const visit = async (folder: string): Promise<void> => {
      for (const entry of await entriesOf(folder)) {
        if (left <= 0) return
        const place = join(folder, entry.name)
        if (entry.isDirectory()) {
          if (!entry.name.startsWith('.') && !passedOver.has(entry.name)) await visit(place)
        } else if (entry.isFile() && /\.(?:ya?ml|json)$/i.test(entry.name)) {
          left--
          const other = place.replaceAll('\\', '/')
          if (found.has(other)) continue
          const text = new TextDecoder().decode(await readRegular(place, place).catch(() => new Uint8Array()))
          if (!text.includes(name) && other !== key) continue
          const document = await this.read(other)
          if (document !== null) found.set(other, document)
        }
      }
    }
    for (const folder of folders) await visit(folder)
    return [...found.values()]
  }

  /**
   * The documents in the folder of a file and in those below it, as references from it name them.
   * @param above begins so many folders higher
   */
  async beside(key: Key, above = 0): Promise<Record<string, Document>> {
    const found: Record<string, Document> = {}
    if (!isFile(key)) return found
    let left = mostBeside
    const visit = async (folder: string, prefix: string, depth: number): Promise<void> => {
      for (const entry of await entriesOf(folder)) {
        if (left <= 0) return
        const name = `${prefix}${entry.name}`
        const place = join(folder, entry.name).replaceAll('\\', '/')
        if (entry.isDirectory()) {
          if (depth > 0 && !entry.name.startsWith('.') && !passedOver.has(entry.name))
            await visit(place, `${name}/`, depth - 1)
        } else if (entry.isFile() && place !== key && /^[^.].*\.(?:ya?ml|json)$/i.test(entry.name)) {
          left--
          const size = (await stat(place).catch(() => null))?.size ?? Infinity
          const document = size > largestBeside ? null : await this.read(place)
          if (document !== null) found[name] = document
        }
      }
    }
    const up = '../'.repeat(above)
    await visit(join(dirname(key), up), up, above === 0 ? 2 : 3)
    return found
  }

  /** The address by which the editor knows a text. */
  uriOf(key: Key): string {
    return this.open.get(key)?.uri ?? (isFile(key) ? pathToFileURL(key).href : key)
  }

  /** The positions of a text, counted as the editor does. */
  async positionsOf(key: Key, encoding: Encoding): Promise<Positions> {
    const open = this.open.get(key)
    if (open !== undefined) return new Positions(open.text, encoding)
    const text = encoding === 'utf-16' ? '' : ((await this.read(key))?.text ?? '')
    return new Positions(TextDocument.create(key, '', 0, text), encoding)
  }
}
