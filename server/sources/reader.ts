import type { Document } from '../../src/document/document.ts'
import { isObject } from '../../src/kernel/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { textOf } from '../../src/document/text.ts'
import { resolveUri } from '../../src/document/reference.ts'
import { referenceNames } from '../../src/document/reference-names.ts'
import { isTextName, parseReferenced } from '../../src/document/referenced-file.ts'
import { SvcError } from '../../src/errors.ts'
import { findLinks, type Link } from '../../src/document/links.ts'
import { findExternalValues } from '../../src/document/outside-names.ts'
import { isDocumentName, isWithin, treePath } from '../../src/import/tree-path.ts'
import { type Tree, treeLimits } from './tree.ts'

/** A reference from one file to another. */
interface FileLink {
  /** The files that it may mean, the first that exists; none where the address is a URI, which only an `$id` may answer. */
  readonly files: readonly string[]
  /** The absolute URI that `$id` makes of it, where one is above. */
  readonly uri: string | null
  readonly isLoose: boolean
}

/** What leads from a file to others: references, and the values of examples. */
interface FileLinks {
  readonly references: readonly FileLink[]
  readonly values: readonly FileLink[]
}

const isUri = (ref: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(ref) && !/^file:/i.test(ref)

const keepCharacters = 32 * 1024 * 1024

/** Reads the documents of a tree and follows their references, inside one folder of it. */
export class TreeReader {
  readonly tree: Tree
  /** The folder outside which nothing is read; "" for the whole tree. */
  readonly boundary: string
  readonly #files: ReadonlySet<string>
  readonly #signal: AbortSignal | undefined
  readonly #documents = new Map<string, Document>()
  readonly #links = new Map<string, FileLinks>()
  #kept = 0
  #read = 0
  #byId: Map<string, string> | null = null

  constructor(tree: Tree, boundary: string, signal?: AbortSignal) {
    this.tree = tree
    this.boundary = boundary
    this.#files = new Set(tree.paths)
    this.#signal = signal
  }

  /** Whether a file is there, inside the folder that is read. */
  has(path: string): boolean {
    return this.#files.has(path) && isWithin(path, this.boundary)
  }

  /**
   * The bytes of a file.
   * @throws SvcError `source-too-large` once all files together are too many bytes
   */
  async bytes(path: string): Promise<Uint8Array> {
    this.#signal?.throwIfAborted()
    const tooLarge = new SvcError('source-too-large', {
      source: this.tree.name,
      what: 'bytes of documents',
      limit: treeLimits.documentBytes,
    })
    if ((this.tree.sizeOf(path) ?? 0) > treeLimits.documentBytes) throw tooLarge
    const bytes = await this.tree.read(path)
    this.#read += bytes.byteLength
    if (this.#read > treeLimits.documentBytes * 4) throw tooLarge
    return bytes
  }

  /**
   * The text of a file.
   * @throws SvcError `document-invalid` for what is not a text in UTF-8 or UTF-16
   */
  async text(path: string): Promise<string> {
    return textOf(await this.bytes(path), path)
  }

  /** A file as a document whose source is its path; one that others refer to may as well be a text. */
  async document(path: string, isReferred = false): Promise<Document> {
    const known = this.#documents.get(path)
    if (known !== undefined) return known
    const text = await this.text(path)
    const document = isReferred ? parseReferenced(text, path) : parseDocument(text, { source: path })
    this.#kept += text.length
    // Large trees are read again where it is needed: memory is the scarcer good.
    if (this.#kept <= keepCharacters) this.#documents.set(path, document)
    return document
  }

  /** Reads a file as a document that was made of it, from now on. */
  replace(path: string, document: Document): void {
    this.#documents.set(path, document)
    this.#links.delete(path)
  }

  /**
   * The files that a document refers to, sorted.
   * @throws SvcError `reference-outside-root`
   */
  async referred(path: string): Promise<readonly string[]> {
    return this.#existing(path, (await this.#linksOf(path)).references)
  }

  async #existing(path: string, links: readonly FileLink[]): Promise<readonly string[]> {
    const files = new Set<string>()
    for (const link of links) {
      const file = await this.#fileOf(link)
      if (file !== null && file !== path) files.add(file)
    }
    return [...files].sort()
  }

  /**
   * The files that are reached from one, that one not included, sorted: documents, and values of examples. Only their names are kept,
   * unlike with `walkReferences`, since a tree may have more documents than fit into memory.
   * @throws SvcError `reference-outside-root`, `source-too-large`
   */
  async reach(path: string): Promise<readonly string[]> {
    const seen = new Set([path])
    const values = new Set<string>()
    let ring = [path]
    while (ring.length > 0) {
      const next = new Set<string>()
      for (const file of ring) {
        for (const other of await this.referred(file)) if (!seen.has(other)) next.add(other)
        for (const other of await this.#existing(file, (await this.#linksOf(file)).values)) values.add(other)
      }
      ring = [...next].sort()
      await this.tree.prefetch(ring)
      for (const file of ring) seen.add(file)
      if (seen.size + values.size > treeLimits.documents)
        throw new SvcError('source-too-large', {
          source: this.tree.name,
          what: 'files that refer to each other',
          limit: treeLimits.documents,
        })
    }
    await this.tree.prefetch([...values].sort())
    for (const file of values) if (!seen.has(file) && (await this.#isText(file))) seen.add(file)
    seen.delete(path)
    return [...seen].sort()
  }

  // A description is valid without the values of its examples: an image stays where it is.
  async #isText(path: string): Promise<boolean> {
    if ((this.tree.sizeOf(path) ?? 0) > treeLimits.documentBytes) return false
    try {
      await this.text(path)
      return true
    } catch (error) {
      if (error instanceof SvcError && error.code === 'document-invalid') return false
      throw error
    }
  }

  /** The documents that are reached from one, in the order of their paths. */
  async reached(path: string): Promise<readonly Document[]> {
    const documents: Document[] = []
    for (const file of await this.reach(path)) documents.push(await this.document(file, true))
    return documents
  }

  async #linksOf(path: string): Promise<FileLinks> {
    const known = this.#links.get(path)
    if (known !== undefined) return known
    const document = await this.document(path, isTextName(path))
    const links = {
      references: this.#findLinks(document, findLinks(document)),
      values: this.#findLinks(document, findExternalValues(document)),
    }
    this.#links.set(path, links)
    return links
  }

  #findLinks(document: Document, named: readonly Link[]): FileLink[] {
    const links = new Map<string, FileLink>()
    for (const { ref, path, base, isLoose } of named) {
      const uri = base === '' ? null : (resolveUri(base, ref).split('#', 1)[0] ?? null)
      if (isUri(ref)) {
        const own = ref.split('#', 1)[0] ?? null
        links.set(`${own}`, { files: [], uri: own, isLoose })
        continue
      }
      const files = referenceNames(document.source, ref).map(({ name }) => name)
      if (files.some((file) => !this.#isInside(file))) {
        if (isLoose) continue
        const { start } = document.locate(path)
        const place = `${document.source}:${start.line + 1}:${start.character + 1}`
        throw new SvcError('reference-outside-root', { reference: ref, place })
      }
      links.set(`${files.join(' ')} ${uri} ${isLoose}`, { files, uri, isLoose })
    }
    return [...links.values()]
  }

  #isInside(file: string): boolean {
    return treePath(file) !== null && !/^[a-z][a-z0-9+.-]*:/i.test(file) && isWithin(file, this.boundary)
  }

  async #fileOf({ files, uri, isLoose }: FileLink): Promise<string | null> {
    if (uri !== null) {
      const found = (await this.#identified()).get(uri)
      if (found !== undefined) return found
    }
    // What is not there stays a reference that cannot be resolved, which is a finding and no failure.
    const file = files.find((it) => this.#files.has(it) || (!isLoose && this.tree.isLink(it)))
    if (file === undefined) return null
    if (this.tree.isLink(file)) throw new SvcError('source-link', { path: file })
    return file
  }

  // Files by the `$id` of their root. Only a few trees use them, and only those pay for the search.
  async #identified(): Promise<Map<string, string>> {
    if (this.#byId !== null) return this.#byId
    const byId = new Map<string, string>()
    this.#byId = byId
    if (this.tree.isRemote) return byId
    for (const path of this.tree.paths) {
      if (!isDocumentName(path) || !isWithin(path, this.boundary)) continue
      const text = await this.text(path).catch(() => '')
      if (!text.includes('$id')) continue
      const { value } = await this.document(path)
      if (isObject(value) && typeof value.$id === 'string') {
        const id = resolveUri('', value.$id).replace(/#$/, '')
        if (!byId.has(id)) byId.set(id, path)
      }
    }
    return byId
  }
}
