/** The overlays that a `svc.yaml` above a folder names for its files, as the service is sent them. */
import { basename, join, posix, relative, resolve, sep } from 'node:path'
import { parseDocument } from '../../src/document/parse.ts'
import { isObject, objectOf, type Json, type JsonObject } from '../../src/kernel/json.ts'
import type { Overlay } from '../../src/overlay/read.ts'
import { rewriteDocument } from '../../src/patch/rewrite.ts'
import type { Invocation } from '../declare.ts'
import { overlaysOf, projectFileWithOverlays } from '../project-file/overlays.ts'

export type FolderFile = { readonly path: string; readonly content: string }

const projectFileNames = ['svc.yaml', 'svc.yml'] as const

/** The `svc.yaml` that the service reads for a document: the nearest one, or one at the top that is still to be written. */
function projectFileOf(path: string, files: ReadonlyMap<string, string>): string {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const found = projectFileNames.map((name) => posix.join(folder, name)).find((it) => files.has(it))
    if (found !== undefined) return found
    if (folder === '.') return projectFileNames[0]
  }
}

/** A document, and the overlays of a `svc.yaml` above the folder, by their names among the files. */
interface Named {
  readonly path: string
  readonly overlays: readonly string[]
}

/** The name of an API that a `svc.yaml` does not have yet. */
function freeName(apis: JsonObject): string {
  for (let count = 1; ; count++) {
    const name = `api-${count}`
    if (!Object.hasOwn(apis, name)) return name
  }
}

/** A `svc.yaml` that names overlays for documents, ahead of those that it names for them itself. */
function withNamed(place: string, text: string | undefined, named: readonly Named[]): string {
  const folder = posix.dirname(place)
  const written = text ?? ''
  const document = parseDocument(written, { source: place, syntax: 'yaml' })
  // What the service does not read of it, and what it cannot read, is no reason against these overlays.
  const isRead = written.includes('overlays') && isObject(document.value)
  const before = isRead ? objectOf(document.value) : {}
  const apis: Record<string, Json> = { ...objectOf(before.apis) }
  for (const { path, overlays } of named) {
    const own = overlays.map((it) => posix.relative(folder, it))
    const known = Object.keys(apis).find((name) => {
      const { root } = objectOf(apis[name] ?? null)
      return typeof root === 'string' && posix.join(folder, root) === path
    })
    const api = known === undefined ? { root: posix.relative(folder, path) } : objectOf(apis[known] ?? null)
    const others = Array.isArray(api.overlays) ? api.overlays : []
    apis[known ?? freeName(apis)] = { ...api, overlays: [...own, ...others] }
  }
  return isRead ? rewriteDocument(document, { ...before, apis }).text : JSON.stringify({ apis })
}

/** Overlays as files of a folder: under their own path where they are in it, else beside its files. */
class OverlayNames {
  readonly added = new Map<string, string>()
  readonly #folder: string
  readonly #cwd: string
  readonly #files: ReadonlyMap<string, string>

  constructor(folder: string, cwd: string, files: ReadonlyMap<string, string>) {
    this.#folder = folder
    this.#cwd = cwd
    this.#files = files
  }

  nameOf({ document: { source, text } }: Overlay): string {
    const inside = relative(this.#folder, resolve(this.#cwd, source)).replaceAll(sep, '/')
    if (this.#files.get(inside) === text) return inside
    for (let count = 1; ; count++) {
      const name = `${count === 1 ? '' : `${count}-`}${basename(source)}`
      if (this.#files.has(name) || (this.added.get(name) ?? text) !== text) continue
      this.added.set(name, text)
      return name
    }
  }
}

/**
 * The files of a folder as they are sent, where a `svc.yaml` above it names overlays for some of them: the overlays come with them, and the
 * `svc.yaml` that the service reads for a document names them. The service applies them, and keeps what each version is made of.
 * @throws SvcError as reading overlays does
 */
export async function withFolderOverlays(
  folder: string,
  files: readonly FolderFile[],
  { cwd }: Pick<Invocation, 'cwd' | 'io'>,
): Promise<readonly FolderFile[]> {
  const projectFile = await projectFileWithOverlays(cwd)
  const isAbove = projectFile !== null && relative(folder, projectFile).startsWith(`..${sep}`)
  // A svc.yaml of the folder itself is sent along, and the service reads it.
  if (!isAbove) return files
  const texts = new Map(files.map(({ path, content }) => [path, content]))
  const names = new OverlayNames(folder, cwd, texts)
  const named = new Map<string, Named[]>()
  for (const { path } of files) {
    const overlays = (await overlaysOf(join(folder, path), { cwd })).map((it) => names.nameOf(it))
    if (overlays.length === 0) continue
    const place = projectFileOf(path, texts)
    named.set(place, [...(named.get(place) ?? []), { path, overlays }])
  }
  const sent = new Map([...texts, ...names.added])
  for (const [place, of] of named) sent.set(place, withNamed(place, texts.get(place), of))
  return [...sent].map(([path, content]) => ({ path, content }))
}
