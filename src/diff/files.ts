/** Changes of whole files, and the changes of many files as one result: for comparisons of two folders or archives. */
import type { Document } from '../document/document.ts'
import { changeSeverities, type Change } from './change.ts'
import { conclude } from './conclude.ts'
import type { DiffOptions, DiffResult } from './options.ts'
import { Side } from './side.ts'
import { tallyOf } from './tally.ts'

const nouns = {
  openapi: 'API description',
  swagger: 'API description',
  arazzo: 'Arazzo description',
  mcp: 'MCP description',
  'json-schema': 'JSON Schema',
} as const

/**
 * The one change of a file that only one side has: breaking where it was removed, non-breaking where it was added.
 *
 * @param document the file, on the side that has it
 * @param file its path, for the message
 */
export function fileChange(
  action: 'added' | 'removed',
  document: Document,
  file: string,
  options: DiffOptions,
): DiffResult {
  const sides = { base: new Side('base', document), head: new Side('head', document) }
  const fact = {
    area: 'document',
    kind: 'itself',
    action,
    direction: null,
    base: action === 'removed' ? [] : null,
    head: action === 'added' ? [] : null,
    before: null,
    after: null,
    subject: `the ${nouns[document.format?.kind ?? 'json-schema']} "${file}"`,
    verdict: action === 'removed' ? 'breaking' : 'safe',
    reason: null,
    witness: null,
  } as const
  return conclude([{ fact, operations: [] }], sides, options)
}

const named = (change: Change, file: string, base: string, head: string): Change => ({
  ...change,
  file,
  base: change.base && { ...change.base, source: change.base.source ?? base },
  head: change.head && { ...change.head, source: change.head.source ?? head },
})

/** What came out for one file; `base` and `head` are what its two sides are called. */
export interface FileResult {
  readonly file: string
  readonly base: string
  readonly head: string
  readonly result: DiffResult
}

/** The results of all files as one: each change names its file and the sources of its places; the worst come first. */
export function mergeFiles(files: readonly FileResult[]): DiffResult {
  const changes = files
    .flatMap(({ file, base, head, result }) => result.changes.map((it) => named(it, file, base, head)))
    .toSorted((a, b) => changeSeverities.indexOf(a.severity) - changeSeverities.indexOf(b.severity))
  const ignored = files.flatMap(({ file, base, head, result }) =>
    result.ignored.map((it) => ({ ...it, change: named(it.change, file, base, head) })),
  )
  return { changes, ...tallyOf(changes), ignored }
}
