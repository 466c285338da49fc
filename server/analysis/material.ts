/** Makes the document that is to be read of the texts that an author wrote. */
import type { Document } from '../../src/document/document.ts'
import type { Path } from '../../src/kernel/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { parseReferenced } from '../../src/document/referenced-file.ts'
import { SvcError } from '../../src/errors.ts'
import type { Origin } from '../../src/import/bundle/bundle.ts'
import { shapeSchema } from '../../src/import/shape-schema.ts'
import type { AppliedAction } from '../../src/overlay/apply.ts'
import { overlayOf, type Overlay } from '../../src/overlay/read.ts'
import { isOverlaid, traceOverlays } from '../../src/overlay/trace.ts'
import { unmatchedMessages } from '../../src/overlay/unmatched.ts'
import { type Assembled, assembleDocuments } from '../sources/analysis-door.ts'
import type { Material, Parts, Shape } from './subject.ts'

/** An overlay that was applied to a document. */
export interface AppliedOverlay {
  /** The name that its file or the request gave it. */
  readonly source: string
  readonly title: string
  readonly actions: number
  /** How many nodes its actions selected, together. */
  readonly matches: number
  /** A sentence with its place for each action that selected nothing. */
  readonly unmatched: readonly string[]
  /** What each of the first actions did. */
  readonly effects: readonly OverlayEffect[]
}

/** What one action did. */
export interface OverlayEffect extends Pick<AppliedAction, 'target' | 'kind' | 'matches' | 'places'> {
  /** What its author says of it. */
  readonly description: string | null
}

/** An overlay may have thousands of actions; a person looks at the first. */
const shownActions = 100

/** The document, and where its author wrote what. */
export interface Made extends Pick<Assembled, 'originOf' | 'faults' | 'files'> {
  /** What overlays did to it, in their order; null where none was applied. */
  readonly overlaid: readonly AppliedOverlay[] | null
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
function shaped(document: Assembled, { as, name, description }: Shape, entry: Document): Assembled {
  const { path, syntax } = document
  const isBundle = document.originOf !== undefined
  const own = isBundle
    ? parseDocument(decode(document.bytes), { source: path, ...(syntax === undefined ? {} : { syntax }) })
    : entry
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

/** The text of a document that is made of parts, after its overlays. */
interface Entry extends Pick<Made, 'overlaid'> {
  readonly document: Document
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** @throws SvcError `overlay-invalid`, `overlay-failed`, each with its place */
function entryOf({ text, source, syntax, bytesOf }: Material, { overlays = [] }: Parts): Entry {
  const bytes = new Uint8Array(bytesOf(text))
  const document = parseDocument(decode(bytes), { source, ...(syntax === null ? {} : { syntax }) })
  // What cannot be read is reported as it is.
  if (overlays.length === 0 || document.problems.some(({ severity }) => severity === 'error'))
    return { document, bytes, overlaid: null }
  const read = overlays.map((it) => overlayOf(parseDocument(decode(bytesOf(it.text)), { source: it.source })))
  const made = traceOverlays(document, read)
  const actions = [...made.actions]
  const overlaid = read.map((overlay) => resultOf(overlay, actions.splice(0, overlay.actions.length)))
  return { document: made.document, bytes: new TextEncoder().encode(made.document.text), overlaid }
}

const resultOf = (overlay: Overlay, actions: readonly AppliedAction[]): AppliedOverlay => ({
  source: overlay.document.source,
  title: overlay.title,
  actions: actions.length,
  matches: actions.reduce((sum, { matches }) => sum + matches, 0),
  unmatched: unmatchedMessages(actions, [overlay]),
  effects: actions.slice(0, shownActions).map(({ index, target, kind, matches, places }) => {
    const description = overlay.actions.find((it) => it.index === index)?.description ?? null
    return { description, target, kind, matches, places }
  }),
})

// A document of a tree, or at an address, may name itself and others by where they are.
function joined({ source, bytesOf }: Material, { document, bytes }: Entry, { others }: Parts): Assembled {
  const documents = others.map((it) => parseReferenced(decode(bytesOf(it.text)), it.source))
  return assembleDocuments(source, bytes, document, documents)
}

function plain({ source, syntax }: Material, { bytes }: Entry): Assembled {
  const known = syntax === null ? {} : { syntax }
  return { path: source, bytes, faults: [], files: 1, ...known }
}

/** Where a node was written: in an overlay where one made it. */
function writtenOrigin(origin: Origin): Origin {
  if (!isOverlaid(origin.document)) return origin
  const { document, path } = origin.document.writtenAt(origin.path)
  return { document, path, range: document.locate(path) }
}

/** What is known of a document that is its own text and nothing else. */
export const asWritten: Omit<Made, 'document'> = { made: null, overlaid: null, faults: [], files: 1 }

/**
 * The document of a subject: its own text, or what is made of several files and in the shape that was asked for.
 * @throws SvcError `source-refused`, `overlay-invalid`, `overlay-failed`
 */
export function makeDocument(material: Material): Made {
  const { text, parts, bytesOf } = material
  if (parts === null) return { ...asWritten, document: parseMaterial(material) }
  const entry = entryOf(material, parts)
  const whole = parts.joins ? joined(material, entry, parts) : plain(material, entry)
  const it = parts.shape === null ? whole : shaped(whole, parts.shape, entry.document)
  const { path: source, bytes, syntax, originOf, faults, files } = it
  const isOwn = bytes === entry.bytes
  const document = isOwn
    ? entry.document
    : parseDocument(decode(bytes), { source, ...(syntax === undefined ? {} : { syntax }) })
  const isAsWritten = isOwn && Buffer.compare(bytes, bytesOf(text)) === 0
  const made = isAsWritten ? null : { text: decode(bytes), syntax: document.syntax }
  const own = (path: Path): Origin => ({ document: entry.document, path, range: entry.document.locate(path) })
  const find = entry.overlaid === null ? originOf : (path: Path) => writtenOrigin((originOf ?? own)(path))
  return { document, made, overlaid: entry.overlaid, faults, files, ...(find === undefined ? {} : { originOf: find }) }
}
