import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument, readTolerantly } from '../../src/document/parse.ts'
import { looksLikeDescription, textOf } from '../../src/document/text.ts'
import type { Documents } from '../../src/document/reference.ts'
import { SvcError } from '../../src/errors.ts'
import { isDescriptionName } from '../../src/import/tree-path.ts'
import type { ResultCache } from '../cache/cache.ts'
import { beginWork } from '../deadline.ts'
import type { Invocation } from '../declare.ts'
import { codeOf } from '../file-cause.ts'
import { readSource, splitStored } from '../input/document-side.ts'
import { TypeReader } from '../input/types.ts'
import { readReferenced } from '../input/document-files.ts'
import { readDocument, readDocumentsOf } from '../input/documents.ts'
import { withOverlays } from '../project-file/overlays.ts'
import { readRegular, rootInFolder } from '../input/regular-file.ts'
import { filesBelow } from '../input/walk.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

type Around = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'>

/** A document to lint, and those that its references lead to. */
export interface Target {
  readonly document: Document
  readonly documents: Documents
}

/** A file of a folder that may be a document and cannot be read. */
export interface SkippedFile {
  readonly file: string
  readonly reason: string
}

/** The documents that a command line names. */
export interface Expanded {
  readonly files: readonly string[]
  /** The folder that was named, for each file that was found in one. */
  readonly folders: ReadonlyMap<string, string>
  /** Those in the folders that cannot be read. */
  readonly skipped: readonly SkippedFile[]
}

interface Expansion {
  readonly cache: ResultCache | null
  readonly cwd: string
  readonly skipped: SkippedFile[]
}

const mostFiles = 10_000
const endings = /\.(?:ya?ml|json)$/i
// Folders of other people's documents.
const passedOver = new Set(['node_modules', 'vendor', 'dist', 'target'])

