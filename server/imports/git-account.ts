import { SvcError } from '../../src/errors.ts'
import type { ImportSource } from '../../src/api/imports.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findAccount } from '../linked-accounts/door.ts'
import { findRepository, readCloneUrl, refusalOf, remoteOf } from '../repositories/door.ts'
import type { PayloadSource } from './payload.ts'
import type { Reach } from '../sources/door.ts'

type GitImport = Extract<ImportSource, { kind: 'git' }>
type GitPayload = Extract<PayloadSource, { kind: 'git' }>

/** Raises `source-refused` where the address is another one than that of what was named. */
const assertSame = (given: string, wanted: string, source: string, what: string): void => {
  if (given !== wanted) throw new SvcError('source-refused', { source, reason: `it is not ${what}` })
}

/**
 * A repository as a job reads it: with the account of the caller, or of the registered repository, that the request names.
 * @throws SvcError `linked-account-not-found`, `repository-not-found`, `source-refused`
 */
export async function withAccount(deps: Deps, grant: Grant, source: GitImport): Promise<GitPayload> {
  const { repository_id: repositoryId, linked_account_id: accountId, ...rest } = source
  if (repositoryId === undefined && accountId === undefined) return rest
  const place = readCloneUrl(source.url)
  const { read } = deps.db
  if (repositoryId !== undefined) {
    const row = await findRepository(read, tenantOf(grant).id, repositoryId)
    assertSame(
      `${place.host}/${place.fullName}`,
      `${row.host}/${row.fullName}`,
      source.url,
      `the repository ${row.fullName}`,
    )
    if (accountId === undefined) return { ...rest, account: row.linkedAccountId }
  }
  const account = await findAccount(read, grant, accountId ?? '')
  assertSame(
    place.origin,
    deps.hosting.hosts.originOf(account.host),
    source.url,
    `on ${account.host}, the host of the account`,
  )
  return { ...rest, account: account.id }
}

/** How a job reaches its source: a repository with the token of its account, as that is when the job runs. */
export function reachWith(deps: Deps, tenantId: string, source: PayloadSource, reach: Reach): Reach {
  if (source.kind !== 'git' || source.account === undefined || source.account === null) return reach
  const { account: linkedAccountId, url: cloneUrl } = source
  return {
    ...reach,
    openRepository: async (request, signal) => {
      const remote = await remoteOf(deps, { tenantId, cloneUrl, linkedAccountId }).catch((error: unknown) => {
        throw refusalOf(error, readCloneUrl(cloneUrl).fullName)
      })
      return reach.openRepository({ ...request, authorization: remote.authorization }, signal)
    },
  }
}
