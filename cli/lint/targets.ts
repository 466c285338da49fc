import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import type { Documents } from '../../src/document/reference.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readSource, splitStored } from '../input/document-side.ts'
import { readReached } from '../input/document-files.ts'
import { readDocument, readReferenced } from '../input/documents.ts'

type Around = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection'>

/** A document to lint, and those that its references lead to. */
export interface Target {
  readonly document: Document
  readonly documents: Documents
}

const mostFiles = 10_000
const endings = /\.(?:ya?ml|json)$/i
// Folders of other people's documents.
const passedOver = new Set(['node_modules', 'vendor', 'dist', 'target'])

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)
const isGlob = (text: string): boolean => /[*?[{]/.test(text)
const kindOf = async (path: string): Promise<'file' | 'folder' | null> => {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    return null
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !passedOver.has(entry.name)) yield* filesBelow(join(folder, entry.name))
    } else if (entry.isFile() && endings.test(entry.name)) yield join(folder, entry.name)
  }
}

// Whether a file is worth parsing: a document of ours names its kind at its top level.
const marks =
  /(?:^|[\n{,])\s*["']?(?:openapi|swagger|arazzo|\$schema|protocolVersion|mcpVersion|inputSchema|manifest_version|dxt_version|serverInfo)["']?\s*:/
const isApiDocument = async (path: string): Promise<boolean> => {
  const text = await readFile(path, 'utf8')
  return marks.test(text) && parseDocument(text, { source: path }).format !== null
}

async function inFolder(folder: string, cwd: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of filesBelow(resolve(cwd, folder))) {
    if (!(await isApiDocument(path))) continue
    found.push(
      folder === '.' ? path.slice(resolve(cwd).length + 1) : join(folder, path.slice(resolve(cwd, folder).length)),
    )
    if (found.length > mostFiles)
      throw new SvcError('usage', { reason: `"${folder}" contains more than ${mostFiles} documents` })
  }
  if (found.length === 0)
    throw new SvcError('usage', {
      reason: `The folder "${folder}" contains no OpenAPI, Arazzo, JSON Schema or MCP document`,
    })
  return found
}

async function byGlob(glob: string, cwd: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of new Bun.Glob(glob).scan({ cwd, onlyFiles: true }))
    if (!path.split(/[\\/]/).some((step) => passedOver.has(step))) found.push(path)
  if (found.length === 0) throw new SvcError('usage', { reason: `No files match "${glob}"` })
  return found.toSorted()
}

/**
 * The documents that a command line names: files, folders and globs become the files in them; addresses, "-" and
 * PROJECT@VERSION stay. Nothing at all means the current folder.
 * @throws SvcError `usage` where a folder or glob holds nothing
 */
export async function expandTargets(names: readonly string[], cwd: string): Promise<string[]> {
  const all: string[] = []
  for (const name of names.length === 0 ? ['.'] : names) {
    const kind = name === '-' || isAddress(name) ? 'file' : await kindOf(resolve(cwd, name))
    if (kind === 'folder') all.push(...(await inFolder(name, cwd)))
    else if (kind === null && isGlob(name)) all.push(...(await byGlob(name, cwd)))
    else all.push(name)
  }
  return [...new Set(all)]
}

/** Reads one of them. Raises `usage`, `document-invalid`, `egress-denied`, `fetch-failed`, and what the service answers. */
export async function readTarget(name: string, around: Around): Promise<Target> {
  const { cwd } = around
  if (isAddress(name) || (splitStored(name) !== null && (await kindOf(resolve(cwd, name))) === null)) {
    const source = await readSource(name, around)
    const document = parseDocument(source.text, { source: source.name })
    // What cannot be read is left out: the reference to it is a finding.
    const others = await readReached(document, source, 'leave')
    return { document, documents: Object.fromEntries(others.map((it) => [it.source, it])) }
  }
  const document = await readDocument(name, around)
  return { document, documents: await readReferenced(document, { cwd }) }
}
