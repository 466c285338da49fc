/** Reads one side of a comparison: a file, standard input, an address, a file of a git revision, or a stored version. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Document } from '../../src/document/document.ts'
import { ExampleFiles } from '../../src/document/example-files.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { folderOf } from '../../src/import/tree-path.ts'
import type { Invocation } from '../declare.ts'
import { hasOverlays, revisionWithOverlays, sourceWithOverlays } from '../project-file/overlays.ts'
import { TypeReader } from './types.ts'
import { readReferenced, type Following } from './document-files.ts'
import { findGit, readGit, splitRevision, type Revised } from './git/file.ts'
import type { Objects } from './git/process.ts'
import {
  readFileText,
  readStandardInput,
  readUrl,
  unreadable,
  type SourceText,
  type UnreadText,
} from './document-source.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

type Missing = Following['missing']

interface Reading extends Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'> {
  /** What answers questions about the repository for a whole run. */
  readonly objects?: Objects | undefined
  /** Documents of this machine and of git are read as they are, without the overlays of `svc.yaml`. */
  readonly asWritten?: boolean
}

/** PROJECT@VERSION, unless it looks like a file. */
export function splitStored(side: string): { readonly project: string; readonly version: string } | null {
  const [, project, version] = /^([^/@\\:]+)@([^/\\:]+)$/.exec(side) ?? []
  if (project === undefined || version === undefined || /\.(?:json|ya?ml)$/i.test(side)) return null
  return { project, version }
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}

/** A version that the service has, by its project and label. */
export interface StoredName {
  readonly project: string
  readonly version: string
}

/** The stored version that a side names; null for what exists as a file, and for addresses and git revisions. */
export const storedName = async (side: string, cwd: string): Promise<StoredName | null> => {
  const stored = splitStored(side)
  return stored === null || (await exists(resolve(cwd, side))) ? null : stored
}

/**
 * The text of one side, and what is beside it.
 * @throws SvcError `usage` where nothing can be read, `document-invalid` where it is not a text, `egress-denied`, `fetch-failed`,
 *   and what the service raises for stored versions
 */
export async function readSource(side: string, reading: Reading): Promise<SourceText> {
  const source = await readText(side, reading)
  // A stored version has its own.
  return { types: new TypeReader(reading), ...source }
}

/**
 * One side, unread where it is of a git revision whose objects `reading` has.
 * @throws SvcError as `readSource` does
 */
export async function findSource(side: string, reading: Reading): Promise<SourceText | UnreadText> {
  const { cwd, signal, objects } = reading
  const revised = objects === undefined ? null : await revisedName(side, cwd)
  if (objects === undefined || revised === null || (await hasOverlays(cwd))) return readSource(side, reading)
  const found = await findGit(revised, { cwd, signal, objects }, objects)
  return { ...found, read: async () => ({ ...(await found.read()), types: new TypeReader(reading) }) }
}

// What exists as a file is one, whatever its name looks like.
const revisedName = async (side: string, cwd: string): Promise<Revised | null> =>
  (await exists(resolve(cwd, side))) ? null : splitRevision(side)

const readFile = async (side: string, reading: Reading): Promise<SourceText> => {
  const source = await readFileText(side, reading.cwd, reading.globals.root)
  return reading.asWritten === true ? source : sourceWithOverlays(source, reading)
}

async function readRevised(revised: Revised, reading: Reading): Promise<SourceText> {
  const { cwd, signal, objects } = reading
  const repository = { cwd, signal, objects }
  const source = await readGit(revised, repository)
  if (reading.asWritten === true) return source
  const { revision } = revised
  return revisionWithOverlays(source, revision, (path) => readGit({ revision, path }, repository), reading)
}

async function readText(side: string, reading: Reading): Promise<SourceText> {
  const { cwd } = reading
  if (side === '-') return readStandardInput(reading)
  if (isWebAddress(side)) return readUrl(side, reading)
  if (/^file:\/\//i.test(side)) return readFile(fileURLToPath(side), reading)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(side)) throw unreadable(side, 'addresses begin with http:// or https://')
  // What exists as a file is one, whatever its name looks like; so is what begins with a drive of Windows.
  if (/^[a-z]:[\\/]/i.test(side) || (await exists(resolve(cwd, side)))) return readFile(side, reading)
  const revised = splitRevision(side)
  if (revised !== null) return readRevised(revised, reading)
  const stored = splitStored(side)
  if (stored === null) return readFile(side, reading)
  // What speaks with the service is loaded where a side is of it.
  const { readStored } = await import('./document-stored.ts')
  return readStored(stored.project, stored.version, reading)
}

const assertReadable = ({ value, problems }: Document, name: string): void => {
  const fault = problems.find((problem) => problem.severity === 'error')
  if (value !== null || !fault) return
  const { line, character } = fault.range.start
  throw new SvcError('document-invalid', {
    reason: `${name}:${line + 1}:${character + 1}: ${isWebAddress(name) ? 'it is not valid JSON or YAML' : fault.message.replace(/\.$/, '')}`,
  })
}

/** The folder that holds all places. */
function commonFolder(places: readonly string[]): string {
  let [common = ''] = places.map(folderOf)
  for (const place of places) while (!place.startsWith(`${common}/`)) common = folderOf(common)
  return common
}

/**
 * Reads and parses one side. A document of several files comes as one, and knows where each part of it was written.
 * @throws SvcError as `readSource` does; `document-invalid` where it is not a document, or refers to a file that cannot be read
 */
export const readSide = async (side: string, reading: Reading, missing: Missing = 'refuse'): Promise<Document> =>
  readWhole(await readSource(side, reading), missing)

/**
 * Parses a text and everything that it refers to, as one document.
 * @param missing what becomes of references to files that do not exist
 * @throws SvcError `document-invalid`
 */
export async function readWhole(source: SourceText, missing: Missing = 'refuse'): Promise<Document> {
  const entry = source.entry ?? parseDocument(source.text, { source: source.place })
  assertReadable(entry, source.name)
  const values = new ExampleFiles()
  const read = await readReferenced(entry, source, { missing, linksOf: (document) => values.linksOf(document) })
  const others = read.map((it) => values.asValue(it))
  const types = (await source.types?.read([entry, ...others.filter((it) => !values.isOne(it))])) ?? []
  if (others.length + types.length === 0) return { ...entry, source: source.name }
  // Most documents are one file: what joins several is loaded where there are some.
  const { joinDocuments } = await import('../../src/import/bundle/document.ts')
  const nameOf = (place: string): string => source.files?.nameOf(place) ?? place
  for (const other of others) assertReadable(other, nameOf(other.source))
  // Names in a bundle come from the files; where these are on this machine stays private.
  const places = [entry, ...others].map((it) => it.source)
  const cut = isWebAddress(source.place) ? 0 : commonFolder(places).length + 1
  const shortOf = (place: string): string => place.slice(cut)
  const known = new Map(places.map((place) => [shortOf(place), nameOf(place)]))
  known.set(shortOf(source.place), source.name)
  const short = (document: Document): Document => ({ ...document, source: shortOf(document.source) })
  return joinDocuments(short(entry), [...others.map(short), ...types], (place) => known.get(place) ?? place)
}
