/** From what the command line names to what is sent: a text, an archive, or a tree of files. */
import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { ImportSource, SentOverlay } from '../../src/api/imports.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { textOf } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import type { Overlay } from '../../src/overlay/read.ts'
import type { FindingReport } from '../../src/report/report.ts'
import type { Invocation } from '../declare.ts'
import type { Globals } from '../globals.ts'
import { readReferenced } from '../input/document-files.ts'
import { type Files, localSource } from '../input/document-source.ts'
import { unreadableFile } from '../input/file-error.ts'
import { fileNamed } from '../project-file/api-name.ts'
import { overlaysOf } from '../project-file/overlays.ts'
import { withFolderOverlays } from './folder-overlays.ts'
import { readRegular, rootOf } from '../input/regular-file.ts'
import { filesBelow, type Walk } from '../input/walk.ts'
import { detectArchive, treeOfArchive } from '../../server/sources/archive.ts'

/**
 * The text of a file that is to be sent.
 * @throws SvcError `document-invalid` where it has a NUL character, as binary files have
 */
function readableText(bytes: Uint8Array, name: string): string {
  const text = textOf(bytes, name)
  const at = text.indexOf('\0')
  if (at === -1) return text
  const line = text.slice(0, at).split('\n').length
  throw new SvcError('document-invalid', { reason: `${name}:${line} has a NUL character; it may be a binary file` })
}

interface FolderLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

/** A file or folder below the one that is read, and why its texts are missing. */
interface UnreadEntry {
  readonly path: string
  readonly error: SvcError
}

const isDocument = (file: string): boolean => /^[^.].*\.(json|ya?ml)$/i.test(basename(file))

// What tools put beside documents; no one means to import it.
const passedOver = new Set(['node_modules'])

/**
 * The texts of a folder that may be documents or parts of them (.json, .yaml, .yml), by path relative to it, in order.
 * Hidden entries, node_modules and symbolic links are skipped.
 * @param list lists a folder, where that is not left to the file system
 * @returns the texts, and what below the folder cannot be read
 * @throws SvcError `usage` for more files than `maxFiles`, `body-too-large` for more bytes than `maxBytes`, `file-unreadable`
 *   where the folder itself cannot be read
 */
export async function collectFolder(
  folder: string,
  { maxFiles, maxBytes }: FolderLimits,
  list?: Walk['list'],
): Promise<{ readonly files: { path: string; content: string }[]; readonly unread: readonly UnreadEntry[] }> {
  const files: { path: string; content: string }[] = []
  const unread: UnreadEntry[] = []
  let bytes = 0
  const nameOf = (file: string): string => relative(folder, file).replaceAll(sep, '/')
  const walk: Walk = {
    isEntered: (name) => !name.startsWith('.') && !passedOver.has(name),
    onSkipped: (below, reason) =>
      void unread.push({
        path: nameOf(below),
        error: new SvcError('file-unreadable', { name: nameOf(below), reason }),
      }),
    ...(list === undefined ? {} : { list }),
  }
  for await (const file of filesBelow(folder, walk)) {
    if (!isDocument(file)) continue
    const path = nameOf(file)
    bytes += (await stat(file)).size
    if (bytes > maxBytes) throw new SvcError('body-too-large', { limit_bytes: maxBytes })
    try {
      files.push({ path, content: readableText(await readRegular(path, file), path) })
    } catch (error) {
      unread.push({ path, error: error instanceof SvcError ? error : await unreadableFile(path, file, error) })
    }
    if (files.length > maxFiles)
      throw new SvcError('usage', { reason: `${folder} holds more than ${maxFiles} documents; name a folder in it.` })
  }
  return { files, unread }
}

/** What an import may weigh, packed or not. */
export const maxSourceBytes = 64 * 1024 * 1024
const maxFiles = 10_000

/** An archive, which travels as its bytes. */
export interface UploadedArchive {
  readonly kind: 'uploaded'
  readonly name: string
  readonly mediaType: 'application/zip' | 'application/gzip' | 'application/x-tar'
  readonly bytes: Uint8Array<ArrayBuffer>
}

const mediaTypes = { zip: 'application/zip', gzip: 'application/gzip', tar: 'application/x-tar' } as const

