import { SvcError } from '../../src/errors.ts'
import type { HealthReason } from '../../db/tables/repositories.ts'
import type { Deps } from '../kit/door.ts'
import { authorizationTo, type Remote } from '../hosting/door.ts'
import { GitFailure, type GitFailureKind } from '../sources/door.ts'
import { type AccountFailure, credentialOf } from '../linked-accounts/door.ts'

const accountReasons: Readonly<Record<AccountFailure, string>> = {
  'account-missing': 'its linked account was removed',
  'account-owner-left': 'the owner of its linked account is not an active member any more',
  'account-expired': 'the token of its linked account has expired',
  'account-revoked': 'the provider does not accept the token of its linked account any more',
}

/** A repository cannot be read; the code is a reason of health. */
export class Unreadable extends Error {
  readonly reason: Pick<HealthReason, 'code' | 'message'>
  constructor(code: string, message: string) {
    super(message)
    this.reason = { code, message }
  }
}

/** What is read, and with which account. */
export interface Source {
  readonly tenantId: string
  readonly cloneUrl: string
  readonly linkedAccountId: string | null
}

/**
 * How a repository is reached now: with the token of its account where it has one.
 * @throws Unreadable where the account does not serve
 * @throws SvcError `secret-unreadable`, `secret-key-unusable`
 */
export async function remoteOf(deps: Deps, { tenantId, cloneUrl, linkedAccountId }: Source): Promise<Remote> {
  const credential = linkedAccountId === null ? null : await credentialOf(deps, tenantId, linkedAccountId)
  return { tenantId, url: cloneUrl, authorization: authorizationOf(cloneUrl, credential, deps.hosting.hosts) }
}

/**
 * What is sent to a repository with the token of its account; null: nothing is.
 * @param credential null: it has no account
 * @throws Unreadable where the account does not serve
 */
export function authorizationOf(
  cloneUrl: string,
  credential: Awaited<ReturnType<typeof credentialOf>> | null,
  hosts: Pick<Deps['hosting']['hosts'], 'originOf'>,
): string | null {
  if (credential === null) return null
  if (typeof credential === 'string') throw new Unreadable(credential, accountReasons[credential])
  return authorizationTo(cloneUrl, hosts.originOf(credential.host), credential)
}

/** Failures that are about the repository, or about its account at the provider. */
const unreadableCodes: ReadonlySet<string> = new Set([
  'git-failed',
  'fetch-failed',
  'source-too-large',
  'provider-failed',
  'provider-oauth-missing',
])

const gitReasons: Readonly<Record<GitFailureKind, string>> = {
  missing: 'repository-missing',
  credentials: 'credentials-refused',
  other: 'unreachable',
}

/** Why reading failed, as a reason of health; anything that is not about the repository is thrown again. */
export function unreadableOf(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error
  if (!(error instanceof SvcError && unreadableCodes.has(error.code))) throw error
  const { reason = error.message } = error.detail as { reason?: string }
  return new Unreadable(error instanceof GitFailure ? gitReasons[error.kind] : 'unreachable', reason)
}

/** The refusal of a request that needed to read. */
export const refusalOf = (error: unknown, shown: string): SvcError => {
  const { code, message } = unreadableOf(error).reason
  return new SvcError('repository-unreadable', { repository: shown, reason: message, cause: code })
}
