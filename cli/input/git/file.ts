/** Files of a revision in the repository of the current folder. */
import { textOf } from '../../../src/document/text.ts'
import { SvcError } from '../../../src/errors.ts'
import { MissingSide, unreadable, type Files, type SourceText, type UnreadText } from '../document-source.ts'
import { explainPath, explainRevision } from './explain.ts'
import { git, readBlobs, type Objects, type Repository } from './process.ts'

/** What REVISION:PATH names. */
export interface Revised {
  readonly revision: string
  readonly path: string
}

/** REVISION:PATH in its parts; null where the text has another meaning: an address, or a drive of Windows. */
export function splitRevision(side: string): Revised | null {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(side) || /^[a-z]:[\\/]/i.test(side)) return null
  const colon = side.indexOf(':')
  return colon < 0 ? null : { revision: side.slice(0, colon), path: side.slice(colon + 1) }
}

/** A relative path without `.` and `..`; null where it leads above the top. */
function normal(path: string): string | null {
  const steps: string[] = []
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return null
  }
  return steps.join('/')
}

/** The files of a revision, for the references of its documents. */
export const repositoryFiles = (revision: string, repository: Repository): Files => {
  const nameOf = (place: string): string => `${revision}:${place.slice(1)}`
  return {
    holds: (place) => place.startsWith('/'),
    nameOf,
    async read(places) {
      const found = await readBlobs(places.map(nameOf), repository)
      return found.map((entry, index) => {
        const name = nameOf(places[index] ?? '')
        if (typeof entry === 'string')
          return unreadable(name, entry === 'missing' ? 'that revision has no such file' : 'it is a folder')
        try {
          return textOf(entry, name)
        } catch (thrown) {
          if (thrown instanceof SvcError) return thrown
          throw thrown
        }
      })
    },
  }
}

/** A path of a revision, and the repository that has it. */
export interface Located {
  /** As it was typed. */
  readonly name: string
  readonly revision: string
  /** From the top of the repository; "" is the top itself. */
  readonly path: string
  /** The current folder from the top, with a slash at its end; "" at the top. */
  readonly prefix: string
  readonly repository: Repository
}

/**
 * Finds what REVISION:PATH means as `git show` does: a path begins at the top of the repository, or with "./" in the current
 * folder; without a revision it is that of the index.
 * @throws SvcError `input-unreadable` where there is no repository, or the path leads out of it
 */
export async function locate({ revision, path }: Revised, repository: Repository): Promise<Located> {
  const name = `${revision}:${path}`
  // What looks like an option would become one.
  if (revision.startsWith('-')) throw unreadable(name, `"${revision}" is not a revision`)
  const where = await (repository.objects?.prefix() ?? git(['rev-parse', '--show-prefix'], repository))
  if (where.code !== 0)
    throw unreadable(
      name,
      where.code === 127
        ? 'it is a file of a git revision, and git is not installed'
        : 'there is no such file, and the current folder is not in a git repository',
    )
  const prefix = new TextDecoder().decode(where.bytes).replace(/\n$/, '')
  const full = normal(/^\.\.?(?:\/|$)/.test(path) ? prefix + path : path)
  if (full === null) throw unreadable(name, 'the path points outside the repository')
  return { name, revision, path: full, prefix, repository }
}

const noDocument = (name: string): SvcError => unreadable(name, 'it is a folder; name a file in it')

async function missing({ name, revision, path, prefix, repository }: Located): Promise<MissingSide> {
  const fault = revision === '' ? null : await explainRevision(revision, repository)
  return new MissingSide(name, fault ?? (await explainPath(revision, path, prefix, repository)))
}

async function readLocated(at: Located): Promise<SourceText> {
  const { name, revision, path, repository } = at
  if (path === '') throw noDocument(name)
  const [found = 'missing'] = await readBlobs([`${revision}:${path}`], repository)
  if (found === 'folder') throw noDocument(name)
  if (found === 'missing') throw await missing(at)
  return { name, text: textOf(found, name), place: `/${path}`, files: repositoryFiles(revision, repository) }
}

/**
 * Reads a file of a revision.
 * @throws MissingSide where the revision or the file does not exist; SvcError as `locate` does, and `document-invalid`
 */
export const readGit = async (revised: Revised, repository: Repository): Promise<SourceText> =>
  readLocated(await locate(revised, repository))

/**
 * Finds a file of a revision without reading it.
 * @throws as `readGit` does, but for the content
 */
export async function findGit(revised: Revised, repository: Repository, objects: Objects): Promise<UnreadText> {
  const at = await locate(revised, repository)
  const { name, revision, path } = at
  if (path === '') throw noDocument(name)
  const known = await objects.find(`${revision}:${path}`)
  if (known === null) throw await missing(at)
  if (known.kind !== 'blob') throw noDocument(name)
  return {
    name,
    id: known.id,
    place: `/${path}`,
    files: repositoryFiles(revision, repository),
    read: () => readLocated(at),
  }
}
