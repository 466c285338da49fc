/** Reads an Arazzo document and the sources that it names, for a run. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { validateStructure } from '../../src/document/validate/structure.ts'
import { SvcError } from '../../src/errors.ts'
import { readForRendering } from '../../src/import/importer.ts'
import { isObject, type JsonObject, textOf } from '../../src/kernel/json.ts'
import { isWebAddress } from '../../src/kernel/text.ts'
import { objectsOf, type Source, type WorkflowDocument } from '../../src/workflow/document.ts'
import { readDescription } from '../../src/workflow/openapi.ts'
import type { Invocation } from '../declare.ts'
import { readSide, splitStored } from '../input/document-side.ts'

type Reading = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'>

/** What was read: the document to run, and each Arazzo document by its name, for places in it. */
export interface Loaded {
  readonly document: WorkflowDocument
  readonly texts: ReadonlyMap<string, Document>
}

/**
 * What the sources of a document are joined to: its `$self` (Arazzo 1.1, section "Base URI"), joined to where it was read. A
 * document that was read here and says where it is published has its sources beside it, as far as they are there.
 */
function basesOf({ $self }: JsonObject, from: string, cwd: string): readonly string[] {
  if (typeof $self !== 'string' || $self === '') return [from]
  const base = placeOf($self, from, cwd)
  return isWebAddress(base) && !isWebAddress(from) ? [from, base] : [base]
}

/** The place of a source: beside the document where a file is there, else where `$self` leads. */
function sourcePlace(url: string, bases: readonly string[], cwd: string): string {
  const places = bases.map((it) => placeOf(url, it, cwd))
  return places.find((it) => isWebAddress(it) || existsSync(it)) ?? places.at(-1) ?? url
}

/** Where a source is: its address, joined to the document that names it. */
function placeOf(url: string, from: string, cwd: string): string {
  if (isWebAddress(url)) return url
  if (isWebAddress(from)) return new URL(url, from).href
  return resolve(dirname(resolve(cwd, from)), decodeURIComponent(url.replace(/^file:\/\//, '')))
}

// Swagger 2.0 and OpenAPI 3.0 become 3.1: a run knows one way of writing schemas and bodies.
function openapiRoot(document: Document): JsonObject {
  const { format, value } = document
  const content = isObject(value) ? value : {}
  if (format?.kind === 'openapi' && format.version !== '3.0') return content
  return readForRendering(document, format?.kind ?? 'openapi')?.openapi ?? content
}

const deepest = 10

/** Reads documents, each once. */
class Loader {
  readonly texts = new Map<string, Document>()
  readonly #reading: Reading
  readonly #chosen: ReadonlyMap<string, string>
  readonly #used = new Set<string>()

  constructor(reading: Reading, chosen: ReadonlyMap<string, string>) {
    this.#reading = reading
    this.#chosen = chosen
  }

  /** Raises `usage` for a chosen source that no document names. */
  assertUsed(): void {
    const unused = [...this.#chosen.keys()].find((it) => !this.#used.has(it))
    if (unused !== undefined) throw new SvcError('usage', { reason: `No source description is named "${unused}"` })
  }

  async workflows(name: string, document: Document, depth: number): Promise<WorkflowDocument> {
    const root = isObject(document.value) ? document.value : {}
    this.texts.set(name, document)
    const sources = new Map<string, Source>()
    for (const it of objectsOf(root.sourceDescriptions))
      sources.set(textOf(it.name), await this.#source(it, { name, root }, depth))
    return { name, root, sources }
  }

  async #source(described: JsonObject, by: Pick<WorkflowDocument, 'name' | 'root'>, depth: number): Promise<Source> {
    const name = textOf(described.name)
    const { cwd } = this.#reading
    const bases = basesOf(by.root, by.name, cwd)
    const chosen = depth === 0 ? this.#chosen.get(name) : undefined
    if (chosen !== undefined) this.#used.add(name)
    if (described.type === 'asyncapi') return { kind: 'asyncapi' }
    if (
      chosen === undefined &&
      splitStored(by.name) !== null &&
      bases.length === 1 &&
      !isWebAddress(textOf(described.url))
    )
      return { kind: 'missing', reason: `say where it is with --source ${name}=DOCUMENT` }
    const place = chosen ?? sourcePlace(textOf(described.url), bases, cwd)
    try {
      return await this.#read(name, place, depth)
    } catch (error) {
      if (!(error instanceof SvcError) || chosen !== undefined) throw error
      return { kind: 'missing', reason: error.message }
    }
  }

  async #read(name: string, place: string, depth: number): Promise<Source> {
    const document = await readSide(place, this.#reading)
    const kind = document.format?.kind
    if (kind === 'openapi' || kind === 'swagger')
      return { kind: 'openapi', description: readDescription(name, place, openapiRoot(document)) }
    if (kind !== 'arazzo') return { kind: 'missing', reason: `${place} is neither an OpenAPI nor an Arazzo document` }
    if (depth >= deepest) return { kind: 'missing', reason: `sources name each other more than ${deepest} deep` }
    return { kind: 'arazzo', document: await this.workflows(place, document, depth + 1) }
  }
}

function assertValid(document: Document, name: string): void {
  const faults = [...document.problems, ...validateStructure(document)].filter(({ severity }) => severity === 'error')
  const [first] = faults
  if (first === undefined) return
  const { line, character } = first.range.start
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more; "svc lint" lists them)`
  throw new SvcError('document-invalid', { reason: `${name}:${line + 1}:${character + 1}: ${first.message}${more}` })
}

/**
 * Reads an Arazzo document and everything that its workflows need.
 * @param chosen where sources are read from, by name, in the place of what the document says
 * @throws SvcError as `readSide` does; `document-invalid` where it is no valid Arazzo document; `usage` for an unknown source
 */
export async function loadWorkflows(
  name: string,
  chosen: ReadonlyMap<string, string>,
  reading: Reading,
): Promise<Loaded> {
  const document = await readSide(name, reading)
  if (document.format?.kind !== 'arazzo')
    throw new SvcError('document-invalid', {
      reason: `${name} is no Arazzo document: those begin with "arazzo: 1.1.0" and describe workflows`,
    })
  assertValid(document, name)
  const loader = new Loader(reading, chosen)
  const read = await loader.workflows(name, document, 0)
  loader.assertUsed()
  return { document: read, texts: loader.texts }
}
