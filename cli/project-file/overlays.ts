/** The overlays that an API of `svc.yaml` names, applied to its document wherever that is read. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Overlay } from '../../src/overlay/read.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import type { Invocation } from '../declare.ts'
import { MissingSide, readFileText, type SourceText } from '../input/document-source.ts'
import { unreadableFile } from '../input/file-error.ts'
import { unmatchedMessages } from '../../src/overlay/unmatched.ts'
import { findProjectFile, nearestProjectFile, shortName, type ProjectFile } from './find.ts'

type Reading = Pick<Invocation, 'io' | 'cwd'>

/** The `svc.yaml` of a folder, where an API of it names overlays. */
async function projectWithOverlays(cwd: string): Promise<ProjectFile | null> {
  const path = await nearestProjectFile(cwd)
  // Most files name none; what is wrong with those is for the commands that apply them.
  if (path === null || !(await readFileText(path, '/')).text.includes('overlays')) return null
  const file = await findProjectFile(cwd)
  return file?.apis.some((it) => it.overlays.length > 0) === true ? file : null
}

/** Whether an API of the nearest `svc.yaml` names overlays. */
export const hasOverlays = async (cwd: string): Promise<boolean> => (await projectFileWithOverlays(cwd)) !== null

async function overlayAt(name: string, text: string): Promise<Overlay> {
  const { overlayOf } = await import('../../src/overlay/read.ts')
  return overlayOf(parseDocument(text, { source: name }))
}

async function overlaysHere(api: ProjectApi, file: ProjectFile, cwd: string): Promise<readonly Overlay[]> {
  const overlays: Overlay[] = []
  for (const { path, at } of api.overlays) {
    const name = shortName(path, cwd)
    if (!existsSync(path)) {
      const place = `${shortName(file.path, cwd)}:${at.line + 1}:${at.character + 1}`
      throw await unreadableFile(name, path, { code: 'ENOENT' }, place)
    }
    overlays.push(await overlayAt(name, (await readFileText(name, cwd)).text))
  }
  return overlays
}

const said = new WeakMap<object, Set<string>>()

// A run reads a document more than once, and says this once.
function warnOnce(message: string, { io }: Pick<Reading, 'io'>): void {
  const before = said.get(io) ?? new Set()
  said.set(io, before)
  if (before.has(message)) return
  before.add(message)
  io.log.warn(message)
}

/** A document after overlays, and a sentence for each action that selected nothing. */
export interface LaidOver {
  readonly document: Document
  readonly unmatched: readonly string[]
}

/**
 * Applies overlays to a document; one that cannot be read stays as it is: its reader says why.
 * @throws SvcError `overlay-failed` with the place of the action
 */
export async function laidOver(document: Document, overlays: readonly Overlay[]): Promise<LaidOver> {
  if (overlays.length === 0 || document.problems.some(({ severity }) => severity === 'error'))
    return { document, unmatched: [] }
  const { traceOverlays } = await import('../../src/overlay/trace.ts')
  const made = traceOverlays(document, overlays)
  return { document: made.document, unmatched: unmatchedMessages(made.actions, overlays) }
}

/** Says which actions selected nothing, each once in a run. */
export function warnOfUnmatched({ unmatched }: Pick<LaidOver, 'unmatched'>, reading: Pick<Reading, 'io'>): void {
  for (const message of unmatched) warnOnce(`${message}.`, reading)
}

async function applied(document: Document, overlays: readonly Overlay[], reading: Reading): Promise<Document> {
  const made = await laidOver(document, overlays)
  warnOfUnmatched(made, reading)
  return made.document
}

/**
 * The overlays that the nearest `svc.yaml` names for a document.
 * @param path absolute, or relative to the current folder
 * @returns in their order; none where no API has this root
 * @throws SvcError `overlay-invalid`, `file-not-found`, each with its place; `project-file-invalid`
 */
export async function overlaysOf(path: string, { cwd }: Pick<Reading, 'cwd'>): Promise<readonly Overlay[]> {
  const file = await projectWithOverlays(cwd)
  const root = resolve(cwd, path)
  const api = file?.apis.find((it) => it.root === root && it.overlays.length > 0)
  return file === null || api === undefined ? [] : overlaysHere(api, file, cwd)
}

/** The path of the nearest `svc.yaml`, where an API of it names overlays; null elsewhere. */
export const projectFileWithOverlays = async (cwd: string): Promise<string | null> =>
  (await projectWithOverlays(cwd))?.path ?? null

/**
 * The document of a file with the overlays applied that the API names whose root it is.
 * @param document as it is on this machine
 * @param path absolute, or relative to the current folder
 * @returns the same document where no API of the nearest `svc.yaml` has this root and overlays
 * @throws SvcError `overlay-invalid`, `overlay-failed`, `file-not-found`, each with its place; `project-file-invalid`
 */
export async function withOverlays(document: Document, path: string, reading: Reading): Promise<Document> {
  return applied(document, await overlaysOf(path, reading), reading)
}

/** `withOverlays` for a text of this machine. */
export async function sourceWithOverlays(source: SourceText, reading: Reading): Promise<SourceText> {
  const file = await projectWithOverlays(reading.cwd)
  if (file === null) return source
  return replaced(source, (document) => withOverlays(document, source.place, reading))
}

async function replaced(source: SourceText, apply: (document: Document) => Promise<Document>): Promise<SourceText> {
  const { isOverlaid } = await import('../../src/overlay/trace.ts')
  const entry = await apply(parseDocument(source.text, { source: source.place }))
  return isOverlaid(entry) ? { ...source, text: entry.text, entry } : source
}

/** The top of the repository that has a file. */
function topOf(path: string): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

/** The API whose document a path of a revision is: its root, or what it is compared with there. */
const apiAt = (file: ProjectFile, path: string, revision: string): ProjectApi | undefined =>
  file.apis.find((api) => {
    const top = topOf(api.root)
    return top !== null && shortName(api.root, top) === path
  }) ??
  file.apis.find(
    ({ compareWith: it }) =>
      it?.kind === 'git' && it.revision === revision && (it.path ?? '').replace(/^\.\//, '') === path,
  )

/**
 * A file of a git revision with the overlays of its API, as they are in that revision. One that the revision does not have is not
 * applied, which is said.
 * @param source its place is the path from the top of the repository, behind a slash
 * @param readAt reads another file of the revision by its path from the top
 * @throws SvcError as `withOverlays` does
 */
export async function revisionWithOverlays(
  source: SourceText,
  revision: string,
  readAt: (path: string) => Promise<SourceText>,
  reading: Reading,
): Promise<SourceText> {
  const file = await projectWithOverlays(reading.cwd)
  const api = file === null ? undefined : apiAt(file, source.place.slice(1), revision)
  if (api === undefined || api.overlays.length === 0) return source
  const top = topOf(api.root) ?? ''
  const overlays: Overlay[] = []
  const missing: string[] = []
  for (const { path } of api.overlays) {
    const name = shortName(path, top)
    try {
      overlays.push(await overlayAt(`${revision}:${name}`, (await readAt(name)).text))
    } catch (error) {
      if (!(error instanceof MissingSide)) throw error
      missing.push(`${revision}:${name}`)
    }
  }
  if (missing.length > 0)
    warnOnce(
      `${source.name} is read without ${plural(missing.length, 'overlay')} of ${api.name} that the revision does not have: ${missing.join(', ')}.`,
      reading,
    )
  return replaced(source, (document) => applied(document, overlays, reading))
}
