/** A repository as the source of an import: an address the service fetches from, or a folder that is read here. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SvcError } from '../../src/errors.ts'
import { isAddress, isRemote } from '../input/git/address.ts'
import { maxSourceBytes, uploadOf, type Gathered } from './source.ts'

const failed = (repo: string, reason: string): SvcError => new SvcError('git-failed', { url: repo, reason })

async function git(folder: string, args: readonly string[], signal: AbortSignal): Promise<Uint8Array> {
  const child = Bun.spawn(['git', '-C', folder, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  })
  const [out, said, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  signal.throwIfAborted()
  if (code === 0) return out
  const [line = 'git refused'] = said
    .trim()
    .replace(/^(fatal|error): /, '')
    .split('\n')
  throw failed(folder, line.replace(/\.$/, ''))
}

interface Entry {
  readonly mode: string
  readonly path: string
}

const readEntries = (listing: Uint8Array): Entry[] =>
  new TextDecoder()
    .decode(listing)
    .split('\0')
    .flatMap((line) => {
      const [head = '', path] = line.split('\t', 2)
      return path === undefined ? [] : [{ mode: head.slice(0, 6), path }]
    })

const isRegular = ({ mode }: Entry): boolean => mode === '100644' || mode === '100755'

/**
 * The documents of a commit as a tar archive, which names the commit in its head; what is a link or no JSON or YAML is
 * left out.
 */
async function archiveOf(folder: string, repo: string, ref: string, signal: AbortSignal): Promise<Uint8Array> {
  if (ref.startsWith('-')) throw failed(repo, `"${ref}" is not a branch, tag or commit`)
  await git(folder, ['rev-parse', '--git-dir'], signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error instanceof SvcError ? failed(repo, 'there is no repository') : error
  })
  const commit = new TextDecoder()
    .decode(
      await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], signal).catch(
        () => new Uint8Array(),
      ),
    )
    .trim()
  if (commit === '') throw failed(repo, `it has no branch, tag or commit "${ref}"`)
  const entries = readEntries(await git(folder, ['ls-tree', '-r', '-z', '--full-tree', commit], signal))
  const wanted = entries.filter((it) => isRegular(it) && /\.(json|ya?ml)$/i.test(it.path))
  if (wanted.length === 0) throw failed(repo, `${ref} holds no .json, .yaml or .yml file`)
  const odd = entries.filter((it) => !isRegular(it) && /\.(json|ya?ml)$/i.test(it.path))
  const patterns = ['*.json', '*.yaml', '*.yml', '*.JSON', '*.YAML', '*.YML'].filter((pattern) =>
    wanted.some(({ path }) => path.endsWith(pattern.slice(1))),
  )
  const paths = [...patterns.map((it) => `:(top)${it}`), ...odd.map(({ path }) => `:(top,exclude,literal)${path}`)]
  const bytes = await git(folder, ['archive', '--format=tar', commit, '--', ...paths], signal)
  if (bytes.byteLength > maxSourceBytes) throw new SvcError('body-too-large', { limit_bytes: maxSourceBytes })
  return bytes
}

/**
 * The source that REPO_URL names. A folder of this machine is read here, so that it works against any service.
 * @throws SvcError `usage` for what is not a repository, `git-failed` for what git refuses
 */
export async function gitSource(
  repo: string,
  at: {
    readonly ref: string | undefined
    readonly path: string | undefined
    readonly repositoryId?: string | undefined
    readonly accountId?: string | undefined
  },
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<Gathered> {
  const { ref, path, repositoryId, accountId } = at
  const known = { root: null, text: () => null }
  const folder = repo.startsWith('file://') ? fileURLToPath(repo) : resolve(cwd, repo)
  const info = isAddress(repo) ? null : await stat(folder).catch(() => null)
  if (info === null) {
    if (!isRemote(repo))
      throw new SvcError('usage', {
        reason: `There is no repository "${repo}"; give its https or ssh address, or a folder that holds one`,
      })
    const source = {
      kind: 'git' as const,
      url: repo,
      ...(ref === undefined ? {} : { ref }),
      ...(path === undefined ? {} : { path }),
      ...(repositoryId === undefined ? {} : { repository_id: repositoryId }),
      ...(accountId === undefined ? {} : { linked_account_id: accountId }),
    }
    return { source, shown: (name) => name, ...known }
  }
  if (repositoryId !== undefined || accountId !== undefined)
    throw new SvcError('usage', {
      reason:
        '--repository-id and --linked-account-id are for an https address; a folder of this machine is read as it is',
    })
  const bytes = await archiveOf(folder, repo, ref ?? 'HEAD', signal)
  return {
    source: uploadOf(repo, new Uint8Array(bytes)),
    shown: (name) => name,
    ...known,
    root: path ?? null,
  }
}
