import { queryOptions } from '@tanstack/react-query'
import { type GitProvider, type LinkedAccount, linkedAccountsApi } from '../../../../src/api/linked-accounts.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { pieceSize } from '../../query-client.ts'
import { repositoriesKey } from '../git-providers/queries.ts'
import { accountAuthorizationApi } from '../../../../src/api/account-authorization.ts'
import type { Tone } from '../../parts/badge.tsx'

export const accountParams = (tenant: string, account: string) => ({ tenant_slug: tenant, linked_account_id: account })

/** All linked accounts that the person may see: an organization has few. */
export const accountsQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(tenant), 'accounts'],
    queryFn: async (): Promise<readonly LinkedAccount[]> =>
      (await call(linkedAccountsApi.list, { params: { tenant_slug: tenant }, query: { limit: pieceSize } }))
        .linked_accounts,
  })

/** The repositories that an account can read and whose names contain a text, as its provider lists them. */
export const accountRepositoriesQuery = (tenant: string, account: string, q: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(tenant), 'of-account', account, q],
    queryFn: () =>
      call(linkedAccountsApi.repositories, {
        params: accountParams(tenant, account),
        query: q === '' ? {} : { q },
      }),
    enabled: account !== '',
    placeholderData: (before) => before,
  })

/** The repositories that are registered with an account. */
export const repositoriesOfAccountQuery = (tenant: string, account: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(tenant), 'with-account', account],
    queryFn: async () => {
      const { repositories } = await call(repositoriesApi.list, { params: { tenant_slug: tenant } })
      return repositories.filter((it) => it.linked_account_id === account)
    },
  })

/** Leaves for the provider, which sends the browser back to the list of accounts. */
export const connect = async (
  tenant: string,
  {
    provider,
    host,
    owner,
    kind,
  }: { provider: GitProvider; host: string; owner: 'user' | 'tenant'; kind: 'oauth' | 'app' },
): Promise<void> => {
  const { url } = await call(accountAuthorizationApi.authorize, {
    params: { tenant_slug: tenant, provider },
    body: {
      host,
      kind,
      ...(kind === 'app' ? {} : { owner }),
      return_to: `/app/t/${encodeURIComponent(tenant)}/-/repositories/accounts`,
    },
  })
  location.href = url
}

export const accountKindNames: Readonly<Record<LinkedAccount['kind'], string>> = {
  token: 'token',
  oauth: 'OAuth',
  app: 'GitHub App',
}

export const accountName = ({ login, host }: Pick<LinkedAccount, 'login' | 'host'>): string => `${login} on ${host}`

export const accountTones: Readonly<Record<LinkedAccount['status'], Tone>> = {
  active: 'ok',
  expiring: 'warn',
  expired: 'danger',
  revoked: 'danger',
  error: 'warn',
}
