/** What the page asks of the worker, and what it answers. */
import type { CompareAnswer } from '../../src/playground/compare.ts'
import type { Contained } from '../../src/diff/contains.ts'
import type { Made } from '../../src/playground/convert.ts'
import type { PastedFile } from '../../src/playground/files.ts'
import type { LintAnswer } from '../../src/playground/lint.ts'

/** Each task with its arguments and its answer. */
export interface Tasks {
  lint: { take: { text: string; guide?: string; rule?: string }; give: LintAnswer }
  compare: { take: { base: PastedFile; head: PastedFile; asOf: string }; give: CompareAnswer }
  convert: { take: { text: string; to: string }; give: Made }
  bundle: { take: { files: PastedFile[] }; give: Made }
  fix: { take: { text: string }; give: Made }
  contains: { take: { a: string; b: string }; give: Contained }
}

export type TaskName = keyof Tasks

/** One question; answers carry its number. */
export interface Question<Name extends TaskName = TaskName> {
  readonly id: number
  readonly task: Name
  readonly take: Tasks[Name]['take']
}

/** What the worker says: that it is ready, an answer, or why there is none. */
export type Said =
  | { readonly ready: true }
  | { readonly id: number; readonly give: unknown }
  | { readonly id: number; readonly refused: string }
