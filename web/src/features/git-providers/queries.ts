import { queryOptions } from '@tanstack/react-query'
import { accountAuthorizationApi } from '../../../../src/api/account-authorization.ts'
import { providersApi } from '../../../../src/api/providers.ts'
import { call } from '../../call.ts'
import { queryClient } from '../../query-client.ts'

/** The first part of the key of everything that is read about the git providers, accounts and repositories of an organization. */
export const repositoriesKey = (tenant: string) => ['repositories', tenant] as const

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
/** Reads everything about the repositories of an organization again. */
export const refreshRepositories = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: repositoriesKey(tenant) })
