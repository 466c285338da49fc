/** Places on the way through the files of a bundle. */
import type { Document } from '../../document/document.ts'
import type { Shape } from '../../document/validate/grammar.ts'
import type { Json, Path } from '../../kernel/json.ts'
import { formatPointer } from '../../kernel/pointer.ts'

/** A place in a file, and what is expected there. */
export interface ExpectedNode {
  readonly document: Document
  readonly path: Path
  readonly value: Json
  readonly shape: Shape
}

/** Where the walk is: in which file, at which place of it, at which place of the bundle, and what was inlined on the way. */
export interface At {
  readonly document: Document
  readonly path: Path
  /** Null while a place is looked at that has no name yet. */
  readonly out: Path | null
  readonly inlined: ReadonlyMap<string, Path>
  /** Whether the file is written as a schema resource of its own, in which its references mean what they did. */
  readonly embedded: boolean
}

/** The place of a child. */
export const step = (at: At, key: string | number): At => ({
  ...at,
  path: [...at.path, key],
  out: at.out === null ? null : [...at.out, key],
})

/** What a place of a file is called in a section. */
export const keyOf = (file: string, path: Path, section: string): string => `${file}#${formatPointer(path)} ${section}`
