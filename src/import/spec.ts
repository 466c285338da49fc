import type { Document, Format, Problem } from '../document/document.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { Documents } from '../document/reference.ts'

/** One operation of an API. */
export interface Operation {
  /** Method and path as people say it: "GET /pets". */
  readonly ref: string
  /** Upper-case. */
  readonly method: string
  readonly path: string
  readonly operationId: string | null
  readonly summary: string | null
  readonly tags: readonly string[]
  readonly deprecated: boolean
  /** Where the operation is in the imported document (RFC 6901). */
  readonly pointer: string
}

/** What an import format makes of a document: everything the service stores, lists and renders. */
export interface ImportedSpec {
  readonly format: Format
  /** The project's name. */
  readonly name: string
  /** The version's label, as the document says it. */
  readonly version: string
  readonly title: string
  readonly description: string | null
  /** The document as it was read. The stored text stays the author's own. */
  readonly content: JsonObject
  /** The API, or only its classes, as OpenAPI 3.1.0. */
  readonly openapi: JsonObject
  /** The workflows, as Arazzo 1.0.1 or 1.1.0, as they were written. */
  readonly arazzo: JsonObject | null
  /** The named schemas, in JSON Schema 2020-12; they refer to each other by `#/components/schemas/NAME`. */
  readonly classes: Readonly<Record<string, Json>>
  readonly operations: readonly Operation[]
  /** What the document breaks of its specification. An empty list is what "document-valid" means. */
  readonly problems: readonly Problem[]
  /** References that cannot be resolved. */
  readonly unresolved: readonly Problem[]
  /** What could not be carried over whole. */
  readonly warnings: readonly Problem[]
}

/** What the importing person may say about the document. */
export interface ImportOptions {
  /** Takes the place of the name that the document gives. */
  readonly projectName?: string | undefined
  /** A dot path ("info.x-name") or JSON Pointer of the field that holds the name. */
  readonly projectNameField?: string | undefined
  /** Takes the place of the version that the document gives. */
  readonly version?: string | undefined
  /** Other documents that references may lead to, by file name or URL. */
  readonly documents?: Documents | undefined
}

/** One way of reading documents. Its id is the name of its file, and of the command `svc import <id>`. */
export interface ImportFormat {
  readonly id: string
  /** One line for `svc import --list`. */
  readonly summary: string
  /** How sure the format is that the document is its own: 0 no, 1 yes. */
  readonly detect: (document: Document) => number
  /** Reads a document whose root is an object. Never throws: problems are in the result. */
  readonly read: (document: Document, content: JsonObject, options: ImportOptions) => ImportedSpec
}
