/** Finds the `svc.yaml` of a repository and the API that a file belongs to. */
import { readdir, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { fitsGlob } from '../../src/regex/glob.ts'
import type { ProjectApi, ProjectModel, ProjectSettings } from '../../src/project-file/settings.ts'
import { readFileText } from '../input/document-source.ts'
import { unreadableFile } from '../input/file-error.ts'

/** In the order in which they are looked for. */
const projectFileNames = ['svc.yaml', 'svc.yml'] as const

/** A `svc.yaml` that was found: its paths are absolute; globs are relative to its folder. */
export interface ProjectFile extends ProjectModel {
  /** Absolute, as is the folder. */
  readonly path: string
  readonly folder: string
}

/** The path of the nearest `svc.yaml` in a folder or above it, up to the root of the repository; null where there is none. */
export async function nearestProjectFile(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const entries = new Set(await readdir(folder).catch((): string[] => []))
    const name = projectFileNames.find((it) => entries.has(it))
    if (name !== undefined) return join(folder, name)
    if (entries.has('.git') || folder === dirname(folder)) return null
  }
}

/** Whether a path is that of a file. */
export const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() === true

// A file is found from the folder of svc.yaml; names of builtin and stored guides, packages and addresses stay.
async function guideFrom(folder: string, guide: string): Promise<string> {
  if (/^https?:\/\//i.test(guide) || /^[\w-]+:[\w-]+$/.test(guide)) return guide
  const path = resolve(folder, guide)
  const looksLikeFile = /^\.{0,2}[\\/]/.test(guide) || /\.(?:ya?ml|json|[cm]?[jt]s)$/i.test(guide)
  return looksLikeFile || (await isFile(path)) ? path : guide
}

async function settingsFrom<T extends ProjectSettings>(folder: string, settings: T): Promise<T> {
  const from = (path: string | null): string | null => (path === null ? null : resolve(folder, path))
  const { guide, baseline, waivers, compareWith, diff } = settings
  return {
    ...settings,
    guide: guide === null ? null : await guideFrom(folder, guide),
    baseline: from(baseline),
    waivers: from(waivers),
    compareWith: compareWith?.kind === 'file' ? { kind: 'file', path: resolve(folder, compareWith.path) } : compareWith,
    diff: { ...diff, config: from(diff.config) },
  }
}

/**
 * Reads a `svc.yaml`.
 * @param path its absolute path
 * @param name as messages call it
 * @param profile the profile to apply; null for none
 * @throws SvcError `project-file-invalid` with the line and column of everything that is wrong with it, and as `readFileText` does
 */
async function readAt(path: string, name: string, profile: string | null): Promise<ProjectFile> {
  // Most folders have no such file: what reads it is loaded when there is one.
  const { readProjectFile } = await import('../../src/project-file/read.ts')
  const { text } = await readFileText(path, '/')
  const { model, problems } = readProjectFile(parseDocument(text, { source: name, syntax: 'yaml' }), profile)
  if (model === null)
    throw new SvcError('project-file-invalid', {
      file: name,
      problems: problems.map(
        ({ range: { start }, message }) => `${name}:${start.line + 1}:${start.character + 1}: ${message}`,
      ),
    })
  const folder = dirname(path)
  return {
    ...model,
    path,
    folder,
    defaults: await settingsFrom(folder, model.defaults),
    apis: await Promise.all(
      model.apis.map(async (api) => ({
        ...(await settingsFrom(folder, api)),
        root: resolve(folder, api.root),
        overlays: api.overlays.map((it) => ({ ...it, path: resolve(folder, it.path) })),
      })),
    ),
  }
}

/** A path as a person in a folder calls it. */
export const shortName = (path: string, cwd: string): string => (relative(cwd, path) || path).replaceAll('\\', '/')

/**
 * Finds and reads the nearest `svc.yaml` of a folder or of those above it, up to the root of the repository.
 *
 * @param from an absolute folder
 * @param profile the profile to apply; null for none
 * @returns null where there is none
 * @throws SvcError `project-file-invalid` with the line and column of everything that is wrong with it
 */
export async function findProjectFile(from: string, profile: string | null = null): Promise<ProjectFile | null> {
  const path = await nearestProjectFile(from)
  return path === null ? null : readAt(path, shortName(path, from), profile)
}

/** Why the document of an API cannot be checked, with the place of `svc.yaml` that names it; null where the document is there. */
export async function missingRoot(
  { path }: Pick<ProjectFile, 'path'>,
  { root, rootAt: { line, character } }: Pick<ProjectApi, 'root' | 'rootAt'>,
  cwd: string,
): Promise<SvcError | null> {
  if (existsSync(root)) return null
  const at = `${shortName(path, cwd)}:${line + 1}:${character + 1}`
  return unreadableFile(shortName(root, cwd), root, { code: 'ENOENT' }, at)
}

/** The path of a file as the globs of a `svc.yaml` mean it; null for a file outside of its folder. */
export function nameInProject({ folder }: Pick<ProjectFile, 'folder'>, path: string): string | null {
  const name = relative(folder, path)
  return name === '' || name.startsWith('..') || isAbsolute(name) ? null : name.replaceAll('\\', '/')
}

/**
 * The API that a file belongs to: the one whose root it is, else the first of whose `files` a glob fits.
 * @param path absolute
 */
export function apiOf(file: ProjectFile, path: string): ProjectApi | null {
  const root = file.apis.find((it) => it.root === path)
  if (root !== undefined) return root
  const name = nameInProject(file, path)
  if (name === null) return null
  return file.apis.find((api) => api.files.some((glob) => fitsGlob(name, glob))) ?? null
}
