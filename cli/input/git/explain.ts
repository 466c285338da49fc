/** Why git has not got what a side names, with the next step. */
import { suggest } from '../../../src/kernel/suggest.ts'
import { lines, readBlobs, type Repository } from './process.ts'

/** Why a revision cannot be read, with the next step; a revision that is there has another file in the way. */
export async function explainRevision(revision: string, repository: Repository): Promise<string | null> {
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

/** Why a folder is not in a revision that is there. */
export async function explainFolder(
  revision: string,
  path: string,
  prefix: string,
  repository: Repository,
): Promise<string> {
  const reason = `${revision === '' ? 'the index' : revision} has no folder "${path}"`
  if (revision === '') return reason
  if (prefix !== '') {
    const [below] = await readBlobs([`${revision}:${prefix}${path}`], repository)
    if (below === 'folder')
      return `${reason}: paths begin at the top of the repository; write ${revision}:${prefix}${path} or ${revision}:./${path}`
  }
  const all = await lines(['ls-tree', '-r', '-d', '--name-only', '--full-tree', revision], repository)
  const near = all === null ? null : suggest(path, all)
  const meant = near === null ? '' : `; did you mean ${revision}:${near}?`
  return `${reason}${meant}${meant === '' ? ';' : ''} --allow-missing-base compares a new folder with nothing`
}

/** Why a file is not in a revision that is there. */
export async function explainPath(
  revision: string,
  path: string,
  prefix: string,
  repository: Repository,
): Promise<string> {
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
