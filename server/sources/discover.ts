import type { Document } from '../../src/document/document.ts'
import { looksLikeDescription } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import { detectImportFormat, findImportFormat } from '../../src/import/importer.ts'
import { isDescriptionName, isDocumentName, isWithin } from '../../src/import/tree-path.ts'
import type { TreeReader } from './reader.ts'
import { type Scope, type Tree, treeLimits } from './tree.ts'

/** A document of a tree that no other one refers to. */
export interface FoundDocument {
  readonly path: string
  /** Id of an import format; "unknown" for what looks like a description and cannot be read. */
  readonly format: string
}

// Names that never hold a document of one's own.
const hidden = /(?:^|\/)(?:\.[^/]+|node_modules|bower_components|__MACOSX)(?:\/|$)/

// Every document of a known format has one of these words; most other JSON and YAML files have none.
const marks =
  /openapi|swagger|arazzo|\$schema|\$defs|definitions|properties|inputSchema|"?tools|manifest_version|dxt_version|remotes|packages|enum|const|items|allOf|anyOf|oneOf|required/

/** Descriptions of interfaces are documents of their own; a schema can also be part of one. */
const isWhole = (format: string): boolean => format === 'openapi' || format === 'swagger' || format === 'arazzo'

const documentPaths = (tree: Tree, folder: string): string[] =>
  tree.paths.filter((path) => isDocumentName(path) && isWithin(path, folder) && !hidden.test(path.slice(folder.length)))

// No one knows what an empty file was meant to be: often it is what a generator left that failed.
const isBlank = (text: string): boolean => text.trim() === ''

const isBroken = ({ source, text, value }: Document): boolean =>
  value === null && (isBlank(text) || looksLikeDescription(text) || isDescriptionName(source))

const textOrNull = (reader: TreeReader, path: string): Promise<string | null> =>
  reader.text(path).catch((error: unknown) => {
    if (error instanceof SvcError && error.code === 'document-invalid') return null
    throw error
  })

async function recognise(reader: TreeReader, paths: readonly string[], format: string): Promise<FoundDocument[]> {
  const wanted = format === 'auto' ? null : findImportFormat(format)
  const found: FoundDocument[] = []
  for (const path of paths) {
    const text = await textOrNull(reader, path)
    if (text !== null && !marks.test(text) && !isBlank(text) && !isDescriptionName(path)) continue
    const document = text === null ? null : await reader.document(path)
    const known = document === null ? null : detectImportFormat(document)
    // What looks like a description and cannot be read is reported when it is imported itself.
    if (known === null && wanted === null && (document === null || isBroken(document)))
      found.push({ path, format: 'unknown' })
    if (document === null || known === null || (wanted !== null && wanted.detect(document) === 0)) continue
    found.push({ path, format: known.id })
  }
  return found
}

// What one document must not refer to is reported when it is imported itself; the others have nothing to do with it.
const refusals: ReadonlySet<string> = new Set(['reference-outside-root', 'source-link', 'document-invalid'])
const reachOf = (reader: TreeReader, path: string): Promise<readonly string[]> =>
  reader.reach(path).catch((error: unknown) => {
    if (error instanceof SvcError && refusals.has(error.code)) return []
    throw error
  })

/**
 * The documents of a folder that are recognised and that no other one refers to, directly or through files between them, in the order of
 * their paths. A description of an interface is never a part of a schema; of files that refer to each other in a circle the
 * descriptions of interfaces represent the circle, otherwise its first schema.
 *
 * @param format only documents of this import format, or "auto"
 * @throws SvcError `source-too-large`
 */
export async function findIndependent(
  reader: TreeReader,
  folder: string,
  format: string,
): Promise<readonly FoundDocument[]> {
  const paths = documentPaths(reader.tree, folder)
  if (paths.length > treeLimits.documents)
    throw new SvcError('source-too-large', {
      source: reader.tree.name,
      what: 'JSON and YAML files',
      limit: treeLimits.documents,
    })
  await reader.tree.prefetch(paths)
  const known = await recognise(reader, paths, format)
  const reached = new Map<string, ReadonlySet<string>>()
  for (const { path } of known) reached.set(path, new Set(await reachOf(reader, path)))
  const isPartOf = (one: FoundDocument, other: FoundDocument): boolean => {
    if (one === other || reached.get(other.path)?.has(one.path) !== true) return false
    if (isWhole(one.format) !== isWhole(other.format)) return isWhole(other.format)
    const mutual = reached.get(one.path)?.has(other.path) === true
    return !mutual || (!isWhole(one.format) && other.path < one.path)
  }
  return known.filter((one) => !known.some((other) => isPartOf(one, other)))
}

/**
 * The one document that is meant in a scope: the one that is named, else the only independent one, else the only description of an
 * interface among them.
 * @throws SvcError `source-empty`, `source-ambiguous`
 */
export async function findEntry(reader: TreeReader, scope: Scope, format: string): Promise<string> {
  if (scope.entry !== null) return scope.entry
  const found = await findIndependent(reader, scope.within, format)
  const whole = found.filter((one) => isWhole(one.format))
  const chosen = [found, whole].find((some) => some.length === 1) ?? []
  if (chosen[0] !== undefined) return chosen[0].path
  const source = scope.within === '' ? reader.tree.name : `"${scope.within}" of ${reader.tree.name}`
  if (found.length === 0) throw nothingIn(source, reader.tree, scope, format)
  const named = (whole.length > 0 ? whole : found).map(({ path }) => path)
  const candidates =
    named.length > 10 ? `${named.slice(0, 10).join(', ')} and ${named.length - 10} more` : named.join(', ')
  throw new SvcError('source-ambiguous', { source, candidates })
}

/** The refusal of a source in which there is nothing to import. */
export function nothingIn(source: string, tree: Tree, scope: Scope, format: string): SvcError {
  const looked = documentPaths(tree, scope.within).length
  const what = format === 'auto' ? 'a format that svc knows' : `the format "${format}"`
  return new SvcError('source-empty', {
    source,
    looked: looked === 0 ? 'it has no JSON or YAML files' : `none of its ${looked} JSON and YAML files is of ${what}`,
  })
}
