/** Reads what git writes. */
import { SvcError } from '../../../src/errors.ts'

/** What a failure of git means for the repository: it is not there, needs other credentials, or anything else. */
export type GitFailureKind = 'missing' | 'credentials' | 'other'

/** A repository that git could not read. */
export class GitFailure extends SvcError<'git-failed'> {
  readonly kind: GitFailureKind
  constructor(url: string, { kind, reason }: { readonly kind: GitFailureKind; readonly reason: string }) {
    super('git-failed', { url, reason })
    this.kind = kind
  }
}

/** What git said: what it means, and the end of a sentence. Its own words are shown without addresses, which may contain secrets. */
export function reasonIn(stderr: string, ref: string): { readonly kind: GitFailureKind; readonly reason: string } {
  if (/couldn't find remote ref|not our ref|no such remote ref|unadvertised object/i.test(stderr))
    return other(`it has no branch, tag or commit "${ref}" (a commit is named by its whole id)`)
  if (/host key verification failed/i.test(stderr)) return other('the key of its host is not the one that is known')
  if (/could not read username|authentication failed|permission denied|HTTP 40[13]|error: 40[13]/i.test(stderr))
    return { kind: 'credentials', reason: 'it cannot be read without credentials, or with the ones that were sent' }
  if (
    /repository .*not found|does not appear to be a git repository|no such file or directory|error: 404/i.test(stderr)
  )
    return { kind: 'missing', reason: 'there is no repository' }
  // A token is sent to no other place than the one that was named.
  if (/error: 30[1278]/i.test(stderr))
    return { kind: 'missing', reason: 'there is no repository at this address any more: it was moved or renamed' }
  if (/ssh: not found|cannot run ssh|unable to fork/i.test(stderr)) return other('ssh is not installed here')
  const line = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? 'git ended without a word'
  return other(
    line
      .replaceAll(/'?[a-z+]+:\/\/\S+/gi, 'it')
      .replaceAll(/\/\S+\/svc-git-\w+/g, '…')
      .replace(/[.:]$/, '')
      .slice(0, 200),
  )
}

const other = (reason: string) => ({ kind: 'other', reason }) as const

/** A file, a symbolic link or a submodule of a commit. */
export interface TreeEntry {
  readonly path: string
  readonly oid: string
  readonly kind: 'file' | 'symlink' | 'submodule'
}

const kinds: Readonly<Record<string, TreeEntry['kind']>> = { '120000': 'symlink', '160000': 'submodule' }

/** Reads what `git ls-tree -r -z` writes. Paths that are not UTF-8 are left out: they cannot be named in JSON. */
export function readTree(listing: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (const line of listing.toString('utf8').split('\0')) {
    const cut = line.indexOf('\t')
    if (cut === -1) continue
    const [mode = '', , oid = ''] = line.slice(0, cut).split(' ')
    const path = line.slice(cut + 1)
    if (!path.includes('\uFFFD')) entries.push({ path, oid, kind: kinds[mode] ?? 'file' })
  }
  return entries
}

/** Reads what `git cat-file --batch` writes: "OID blob SIZE\n", the bytes, "\n", for each object in the order that was asked for. */
export function* readBatch(bytes: Buffer): Generator<readonly [oid: string, content: Uint8Array]> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at)
    if (end === -1) return
    const [oid = '', type, size = ''] = bytes.subarray(at, end).toString('latin1').split(' ')
    at = end + 1
    if (type !== 'blob') continue
    const length = Number(size)
    yield [oid, bytes.subarray(at, at + length)]
    at += length + 1
  }
}
