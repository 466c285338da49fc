/** Runs git against one remote: through the guard, with its token in the environment of the process alone. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { EgressProxy, Network } from '../egress/door.ts'
import {
  type GitAddress,
  type GitPlace,
  type GitResult,
  prepareGit,
  readGitAddress,
  reasonIn,
  GitFailure,
  runGit,
} from '../sources/door.ts'

/** A repository at a provider. */
export interface Remote {
  /** Whose mirror it is: mirrors are never shared between organizations. */
  readonly tenantId: string
  /** https or http. */
  readonly url: string
  /** The Authorization header that is sent to the origin of the URL; null: none. */
  readonly authorization: string | null
  /** No one waits for what is read: git leaves the processor to others. */
  readonly isPatient?: boolean
}

/** Names the mirror of a remote. */
export const mirrorName = ({ tenantId, url }: Remote): string =>
  createHash('sha256').update(`${tenantId} ${url}`).digest('hex').slice(0, 40)

const maxBytes = 512 * 1024 * 1024
const timeoutMs = 120_000
const connectTimeoutMs = 20_000

/** git for the time of one piece of work. */
export class RemoteGit {
  readonly address: GitAddress
  readonly #place: GitPlace
  readonly #proxy: EgressProxy

  constructor(address: GitAddress, place: GitPlace, proxy: EgressProxy) {
    this.address = address
    this.#place = place
    this.#proxy = proxy
  }

  /** Runs git in a folder, whatever its exit code. */
  run(folder: string, args: readonly string[], options: Parameters<typeof runGit>[2] = {}): Promise<GitResult> {
    return runGit({ ...this.#place, folder }, args, options)
  }

  /** What is reported where git failed: what the guard refused, else what git said, without addresses. */
  failure(stderr: string, ref: string): SvcError {
    const { shown } = this.address
    return this.#proxy.failure ?? new GitFailure(shown, reasonIn(stderr, ref))
  }
}

/**
 * Lets `work` run git against a remote.
 * @throws SvcError `source-refused`, `git-failed`, `egress-denied`
 */
export async function withGit<T>(
  remote: Remote,
  allow: readonly Network[],
  ending: AbortSignal,
  work: (git: RemoteGit) => Promise<T>,
): Promise<T> {
  const address = readGitAddress(remote.url)
  const failed = (reason: string) => new SvcError('git-failed', { url: address.shown, reason })
  if (address.transport !== 'http')
    throw new SvcError('source-refused', { source: address.shown, reason: 'repositories are read by https' })
  if (Bun.which('git') === null) throw failed('git is not installed here')
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([ending, deadline])
  const folder = await mkdtemp(join(tmpdir(), 'svc-git-'))
  const { openEgressProxy } = await import('../egress/door.ts')
  const proxy = await openEgressProxy({ allow, maxBytes, connectTimeoutMs, signal })
  try {
    const { authorization } = remote
    const place = await prepareGit(folder, address, proxy, { identity: 'none', sshPort: null, authorization, signal })
    return await work(new RemoteGit(address, { ...place, isPatient: remote.isPatient === true }, proxy))
  } catch (error) {
    if (deadline.aborted && !ending.aborted) throw failed(`it was not read within ${timeoutMs / 1000} seconds`)
    throw error
  } finally {
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  }
}
