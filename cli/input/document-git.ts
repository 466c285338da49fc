/** Files of a revision in the repository of the current folder. */
import { textOf } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/suggest.ts'
import { MissingSide, unreadable, type Files, type SourceText } from './document-source.ts'

interface Repository {
  readonly cwd: string
  readonly signal: AbortSignal
}

interface Answer {
  readonly code: number
  readonly bytes: Uint8Array
  readonly complaint: string
}

async function git(args: readonly string[], { cwd, signal }: Repository, input = ''): Promise<Answer> {
  let child
  try {
    child = Bun.spawn(['git', '-C', cwd, ...args], {
      stdin: new TextEncoder().encode(input),
      stdout: 'pipe',
      stderr: 'pipe',
      signal,
      env: { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
    })
  } catch {
    return { code: 127, bytes: new Uint8Array(), complaint: 'git is not installed' }
  }
  const [bytes, complaint, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, bytes, complaint: complaint.trim() }
}

/** The lines of what git answers; null where it refuses. */
async function lines(args: readonly string[], repository: Repository): Promise<string[] | null> {
  const { code, bytes } = await git(args, repository)
  return code === 0 ? new TextDecoder().decode(bytes).split('\n').filter(Boolean) : null
}

type Found = Uint8Array | 'missing' | 'folder'

/** The blobs that revisions of paths name, all by one process (git cat-file --batch). */
async function readBlobs(names: readonly string[], repository: Repository): Promise<Found[]> {
  const { bytes } = await git(['cat-file', '--batch'], repository, names.map((it) => `${it}\n`).join(''))
  const found: Found[] = []
  let at = 0
  for (const _ of names) {
    const end = bytes.indexOf(10, at)
    const head = new TextDecoder().decode(bytes.subarray(at, end === -1 ? bytes.length : end))
    const [, kind, size] = / (\w+) (\d+)$/.exec(head) ?? []
    at = end + 1
    if (kind === undefined || end === -1) {
      found.push('missing')
      continue
    }
    const next = at + Number(size)
    found.push(kind === 'blob' ? bytes.subarray(at, next) : 'folder')
    at = next + 1
  }
  return found
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

/** Why a revision cannot be read, with the next step; a revision that is there has another file in the way. */
async function explainRevision(revision: string, repository: Repository): Promise<string | null> {
  const known = await lines(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`], repository)
  if (known !== null) return null
  const refs = (await lines(['for-each-ref', '--format=%(refname:short)'], repository)) ?? []
  const reason = `there is no branch, tag or commit "${revision}"`
  const remote = refs.find((it) => it === `origin/${revision}`)
  const near = remote ?? suggest(revision, refs)
  if (near !== null) return `${reason}; did you mean ${near}?`
  const [shallow] = (await lines(['rev-parse', '--is-shallow-repository'], repository)) ?? []
  return shallow === 'true'
    ? `${reason} in this shallow clone; fetch it first: git fetch --depth=1 origin ${revision.replace(/^origin\//, '')}`
    : reason
}

/** Why a file is not in a revision that is there. */
async function explainPath(revision: string, path: string, prefix: string, repository: Repository): Promise<string> {
  const reason = `${revision === '' ? 'the index' : revision} has no file "${path}"`
  if (prefix !== '') {
    const [below] = await readBlobs([`${revision}:${prefix}${path}`], repository)
    if (below instanceof Uint8Array)
      return `${reason}: paths begin at the top of the repository; write ${revision}:${prefix}${path} or ${revision}:./${path}`
  }
  if (revision === '') return reason
  const moved = await lines(['diff', '--find-renames', '--diff-filter=R', '--name-status', revision, '--'], repository)
  const before = moved?.map((it) => it.split('\t')).find(([, , to]) => to === path)?.[1]
  if (before !== undefined) return `${reason}: there it is called ${before}; write ${revision}:${before}`
  const all = await lines(['ls-tree', '-r', '--name-only', '--full-tree', revision], repository)
  const near = all === null ? null : suggest(path, all)
  const meant = near === null ? '' : `; did you mean ${revision}:${near}?`
  return `${reason}${meant}${meant === '' ? ';' : ''} --allow-missing-base compares a new file with nothing`
}

const repositoryFiles = (revision: string, repository: Repository): Files => {
  const nameOf = (place: string): string => `${revision}:${place.slice(1)}`
  return {
    holds: (place) => place.startsWith('/'),
    nameOf,
    async read(places) {
      const found = await readBlobs(places.map(nameOf), repository)
      return found.map((it, index) => {
        const name = nameOf(places[index] ?? '')
        if (typeof it === 'string')
          return unreadable(name, it === 'missing' ? 'that revision has no such file' : 'it is a folder')
        try {
          return textOf(it, name)
        } catch (thrown) {
          if (thrown instanceof SvcError) return thrown
          throw thrown
        }
      })
    },
  }
}

/**
 * Reads a file of a revision as `git show REVISION:PATH` does: a path begins at the top of the repository, or with "./" in the
 * current folder; without a revision it is that of the index.
 * @throws MissingSide where the revision has no such file; SvcError `usage` where there is no revision or no repository
 */
export async function readGit(revision: string, path: string, cwd: string, signal: AbortSignal): Promise<SourceText> {
  const repository = { cwd, signal }
  const name = `${revision}:${path}`
  // What looks like an option would become one.
  if (revision.startsWith('-')) throw unreadable(name, `"${revision}" is not a revision`)
  const where = await git(['rev-parse', '--show-prefix'], repository)
  if (where.code !== 0)
    throw unreadable(
      name,
      where.code === 127
        ? 'it is a file of a git revision, and git is not installed'
        : 'there is no such file, and the current folder is not in a git repository',
    )
  const prefix = new TextDecoder().decode(where.bytes).trim()
  const full = normal(/^\.\.?\//.test(path) ? prefix + path : path)
  if (full === null || full === '') throw unreadable(name, 'the path points outside the repository')
  const [found = 'missing'] = await readBlobs([`${revision}:${full}`], repository)
  if (found === 'folder') throw unreadable(name, 'it is a folder; name a file in it')
  if (found === 'missing') {
    const fault = revision === '' ? null : await explainRevision(revision, repository)
    if (fault !== null) throw new MissingSide(name, fault)
    const reason = await explainPath(revision, full, prefix, repository)
    throw new MissingSide(name, reason)
  }
  return { name, text: textOf(found, name), place: `/${full}`, files: repositoryFiles(revision, repository) }
}