const unreadFolder = (cause: string): string => `the folder cannot be read: ${cause}`
const isGlob = (text: string): boolean => /[*?[{]/.test(text)
const kindOf = async (path: string): Promise<'file' | 'folder' | null> => {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    return null
  }
}

// A description that cannot be read is one as well: linting it reports why.
const isApiDocument = async (
  path: string,
  cache: ResultCache | null,
): Promise<boolean | { readonly reason: string }> => {
  let bytes: Uint8Array
  let text: string
  try {
    bytes = await readRegular(basename(path), path)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return {
      reason: error.code === 'file-unreadable' ? (error as SvcError<'file-unreadable'>).detail.reason : error.message,
    }
  }
  try {
    text = textOf(bytes, basename(path))
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return isDescriptionName(path) || { reason: error.message }
  }
  // No one knows what an empty file was meant to be: often it is what a generator left that failed.
  if (text.trim() === '') return isDescriptionName(path) || { reason: 'The file is empty.' }
  if (!looksLikeDescription(text)) return false
  const key = cache?.key('is-document', /\.json$/i.test(path) ? 'json' : 'yaml', text)
  const known = key === undefined ? null : await cache?.get(key)
  if (typeof known === 'boolean') return known
  const { format, value } = parseDocument(text, { source: path })
  const isOne = format !== null || value === null
  if (key !== undefined) cache?.put(key, isOne)
  return isOne
}

async function inFolder(folder: string, { cwd, skipped, cache }: Expansion): Promise<string[]> {
  const found: string[] = []
  const nameOf = (path: string): string =>
    folder === '.' ? path.slice(resolve(cwd).length + 1) : join(folder, path.slice(resolve(cwd, folder).length))
  const walk = {
    isEntered: (name: string) => !name.startsWith('.') && !passedOver.has(name),
    onSkipped: (path: string, cause: string) => void skipped.push({ file: nameOf(path), reason: unreadFolder(cause) }),
  }
  for await (const path of filesBelow(resolve(cwd, folder), walk)) {
    if (!endings.test(path)) continue
    beginWork(`The work on ${nameOf(path)}`)
    const isOne = await isApiDocument(path, cache)
    if (isOne === false) continue
    const file = nameOf(path)
    if (isOne === true) found.push(file)
    else skipped.push({ file, reason: isOne.reason })
    if (found.length > mostFiles)
      throw new SvcError('usage', { reason: `"${folder}" contains more than ${mostFiles} documents` })
  }
  if (found.length === 0 && skipped.length === 0)
    throw new SvcError('usage', {
      reason: `The folder "${folder}" contains no OpenAPI, Arazzo, JSON Schema or MCP document`,
    })
  return found
}

// "{a,b/c}.yaml" as "a.yaml" and "b/c.yaml": the scanner does not look for a slash between braces.
function alternatives(glob: string): string[] {
  const patterns: string[] = []
  const waiting = [glob]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [whole, before = '', inner = '', after = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(next) ?? []
    if (whole === undefined || patterns.length + waiting.length > 1000) patterns.push(next)
    else waiting.push(...inner.split(',').map((it) => before + it + after))
  }
  return patterns
}

// The scanner stops at the first folder that cannot be read; then every folder is looked into, and that one is skipped.
async function matching(pattern: string, dot: boolean, { cwd, skipped }: Expansion): Promise<string[]> {
  const glob = new Bun.Glob(pattern)
  try {
    return await Array.fromAsync(glob.scan({ cwd, onlyFiles: true, dot }))
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error
  }
  const [fixed = ''] = /^(?:[^*?[{]*[\\/])?/.exec(pattern) ?? []
  const base = resolve(cwd, fixed)
  const nameOf = (path: string): string => fixed + path.slice(base.length).replace(/^[\\/]/, '')
  const walk = {
    isEntered: (name: string) => dot || !name.startsWith('.'),
    onSkipped: (path: string, cause: string) => void skipped.push({ file: nameOf(path), reason: unreadFolder(cause) }),
  }
  const names = (await Array.fromAsync(filesBelow(base, walk))).map(nameOf)
  return names.filter((it) => glob.match(it) && (dot || !/(?:^|[\\/])\.[^.\\/][^\\/]*$/.test(it)))
}

// A pattern that names a folder means its files; others skip what is installed, built or hidden.
async function byGlob(glob: string, expansion: Expansion): Promise<string[]> {
  const found: string[] = []
  const namesHidden = /(?:^|[\\/{,])\.[^.\\/]/.test(glob)
  const isNamed = (step: string): boolean => new RegExp(`(?:^|[^\\w-])${step}(?:[^\\w-]|$)`).test(glob)
  const isPassed = (path: string): boolean => path.split(/[\\/]/).some((step) => passedOver.has(step) && !isNamed(step))
  for (const pattern of alternatives(glob))
    found.push(...(await matching(pattern, namesHidden, expansion)).filter((it) => !isPassed(it)))
  if (found.length === 0 && expansion.skipped.length === 0)
    throw new SvcError('usage', { reason: `No files match "${glob}"` })
  return found.toSorted()
}

/**
 * The documents that a command line names: files, folders and globs become the files in them; addresses, "-" and
 * PROJECT@VERSION stay. Nothing at all means the current folder. A name that begins with "!" takes out what it matches.
 * @throws SvcError `usage` where a folder or glob holds nothing
 */
export async function expandTargets(
  names: readonly string[],
  { cwd }: Pick<Around, 'cwd'>,
  cache: ResultCache | null = null,
): Promise<Expanded> {
  const skipped: SkippedFile[] = []
  const all: string[] = []
  const folders = new Map<string, string>()
  const wanted = names.filter((it) => !it.startsWith('!'))
  const unwanted = names.filter((it) => it.startsWith('!')).map((it) => it.slice(1).replace(/^\.\//, ''))
  for (const name of wanted.length === 0 ? ['.'] : wanted) {
    const kind = name === '-' || isWebAddress(name) ? 'file' : await kindOf(resolve(cwd, name))
    if (kind === 'folder') {
      const found = await inFolder(name, { cwd, skipped, cache })
      for (const it of found) folders.set(it, resolve(cwd, name))
      all.push(...found)
    } else if (kind === null && isGlob(name)) all.push(...(await byGlob(name, { cwd, skipped, cache })))
    else all.push(name)
  }
  const globs = unwanted.map((it) => new Bun.Glob(it))
  const isWanted = (name: string): boolean => {
    const path = name.replaceAll('\\', '/').replace(/^\.\//, '')
    return (
      !unwanted.some((it) => path === it || path.startsWith(`${it.replace(/\/$/, '')}/`)) &&
      !globs.some((it) => it.match(path))
    )
  }
  // Whatever it is called, a file is checked once.
  const files = [...new Map(all.toReversed().map((it) => [resolve(cwd, it), it])).values()]
    .toReversed()
    .filter(isWanted)
  if (files.length === 0 && all.length > 0)
    throw new SvcError('usage', { reason: `The patterns with "!" leave out every file` })
  return { files, folders, skipped: skipped.filter(({ file }) => isWanted(file)) }
}

/** How one of them is read: what was found in a folder refers to files of that folder. */
export function boundTo<T extends Pick<Around, 'cwd' | 'globals'>>(around: T, { folders }: Expanded, file: string): T {
  const { cwd, globals } = around
  const folder = folders.get(file)
  if (folder === undefined) return around
  return { ...around, globals: { ...globals, root: rootInFolder(resolve(cwd, file), folder, globals.root) } }
}

/**
 * Reads one of them, as far as there is no doubt what is meant.
 * @param stdinName the path of the file whose text is on standard input
 * @throws SvcError `usage`, `document-invalid`, `egress-denied`, `fetch-failed`, and what the service answers
 */
export async function readTarget(name: string, around: Around, stdinName?: string): Promise<Target> {
  const { cwd } = around
  if (isWebAddress(name) || (splitStored(name) !== null && (await kindOf(resolve(cwd, name))) === null)) {
    const source = await readSource(name, around)
    const document = readTolerantly(parseDocument(source.text, { source: source.name }))
    // What cannot be read is left out: the reference to it is a finding.
    const others = await readReferenced(document, source, { missing: 'leave' })
    return { document, documents: await withTypes(document, others, source.types ?? new TypeReader(around)) }
  }
  const document = readTolerantly(await readDocument(name, around, stdinName))
  const documents = await readDocumentsOf(document, around)
  return { document, documents: await withTypes(document, Object.values(documents), new TypeReader(around)) }
}

async function withTypes(document: Document, others: readonly Document[], reader: TypeReader): Promise<Documents> {
  const types = await reader.read([document, ...others])
  return Object.fromEntries([...others, ...types].map((it) => [it.source, it]))
}

/**
 * A document with the overlays of the API whose root it is, and what it refers to then; the same where there are none.
 * @throws SvcError as `withOverlays` does
 */
export async function overlaidTarget(target: Target, around: Around): Promise<Target> {
  const { source } = target.document
  if (source === '-' || isWebAddress(source)) return target
  const document = await withOverlays(target.document, source, around)
  if (document === target.document) return target
  const documents = await readDocumentsOf(document, around)
  return { document, documents: await withTypes(document, Object.values(documents), new TypeReader(around)) }
}