/** An archive as it is sent. */
export const uploadOf = (name: string, bytes: Uint8Array<ArrayBuffer>): UploadedArchive => ({
  kind: 'uploaded',
  name,
  mediaType: mediaTypes[detectArchive(bytes) ?? 'tar'],
  bytes,
})

/** What is sent, and what this side knows of it. */
export interface Gathered {
  readonly source: ImportSource | UploadedArchive
  /** The document of a tree, where the path named it. */
  readonly root: string | null
  /** The overlays that `svc.yaml` names for the document. */
  readonly overlays?: readonly SentOverlay[]
  /** The name that a person knows a source of the service by: "pet.yaml" of the folder "specs" is "specs/pet.yaml". */
  shown(name: string): string
  /** The text of a source, by the name that the service gives it; null where it is not available. */
  text(name: string): string | null
  /** What a guide of this machine found: reports show that instead of the findings of the service. */
  readonly judged?: FindingReport
  /** What below a folder cannot be read, and so is not sent. */
  readonly unread?: readonly UnreadEntry[]
  /** Brings texts to hand that are packed. */
  unpack?(names: Iterable<string>): Promise<void>
}

interface Place extends Pick<Invocation, 'cwd' | 'io'> {
  readonly globals: Pick<Globals, 'root'>
}

const refused = (path: string, reason: string): SvcError =>
  new SvcError('usage', { reason: `${path} cannot be imported: ${reason}` })

const slashes = (path: string): string => path.replaceAll(sep, '/')

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !way.includes(':')
}

const same = (name: string): string => name

/**
 * The document and all files that its references lead to, by absolute path, the document first. Only files below the root are
 * read: a document from elsewhere must not make this machine send other files of its user.
 */
async function withReferenced(name: string, file: string, text: string, place: Place): Promise<Map<string, string>> {
  const { place: at, files } = localSource(relative(place.cwd, file), place.cwd, place.globals.root)
  let bytes = text.length
  const bounded: Files = {
    ...files,
    async read(places) {
      const texts = await files.read(places)
      for (const it of texts) if (typeof it === 'string') bytes += it.length
      if (bytes > maxSourceBytes) throw new SvcError('body-too-large', { limit_bytes: maxSourceBytes })
      return texts
    },
  }
  const first = parseDocument(text, { source: at })
  const others = await readReferenced(first, { name, place: at, files: bounded }, { missing: 'leave' })
  return new Map([[file, text], ...others.map((it) => [resolve(it.source), it.text] as const)])
}

const inline = (name: string, content: string): Gathered => ({
  source: { kind: 'inline', name, content },
  root: null,
  shown: same,
  text: (asked) => (asked === name ? content : null),
})

/** The folder from which files are named: that of the person, else that of the document, else the one that holds them all. */
function namingFolder(files: readonly string[], document: string, { cwd, globals }: Place): string {
  const known = [cwd, dirname(document)].find((folder) => files.every((it) => isInside(folder, it)))
  return known ?? rootOf(document, globals.root === undefined ? undefined : resolve(cwd, globals.root))
}

/** A text after overlays, which may refer to more files: the service is sent these, and applies the overlays itself. */
async function overlaidText(path: string, content: string, overlays: readonly Overlay[]): Promise<string> {
  const document = overlays.length === 0 ? null : parseDocument(content, { source: path })
  if (document === null || document.problems.some(({ severity }) => severity === 'error')) return content
  const { applyOverlay } = await import('../../src/overlay/apply.ts')
  return applyOverlay(document, overlays).document.text
}

async function gatherDocument(path: string, file: string, content: string, place: Place): Promise<Gathered> {
  const { cwd } = place
  const applied = await overlaysOf(file, place)
  const overlays = applied.map(({ document }) => ({ name: document.source, content: document.text }))
  const files = await withReferenced(path, file, await overlaidText(path, content, applied), place)
  files.set(file, content)
  const base = namingFolder([...files.keys()], file, place)
  const name = slashes(relative(base, file))
  const isAbove = base !== cwd && base !== dirname(file)
  const prefix = base === cwd ? '' : path.slice(0, path.length - name.length)
  const shownBy = (asked: string): string => (isAbove ? slashes(relative(cwd, join(base, asked))) : prefix + asked)
  const texts = new Map([...files].map(([at, text]) => [slashes(relative(base, at)), text]))
  const names = new Set(texts.keys())
  for (const { name: at, content: text } of overlays) if (!texts.has(at)) texts.set(at, text)
  const known = {
    ...(overlays.length === 0 ? {} : { overlays }),
    shown: (asked: string) => (names.has(asked) ? shownBy(asked) : asked),
    text: (asked: string) => texts.get(asked) ?? null,
  }
  if (names.size === 1) return { ...inline(name, content), ...known }
  const tree = [...names].map((at) => ({ path: at, content: texts.get(at) ?? '' }))
  return { source: { kind: 'files', name, files: tree }, root: name, ...known }
}

