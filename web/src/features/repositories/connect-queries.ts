import { queryOptions } from '@tanstack/react-query'
import { accountAuthorizationApi } from '../../../../src/api/account-authorization.ts'
import type { GitProvider } from '../../../../src/api/linked-accounts.ts'
import { providersApi } from '../../../../src/api/providers.ts'
import { call } from '../../call.ts'
import { queryClient } from '../../query-client.ts'
import { repositoriesKey } from './queries.ts'

/** The hosts where accounts can be linked, and how. */
export const methodsQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(tenant), 'methods'],
    queryFn: async () => (await call(accountAuthorizationApi.methods, { params: { tenant_slug: tenant } })).providers,
  })

const operatorKey = ['git-providers'] as const

/** What the operator registered at the providers; refused to everyone else. */
export const registeredQuery = queryOptions({
  queryKey: operatorKey,
  queryFn: () => call(providersApi.list, {}),
})

export const refreshProviders = async (tenant: string): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: operatorKey })
  await queryClient.invalidateQueries({ queryKey: methodsQuery(tenant).queryKey })
}

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
