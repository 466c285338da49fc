/** The overlays that a `svc.yaml` among the files of a tree names for a document. Analysis processes read them. */
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { folderOf, isWithin, treePath } from '../../src/import/tree-path.ts'
import { readProjectFile } from '../../src/project-file/read.ts'
import { placedMessage } from '../../src/overlay/read.ts'

/** Overlays of a document, by their paths in the tree. */
export interface NamedOverlays {
  /** The `svc.yaml` that names them; null where none does. */
  readonly projectFile: string | null
  readonly paths: readonly string[]
}

/** The files among which overlays are looked for. */
export interface OverlayFiles {
  /** The folder outside which nothing is read; "" for all. */
  readonly boundary: string
  has(path: string): boolean
  text(path: string): Promise<string>
}

const projectFileNames = ['svc.yaml', 'svc.yml'] as const
const none: NamedOverlays = { projectFile: null, paths: [] }

/** The nearest `svc.yaml` beside a document or above it, inside the folder that is read. */
function nearestIn(files: OverlayFiles, path: string): string | null {
  for (let folder = folderOf(path); isWithin(folder, files.boundary); folder = folderOf(folder)) {
    const found = projectFileNames
      .map((name) => (folder === '' ? name : `${folder}/${name}`))
      .find((it) => files.has(it))
    if (found !== undefined) return found
    if (folder === '') break
  }
  return null
}

/** A path of a `svc.yaml` as the tree names it: "../" steps are taken, one that leads out of the tree stays as it is. */
function placeIn(folder: string, path: string): string {
  const steps: string[] = folder === '' ? [] : folder.split('/')
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '..' && steps.length > 0) steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}

/**
 * Finds the overlays that the nearest `svc.yaml` names for a document.
 * @param path the document
 * @throws SvcError `project-file-invalid` with every mistake and its place, an overlay that is not among the files that are read
 *   included; and what reading the tree refuses
 */
export async function overlaysNamedIn(files: OverlayFiles, path: string): Promise<NamedOverlays> {
  const projectFile = nearestIn(files, path)
  if (projectFile === null) return none
  const text = await files.text(projectFile)
  // What is wrong with a file that names no overlay does not concern an import.
  if (!text.includes('overlays')) return none
  const { model, problems } = readProjectFile(parseDocument(text, { source: projectFile, syntax: 'yaml' }), null)
  if (model === null)
    throw new SvcError('project-file-invalid', {
      file: projectFile,
      problems: problems.map((it) => placedMessage(projectFile, it)),
    })
  const folder = folderOf(projectFile)
  const api = model.apis.find(({ root }) => placeIn(folder, root) === path)
  if (api === undefined || api.overlays.length === 0) return none
  const named = api.overlays.map(({ path: written, at }) => ({ written, at, place: placeIn(folder, written) }))
  const missing = named.filter(({ place }) => treePath(place) === null || !files.has(place))
  if (missing.length > 0)
    throw new SvcError('project-file-invalid', {
      file: projectFile,
      problems: missing.map(
        ({ written, at }) => `${projectFile}:${at.line + 1}:${at.character + 1}: there is no overlay "${written}" here`,
      ),
    })
  return { projectFile, paths: named.map(({ place }) => place) }
}
