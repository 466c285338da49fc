import { editText, type TextEdit } from '../../src/document/edit-text.ts'
import { digestText } from '../../src/document/serialize.ts'
import type { SchemaShape } from '../../src/import/shape-schema.ts'

/** How a JSON Schema is to be shaped before it is read. */
export interface Shape {
  readonly as?: SchemaShape | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** The files that a document is made of beside its own text. */
export interface Parts {
  /** Its text is a file of a tree or at an address, and may refer to others, and to itself, by where they are. */
  readonly joins: boolean
  /** Those that it refers to, by the keys of their texts. */
  readonly others: readonly PartText[]
  /** The overlays that are applied to its own text ahead of everything else, in their order; none where it is left out. */
  readonly overlays?: readonly PartText[]
  readonly shape: Shape | null
}

/** A further text of a document, by its key. */
interface PartText {
  readonly source: string
  readonly text: string
}

/** The registered types that a document refers to. */
export interface SubjectTypes {
  /** The key of the document without them. */
  readonly of: string
  /** Each by the reference that the document or another type names it by, without a fragment, and the key of its text. */
  readonly list: readonly { readonly ref: string; readonly text: string }[]
}

/** What was changed in a stored text, and is stored nowhere. */
export interface SubjectEdits {
  /** The key of the stored text. */
  readonly of: string
  readonly list: readonly TextEdit[]
}

/** A text to be analysed, and how it is to be read: all but the text itself. */
export interface Named {
  /** The same for the same texts read in the same way: what was found may be remembered by it. */
  readonly key: string
  /** The key of its text. */
  readonly text: string
  /** The name that findings show. */
  readonly source: string
  /** Id of an import format, or "auto". */
  readonly format: string
  readonly projectNameField: string | null
  /** The syntax of the text, where it is known; the source's name tells it otherwise. */
  readonly syntax: 'json' | 'yaml' | null
  /** Null where it is the text and nothing else. */
  readonly parts: Parts | null
  /** The types that are read with it where schemas count; none where it is left out. */
  readonly types?: SubjectTypes
  /** Its text is a stored one with these edits; the stored one itself where it is left out. */
  readonly edits?: SubjectEdits
}

/** The bytes of a text, which are read where someone needs them. */
export interface Text {
  readonly key: string
  load(): Uint8Array | Promise<Uint8Array>
}

/** What is to be analysed, as the server knows it. */
export interface Subject extends Named {
  readonly texts: readonly Text[]
  /** How many bytes its texts have, about. */
  readonly size: number
}

/** What is to be analysed, where its texts are available. */
export interface Material extends Named {
  /** The bytes of one of its texts. */
  bytesOf(key: string): Uint8Array
}

/** A subject without its texts. */
export function namedOf({ key, text, source, format, projectNameField, syntax, parts, types, edits }: Named): Named {
  return {
    key,
    text,
    source,
    format,
    projectNameField,
    syntax,
    parts,
    ...(types === undefined ? {} : { types }),
    ...(edits === undefined ? {} : { edits }),
  }
}

/** The keys of all texts that it is made of. */
export const textKeysOf = ({ text, parts, types, edits }: Named): string[] => [
  edits?.of ?? text,
  ...(parts?.others ?? []).map((it) => it.text),
  ...(parts?.overlays ?? []).map((it) => it.text),
  ...(types?.list ?? []).map((it) => it.text),
]

/** A further text that a document is made of. */
interface RequestText {
  readonly source: string
  readonly digest: string
  readonly bytes: Uint8Array
}

/** What is to be analysed: the text of a tenant, and how it is to be read. */
export interface AnalysisRequest {
  readonly tenantId: string
  /** The digest of its bytes. */
  readonly digest: string
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>)
  /** How many they are, where they are read later. */
  readonly size?: number
  readonly source: string
  readonly format: string
  readonly projectNameField?: string | null
  readonly syntax?: 'json' | 'yaml' | undefined
  readonly joins?: boolean
  readonly others?: readonly RequestText[]
  /** Overlays, in the order in which they are applied. */
  readonly overlays?: readonly RequestText[]
  readonly shape?: Shape | null
}

/** Makes a subject of a request. */
export function subjectOf(request: AnalysisRequest): Subject {
  const { tenantId, digest, bytes, source, format, projectNameField = null, syntax = null } = request
  const { joins = false, others = [], overlays = [], shape = null } = request
  const keyOf = (one: string): string => `${tenantId} ${one}`
  const partOf = (it: RequestText): PartText => ({ source: it.source, text: keyOf(it.digest) })
  const laid = overlays.length === 0 ? {} : { overlays: overlays.map(partOf) }
  const isPlain = !joins && shape === null && overlays.length === 0
  const parts = isPlain ? null : { joins, others: others.map(partOf), ...laid, shape }
  const first: Text = { key: keyOf(digest), load: () => (typeof bytes === 'function' ? bytes() : bytes) }
  const further = [...others, ...overlays]
  const rest = further.map((it): Text => ({ key: keyOf(it.digest), load: () => it.bytes }))
  const own = typeof bytes === 'function' ? (request.size ?? 0) : bytes.byteLength
  return {
    key: JSON.stringify([tenantId, digest, source, format, projectNameField, syntax, parts]),
    text: first.key,
    source,
    format,
    projectNameField,
    syntax,
    parts,
    texts: [first, ...rest],
    size: further.reduce((sum, it) => sum + it.bytes.byteLength, own),
  }
}

/** The same for the same content, whatever it is called. */
export const contentKey = ({ key, text, parts, types }: Named): string =>
  parts === null && types === undefined ? text : key

/** A schema of a registered type, and the reference that names it. */
export interface TypeText {
  readonly ref: string
  /** JSON text. */
  readonly schema: string
}

/** The same document read with the registered types that it refers to. */
export function withTypes(subject: Subject, types: readonly TypeText[]): Subject {
  if (types.length === 0) return subject
  const [tenantId, ...rest] = JSON.parse(subject.key) as [string, ...unknown[]]
  const list = types.map(({ ref, schema }) => ({ ref, text: `${tenantId} ${digestText(schema)}` }))
  const texts = types.map(({ schema }, at): Text => ({
    key: list[at]?.text ?? '',
    load: () => new TextEncoder().encode(schema),
  }))
  return {
    ...subject,
    key: JSON.stringify([tenantId, ...rest, list]),
    types: { of: subject.key, list },
    texts: [...subject.texts, ...texts],
    size: types.reduce((sum, { schema }) => sum + schema.length, subject.size),
  }
}

/** The same document with edits that are stored nowhere. */
export function withEdits(subject: Subject, list: readonly TextEdit[]): Subject {
  if (list.length === 0) return subject
  const digest = digestText(JSON.stringify(list))
  return {
    ...subject,
    key: JSON.stringify([...(JSON.parse(subject.key) as unknown[]), digest]),
    text: `${subject.text} ${digest}`,
    edits: { of: subject.text, list },
  }
}

/** What is to be analysed, where texts are available by their keys. */
export function materialOf(named: Named, bytesOf: (key: string) => Uint8Array): Material {
  const { edits, text } = named
  if (edits === undefined) return { ...named, bytesOf }
  let edited: Uint8Array | undefined
  const make = (): Uint8Array =>
    new TextEncoder().encode(editText(new TextDecoder().decode(bytesOf(edits.of)), edits.list))
  return { ...named, bytesOf: (key) => (key === text ? (edited ??= make()) : bytesOf(key)) }
}

/** The tenant that a subject is of. */
export const tenantIn = ({ key }: Named): string => (JSON.parse(key) as [string])[0]