async function gatherFolder(path: string, folder: string, place: Place): Promise<Gathered> {
  const { files: found, unread } = await collectFolder(folder, { maxFiles, maxBytes: maxSourceBytes })
  if (found.length === 0 && unread[0] !== undefined) throw unread[0].error
  if (found.length === 0) throw refused(path, 'the folder contains no .json, .yaml or .yml file')
  const files = [...(await withFolderOverlays(folder, found, place))]
  const own = new Set(found.map((it) => it.path))
  const texts = new Map(files.map((it) => [it.path, it.content]))
  const prefix = path.endsWith('/') ? path : `${path}/`
  return {
    source: { kind: 'files', name: path, files },
    root: null,
    unread,
    shown: (asked) => (own.has(asked) ? slashes(join(prefix, asked)) : asked),
    text: (asked) => texts.get(asked) ?? null,
  }
}

function gatherArchive(path: string, bytes: Uint8Array<ArrayBuffer>, name: string): Gathered {
  const texts = new Map<string, string>()
  return {
    source: uploadOf(name, bytes),
    root: null,
    shown: (asked) => (asked === name || /^https?:/.test(asked) ? asked : `${path}/${asked}`),
    text: (asked) => texts.get(asked) ?? null,
    async unpack(names) {
      const tree = await treeOfArchive(name, bytes)
      const wanted = new Set(names)
      for (const entry of tree.paths.filter((it) => wanted.has(it))) {
        const text = textOrNull(await tree.read(entry))
        if (text !== null) texts.set(entry, text)
      }
    },
  }
}

async function gatherStandardInput({ io }: Place): Promise<Gathered> {
  if (io.isInteractive) io.log.info('Reading the document from standard input; end it with Ctrl-D.')
  const bytes = new Uint8Array(await io.stdin())
  if (detectArchive(bytes) !== null) return gatherArchive('stdin', bytes, 'stdin')
  return inline('stdin', readableText(bytes, 'standard input'))
}

/** The text of a file that is only a part of what is imported; null where it is not one. */
const textOrNull = (bytes: Uint8Array): string | null => {
  try {
    return textOf(bytes, '')
  } catch {
    return null
  }
}

/**
 * Reads what PATH names: an http(s) address (the service fetches it), "-" for standard input, a file with the files that
 * it refers to, an archive (zip, tar, tar.gz), or a folder.
 * @throws SvcError `usage` for what cannot be read, `document-invalid` for what is not a document, `body-too-large`
 */
export async function gather(path: string, place: Place): Promise<Gathered> {
  if (/^https?:\/\//i.test(path))
    return { source: { kind: 'url', url: path }, root: null, shown: same, text: () => null }
  if (path === '-') return gatherStandardInput(place)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path))
    throw refused(path, 'documents are fetched over http and https only; "svc import git" reads repositories')
  const file = resolve(place.cwd, await fileNamed(path, place.cwd))
  try {
    const info = await stat(file)
    if (info.isDirectory()) return await gatherFolder(path, file, place)
    if (info.size > maxSourceBytes) throw new SvcError('body-too-large', { limit_bytes: maxSourceBytes })
    const bytes = await readRegular(path, file, maxSourceBytes)
    const name = slashes(isInside(place.cwd, file) ? relative(place.cwd, file) : relative(dirname(file), file))
    if (detectArchive(bytes) !== null) return gatherArchive(path, bytes, name)
    return await gatherDocument(path, file, readableText(bytes, path), place)
  } catch (error) {
    if (error instanceof SvcError || (error as { code?: unknown }).code === undefined) throw error
    throw await unreadableFile(path, file, error)
  }
}
