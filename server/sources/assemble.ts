import type { Document, Problem } from '../../src/document/document.ts'
import { ExampleFiles } from '../../src/document/example-files.ts'
import { serializeJson } from '../../src/document/serialize.ts'
import { utf8Of } from '../../src/document/text.ts'
import { bundleDocument, type Origin } from '../../src/import/bundle/bundle.ts'
import type { Path } from '../../src/kernel/json.ts'
import type { TreeReader } from './reader.ts'

/** A problem of one file of several. */
export interface PlacedProblem {
  readonly source: string
  readonly problem: Problem
}

/** One document that is to be imported, whatever it was read from. */
export interface Assembled {
  /** What findings call it: its path in a tree, or the name of a single text. */
  readonly path: string
  /** The author's own bytes, or the text of the bundle. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly syntax?: 'json' | 'yaml'
  /** Of a bundle: where its nodes were written. */
  readonly originOf?: (path: Path) => Origin
  /** What is wrong with the texts of the other files. */
  readonly faults: readonly PlacedProblem[]
  /** How many files it was made of. */
  readonly files: number
}

/** The files that a document is made of, those that only hold the value of an example as what they are. */
function withValues(entry: Document, read: readonly Document[]): Document[] {
  const examples = new ExampleFiles()
  for (const document of [entry, ...read]) examples.linksOf(document)
  return read.map((it) => examples.asValue(it))
}

/** Makes one of a document and those that it refers to; where there is nothing to join it stays, byte for byte. */
export function assembleDocuments(
  path: string,
  own: Uint8Array<ArrayBuffer>,
  entry: Document,
  read: readonly Document[],
): Assembled {
  const others = withValues(entry, read)
  const faults = others.flatMap(({ source, problems }) =>
    problems.filter(({ severity }) => severity === 'error').map((problem) => ({ source, problem })),
  )
  const files = others.length + 1
  const bundle = bundleDocument(entry, others)
  if (bundle === null) return { path, bytes: own, faults, files }
  const bytes = new TextEncoder().encode(serializeJson(bundle.value))
  return { path, bytes, syntax: 'json', originOf: bundle.originOf, faults, files }
}

/**
 * Reads a document of a tree with everything that it refers to, and makes one of it. One that refers to nothing stays, byte for byte.
 * @throws SvcError `reference-outside-root`, `source-too-large`
 */
export async function assemble(reader: TreeReader, path: string): Promise<Assembled> {
  const entry = await reader.document(path)
  const others = await reader.reached(path)
  const bytes = utf8Of(new Uint8Array(await reader.bytes(path)), path)
  return assembleDocuments(path, bytes, entry, others)
}
