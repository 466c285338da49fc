import { SvcError } from '../../src/errors.ts'
import type { RemoteGit } from './remote-git.ts'

/** The branches and tags of a repository. What anyone can push to (refs/pull and the like) is left out. */
export interface Refs {
  /** The default branch; null where the repository is empty or its HEAD is detached. */
  readonly head: string | null
  /** Commits by the names of branches. */
  readonly branches: ReadonlyMap<string, string>
  /** Commits by the names of tags: what an annotated tag points to. */
  readonly tags: ReadonlyMap<string, string>
}

const mostBytes = 64 * 1024 * 1024

/** Reads what `git ls-remote --symref` writes. */
export function readRefs(listing: string): Refs {
  const branches = new Map<string, string>()
  const tags = new Map<string, string>()
  let head: string | null = null
  for (const line of listing.split('\n')) {
    const [first = '', name = ''] = line.split('\t', 2)
    if (first.startsWith('ref: ') && name === 'HEAD') head = first.slice('ref: refs/heads/'.length)
    else if (name.startsWith('refs/heads/')) branches.set(name.slice('refs/heads/'.length), first)
    // The line of the commit that an annotated tag points to follows the line of the tag.
    else if (name.startsWith('refs/tags/')) tags.set(name.slice('refs/tags/'.length).replace(/\^\{\}$/, ''), first)
  }
  return { head: head !== null && branches.has(head) ? head : null, branches, tags }
}

/**
 * Asks a remote for its refs; nothing is stored.
 * @throws SvcError `git-failed`, `egress-denied`
 */
export async function listRefs(git: RemoteGit): Promise<Refs> {
  const args = ['ls-remote', '--symref', '--', git.address.url, 'HEAD', 'refs/heads/*', 'refs/tags/*']
  const { code, stdout, stderr } = await git.run('/', args, { maxBytes: mostBytes })
  if (code !== 0) throw git.failure(stderr, 'HEAD')
  return readRefs(stdout.toString('utf8'))
}

/** A branch or tag and the commit it names. */
export interface ResolvedRef {
  /** "refs/heads/main" or "refs/tags/v1". */
  readonly full: string
  /** As short as it means this one. */
  readonly name: string
  readonly commit: string
}

/**
 * What a ref means: a branch goes before a tag of the same name, and refs/heads/… or refs/tags/… names one of them alone. Without a ref
 * it is the default branch.
 * @throws SvcError `ref-not-found`
 */
export function resolveRef(refs: Refs, ref: string | null, shown: string): ResolvedRef {
  const missing = (name: string) => new SvcError('ref-not-found', { ref: name, repository: shown })
  const wanted = ref ?? refs.head
  if (wanted === null) throw missing('HEAD')
  const branch = wanted.replace(/^refs\/heads\//, '')
  const tag = wanted.replace(/^refs\/tags\//, '')
  const ofBranch = wanted.startsWith('refs/tags/') ? undefined : refs.branches.get(branch)
  if (ofBranch !== undefined) return { full: `refs/heads/${branch}`, name: branch, commit: ofBranch }
  const ofTag = wanted.startsWith('refs/heads/') ? undefined : refs.tags.get(tag)
  // The short name of a tag that has the name of a branch means the branch.
  if (ofTag !== undefined)
    return { full: `refs/tags/${tag}`, name: refs.branches.has(tag) ? `refs/tags/${tag}` : tag, commit: ofTag }
  throw missing(wanted)
}
