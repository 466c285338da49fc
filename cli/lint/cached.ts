/** Lints files of this machine, those that did not change since the last time from the cache. */
import { resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import type { Overlay } from '../../src/overlay/read.ts'
import { laidOver, type LaidOver } from '../project-file/overlays.ts'
import { placeFindings } from './overlaid.ts'
import { parseDocument, readTolerantly } from '../../src/document/parse.ts'
import { textOf } from '../../src/document/text.ts'
import type { ToolTokens } from '../../src/lint/descriptors/budget.ts'
import type { Finding } from '../../src/lint/finding.ts'
import type { GradeResult } from '../../src/lint/grade.ts'
import type { SkippedRule } from '../../src/lint/lint.ts'
import { reachOf } from '../../src/lint/reach.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import type { Suppressions } from '../../src/lint/suppressions/suppress.ts'
import { digestOf, type ResultCache } from '../cache/cache.ts'
import { areUnchanged, FilesRecorder, type FilesRead } from '../input/files-read.ts'
import type { Globals } from '../globals.ts'
import { lazyDocument } from '../cache/lazy-document.ts'
import { localSource } from '../input/document-source.ts'
import { readDocumentsOf } from '../input/documents.ts'
import { readRegular } from '../input/regular-file.ts'
import { mayUseTypes } from '../input/types.ts'
import type { LintTargetOptions } from '../../src/lint/linted.ts'
import { lintTarget, type Linted } from './outcome.ts'

/** What is stored of a document: `Linted` without the document. */
interface Entry {
  readonly read: FilesRead
  readonly findings: readonly Finding[]
  readonly grade: GradeResult | null
  readonly tools: ToolTokens | null
  readonly readable: boolean
  readonly skipped: readonly SkippedRule[]
  readonly matched: readonly (readonly [string, boolean])[]
  readonly suppressions: readonly (readonly [string, Suppressions])[]
  readonly reach: readonly (readonly [string, number])[]
  readonly unmatched: readonly string[]
}

/** What decides the findings beside the document and the files that it refers to. */
export interface CachedLint extends LintTargetOptions {
  readonly cache: ResultCache
  /** The digest of the style guide with everything that it extends; null where nothing can be kept. */
  readonly guideDigest: string | null
  readonly cwd: string
  /** The service whose types documents may refer to, and the folder outside which no file is read. */
  readonly globals: Pick<Globals, 'baseUrl' | 'root'>
  /** Those that `svc.yaml` names for the file, in their order. */
  readonly overlays: readonly Overlay[]
  /** Says which of their actions selected nothing. */
  readonly warn: (of: Pick<LaidOver, 'unmatched'>) => void
}

/** Null for what is not a file, or cannot be read: its reader says why. */
async function textOfFile(name: string, path: string): Promise<string | null> {
  const bytes = await readRegular(name, path).catch(() => null)
  return bytes === null ? null : textOf(bytes, name)
}

const readOf = ({ source, text }: Document, cwd: string): FilesRead[number] => [
  resolve(cwd, source).replaceAll('\\', '/'),
  digestOf(text),
]

/**
 * Lints a file of this machine with its overlays and what it refers to.
 * @param name as it is given on the command line
 * @returns null for what is not a file of this machine, for the caller to read
 * @throws SvcError as `readDocument`, `readDocumentsOf` and `laidOver` do
 */
export async function lintCached(
  name: string,
  ruleset: Ruleset,
  { cache, guideDigest, cwd, globals, overlays, warn, ...how }: CachedLint,
): Promise<Linted | null> {
  const { baseUrl, root } = globals
  const path = resolve(cwd, name)
  const text = name === '-' ? null : await textOfFile(name, path)
  // Types change without the files that refer to them.
  if (text === null || mayUseTypes({ text }, baseUrl)) return null
  const decided = JSON.stringify([how.chosen, how.name, how.knowsTypes, baseUrl, root])
  const laid = overlays.flatMap(({ document }) => [document.source, document.text])
  const key = guideDigest === null ? null : cache.key('lint', guideDigest, decided, path, name, text, ...laid)
  const known = key === null ? null : ((await cache.get(key)) as Entry | null)
  const overlaysRead = overlays.map(({ document }) => readOf(document, cwd))
  if (known !== null && (await areUnchanged(known.read, localSource(name, cwd, root).files))) {
    warn(known)
    return {
      document: lazyDocument(text, name),
      findings: known.findings,
      grade: known.grade,
      tools: known.tools,
      readable: known.readable,
      skipped: known.skipped,
      matched: new Map(known.matched),
      suppressions: new Map(known.suppressions),
      reach: new Map(known.reach),
      read: [...known.read, ...overlaysRead],
    }
  }
  const made = await laidOver(readTolerantly(parseDocument(text, { source: name })), overlays)
  warn(made)
  const { document } = made
  const files = new FilesRecorder()
  const documents = await readDocumentsOf(document, { cwd, globals }, files)
  if (Object.values(documents).some((it) => mayUseTypes(it, baseUrl))) return null
  const linted = placeFindings(await lintTarget({ document, documents }, ruleset, how))
  const count = reachOf(document)
  const own = linted.findings.filter((it) => it.source === document.source)
  const reach = linted.reach ?? new Map(own.map((it) => [it.pointer, count(it.pointer)]))
  const { findings, grade, tools, readable, skipped, matched, suppressions } = linted
  const entry: Entry = {
    read: files.read,
    findings,
    grade,
    tools,
    readable,
    skipped,
    matched: [...matched],
    suppressions: [...suppressions],
    reach: [...reach],
    unmatched: made.unmatched,
  }
  if (key !== null) cache.put(key, entry)
  return { ...linted, reach, read: [...files.read, ...overlaysRead] }
}
