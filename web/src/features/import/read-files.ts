import { bytesWords } from '../../parts/text.ts'
import { type Chosen, isArchive, type TreeFile } from './chosen.ts'
import { type ChosenOverlay, fileOverlay, isOverlayText, mostOverlays } from './overlay-files.ts'

/** A file with its path in what was chosen. */
export interface FileAt {
  readonly path: string
  readonly file: File
}

// What one request may hold (64 MB), less what JSON adds to the texts.
const mostBytes = 48 * 1024 * 1024
const mostFiles = 10_000
const documentName = /\.(json|ya?ml)$/i

/** Folders of tools and of dependencies hold documents of others. */
const isAside = (path: string): boolean =>
  path.split('/').some((step) => step === 'node_modules' || (step.startsWith('.') && step !== '.'))

const entriesIn = (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    const reader = folder.createReader()
    const found: FileSystemEntry[] = []
    // A reader gives at most a hundred entries at once.
    const more = (): void =>
      reader.readEntries((entries) => {
        found.push(...entries)
        if (entries.length === 0 || found.length > mostFiles) resolve(found)
        else more()
      }, reject)
    more()
  })

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

async function collect(entry: FileSystemEntry, path: string, into: FileAt[]): Promise<void> {
  if (isAside(path) || into.length > mostFiles) return
  if (entry.isFile) into.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
  else
    for (const inner of await entriesIn(entry as FileSystemDirectoryEntry))
      await collect(inner, `${path}/${inner.name}`, into)
}

/** The files that were dropped, those of folders included. */
export async function filesOfDrop(transfer: DataTransfer): Promise<readonly FileAt[]> {
  // The list is empty after the event: its entries are taken before anything is waited for.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((it) => it !== null)
  if (entries.length === 0) return filesOfList(transfer.files)
  const found: FileAt[] = []
  for (const entry of entries) await collect(entry, entry.name, found)
  return found
}

/** The files that were chosen in a field. */
export const filesOfList = (files: FileList | null): readonly FileAt[] =>
  [...(files ?? [])].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error(`${file.name} could not be read.`)))
    reader.readAsDataURL(file)
  })

const sumOf = (files: readonly FileAt[]): number => files.reduce((sum, { file }) => sum + file.size, 0)

function assertFits(files: readonly FileAt[]): void {
  const bytes = sumOf(files)
  if (bytes > mostBytes)
    throw new Error(
      `${bytesWords(bytes)} are too many for the browser: at most ${bytesWords(mostBytes)}. Choose fewer files, or import them from a URL or a repository.`,
    )
  if (files.length > mostFiles)
    throw new Error(
      `There are more than ${mostFiles.toLocaleString()} files. Choose fewer, or put them into an archive.`,
    )
}

/** The paths below the folder that all of them share, and the name of that folder. */
function belowFolder(paths: readonly string[]): { readonly name: string | null; readonly paths: readonly string[] } {
  const [folder] = paths[0]?.split('/') ?? []
  const shared = folder !== undefined && paths.every((path) => path.startsWith(`${folder}/`))
  return shared ? { name: folder, paths: paths.map((path) => path.slice(folder.length + 1)) } : { name: null, paths }
}

/** What was chosen, and the overlays beside it. */
export interface Read {
  readonly chosen: Chosen
  readonly overlays: readonly ChosenOverlay[]
}

/**
 * Overlays among files that someone chose one by one. Those of a folder stay in it: a `svc.yaml` there says to which document they belong.
 */
function overlaysAmong(files: readonly TreeFile[]): Pick<Read, 'overlays'> & { readonly others: readonly TreeFile[] } {
  const [overlays, others] = [
    files.filter((it) => isOverlayText(it.content)),
    files.filter((it) => !isOverlayText(it.content)),
  ]
  return { overlays: overlays.map((it) => fileOverlay(it.path, it.content)), others }
}

/**
 * Reads what was chosen or dropped: one document, an archive, or the JSON and YAML files of a folder; and overlays beside a document.
 * @throws Error with a text for the reader: nothing to import, too large, an archive beside other files, an overlay alone
 */
export async function readFiles(given: readonly FileAt[]): Promise<Read> {
  const files = given.filter(({ path }) => !isAside(path))
  const [first] = files
  if (first === undefined)
    throw new Error('There is no file to import. Files whose names begin with a dot are left out.')
  assertFits(files)
  const { path, file } = first
  if (files.length === 1) {
    if (isArchive(path))
      return {
        chosen: { kind: 'archive', name: file.name, base64: await base64Of(file), bytes: file.size },
        overlays: [],
      }
    return asRead(path, null, [{ path: file.name, content: await file.text() }])
  }
  if (files.some((it) => isArchive(it.path))) throw new Error('Choose one archive, or files without an archive.')
  const documents = files.filter((it) => documentName.test(it.path))
  if (documents.length === 0) throw new Error('None of these files is JSON or YAML.')
  const { name, paths } = belowFolder(documents.map((it) => it.path))
  const tree: TreeFile[] = []
  for (const [index, it] of documents.entries())
    tree.push({ path: paths[index] ?? it.path, content: await it.file.text() })
  return asRead(path, name, tree)
}

function asRead(first: string, folder: string | null, files: readonly TreeFile[]): Read {
  const { overlays, others } = folder === null ? overlaysAmong(files) : { overlays: [], others: files }
  const [only, ...more] = others
  if (only === undefined)
    throw new Error(
      `${first} is an overlay, which changes a document. Choose the document, alone or together with its overlays.`,
    )
  if (more.length === 0) return { chosen: { kind: 'text', name: only.path, text: only.content }, overlays }
  const bytes = others.reduce((sum, it) => sum + new Blob([it.content]).size, 0)
  const name = folder ?? `${others.length} files`
  return { chosen: { kind: 'tree', name, isFolder: folder !== null, files: others, bytes }, overlays }
}

/**
 * Reads overlays that were chosen or dropped beside a document.
 * @param taken how many there are already
 * @throws Error with a text for the reader: a file that is no overlay, too many, too large
 */
export async function readOverlayFiles(files: readonly FileAt[], taken: number): Promise<readonly ChosenOverlay[]> {
  if (taken + files.length > mostOverlays) throw new Error(`One import takes at most ${mostOverlays} overlays.`)
  assertFits(files)
  const overlays: ChosenOverlay[] = []
  for (const { file } of files) {
    const text = await file.text()
    if (!isOverlayText(text))
      throw new Error(`${file.name} is no overlay: it has no "overlay" with the version of the specification.`)
    overlays.push(fileOverlay(file.name, text))
  }
  return overlays
}
