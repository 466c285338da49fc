/** Makes the document that is to be read of the texts that an author wrote. */
import type { Document } from '../../src/document/document.ts'
import type { Path } from '../../src/kernel/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { parseReferenced } from '../../src/document/referenced-file.ts'
import { SvcError } from '../../src/errors.ts'
import type { Origin } from '../../src/import/bundle/bundle.ts'
import { shapeSchema } from '../../src/import/shape-schema.ts'
import { type Assembled, assembleDocuments } from '../sources/analysis-door.ts'
import type { Material, Parts, Shape } from './subject.ts'

/** The document, and where its author wrote what. */
export interface Made extends Pick<Assembled, 'originOf' | 'faults' | 'files'> {
  readonly document: Document
  /** Its text and syntax, where that is not what the author wrote. */
  readonly made: { readonly text: string; readonly syntax: 'json' | 'yaml' } | null
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The text of a subject, parsed. */
export function parseMaterial({ text, source, syntax, bytesOf }: Material): Document {
  return parseDocument(decode(bytesOf(text)), { source, ...(syntax === null ? {} : { syntax }) })
}

// A JSON Schema in the shape that the request asks for; every other document stays as it is.
function shaped(document: Assembled, { as, name, description }: Shape): Assembled {
  const { path, syntax } = document
  const own = parseDocument(decode(document.bytes), { source: path, ...(syntax === undefined ? {} : { syntax }) })
  if (own.format?.kind !== 'json-schema') {
    if (as === undefined) return document
    throw new SvcError('source-refused', { source: path, reason: '"as" is for JSON Schemas only' })
  }
  if (own.problems.some(({ severity }) => severity === 'error')) return document
  const made = shapeSchema(own, { shape: as ?? 'schema', name, description })
  if (made === null) return document
  const originOf = (at: Path): Origin => {
    const from = made.pathOf(at)
    return document.originOf?.(from) ?? { document: own, path: from, range: own.locate(from) }
  }
  return { ...document, bytes: new TextEncoder().encode(made.text), syntax: 'json', originOf }
}

// A document of a tree, or at an address, may name itself and others by where they are.
function joined({ text, source, bytesOf }: Material, { others }: Parts): Assembled & { readonly entry: Document } {
  const bytes = new Uint8Array(bytesOf(text))
  const entry = parseDocument(decode(bytes), { source })
  const documents = others.map((it) => parseReferenced(decode(bytesOf(it.text)), it.source))
  return { ...assembleDocuments(source, bytes, entry, documents), entry }
}

function plain({ text, source, syntax, bytesOf }: Material): Assembled {
  const known = syntax === null ? {} : { syntax }
  return { path: source, bytes: new Uint8Array(bytesOf(text)), faults: [], files: 1, ...known }
}

/**
 * The document of a subject: its own text, or what is made of several files and in the shape that was asked for.
 * @throws SvcError `source-refused`
 */
export function makeDocument(material: Material): Made {
  const { text, parts, bytesOf } = material
  if (parts === null) return { document: parseMaterial(material), made: null, faults: [], files: 1 }
  const whole = parts.joins ? joined(material, parts) : plain(material)
  const it = parts.shape === null ? whole : shaped(whole, parts.shape)
  const { path: source, bytes, syntax, originOf, faults, files } = it
  const isOwn = Buffer.compare(bytes, bytesOf(text)) === 0
  const document =
    isOwn && 'entry' in it
      ? (it.entry as Document)
      : parseDocument(decode(bytes), { source, ...(syntax === undefined ? {} : { syntax }) })
  const made = isOwn ? null : { text: decode(bytes), syntax: document.syntax }
  return { document, made, faults, files, ...(originOf === undefined ? {} : { originOf }) }
}
