import type { Document } from '../../document/document.ts'
import type { Json, Path } from '../../kernel/json.ts'

/** Where a part of a document was written: `path` is the way to it in that file. */
export interface Written {
  readonly source: string
  readonly path: Path
  readonly document: Document
}

/** A document made of several. What it says of places is said of the files in which they were written. */
export interface BundledDocument extends Document {
  /** The value of the first file alone. */
  readonly own: Json
  /** The first file, and those that it refers to, each by its name. */
  readonly files: readonly Document[]
  readonly originOf: (path: Path) => Written
}

export const isBundled = (document: Document): document is BundledDocument => 'originOf' in document
