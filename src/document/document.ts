import type { Json, Path } from '../kernel/json.ts'
import type { Range } from './position.ts'

/** The kinds of documents that svc knows. */
export type Kind = 'openapi' | 'swagger' | 'arazzo' | 'json-schema' | 'mcp'

/** What a document says it is: its kind and the version of that specification, as `{kind: 'openapi', version: '3.1'}`. */
export interface Format {
  readonly kind: Kind
  /** Major and minor: "2.0", "3.0", "3.1", "3.2", "1.0"; for JSON Schema "draft-04" … "2020-12"; for MCP "manifest", "server". */
  readonly version: string
}

/** Something wrong with a text before any rule looked at it: a syntax error, a duplicate key, a bomb. */
export interface Problem {
  /** A kebab-case id: "syntax", "duplicate-key", "nesting-too-deep", "alias-bomb", "nul-character", "empty-document" … */
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly path: Path
  readonly range: Range
}

/**
 * A parsed text. Documents with errors are values as well: `problems` says what is wrong. `value` is null where nothing can be
 * read; after a repeated key it is usable.
 */
export interface Document {
  /** Where the text came from, as its reader knows it: a file name, a URL, "-". */
  readonly source: string
  readonly text: string
  readonly syntax: 'json' | 'yaml'
  readonly value: Json
  readonly format: Format | null
  readonly problems: readonly Problem[]
  /** The value with an `ExactNumber` for each number that no double holds; `value` itself where there is none. Computed on each call. */
  exactValue(): Json
  /**
   * The range of the node at `path`, in this document's own text; where the node does not exist, of its nearest existing
   * ancestor. `key: true` asks for the range of the key instead of its value; `spectral: true` for the range that Spectral
   * reports, where containers begin behind the key and end with their last leaf. Computed on first use by one scan.
   */
  locate(path: Path, options?: { readonly key?: boolean; readonly spectral?: boolean }): Range
  /** The offsets of the node at `path`, or of its key; null where exactly this node is not written. For those who edit the text. */
  span(path: Path, options?: { readonly key?: boolean }): { readonly start: number; readonly end: number } | null
  /** How many lines the text has. */
  countLines(): number
  /**
   * Lines `first` (from 0) to `last`, at most those that there are, each with the place that it shows: the outermost node that
   * begins there, else the innermost one around it.
   */
  linesAt(first: number, last: number): readonly { readonly text: string; readonly path: Path }[]
  /** Keys of YAML that mean a number, a boolean or null, and only become texts by being keys: `200:` without quotes. */
  nonStringKeys(): readonly { readonly type: string; readonly path: Path; readonly range: Range }[]
  /** The keys of the object at `path` as they are written: parsed values put integer-like keys first. Empty if there is no object. */
  keysInOrder(path: Path): readonly string[]
}
