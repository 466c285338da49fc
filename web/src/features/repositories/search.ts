import { queryClient } from '../../query-client.ts'
import { accountName, accountsQuery } from '../linked-accounts/accounts.ts'
import { providerNames } from '../git-providers/providers.ts'
import { repositoriesQuery } from './queries.ts'

/** A repository, or a linked account. */
export interface FileMatch {
  readonly id: string
  readonly isRepository: boolean
  readonly name: string
  readonly detail: string
}

const most = 8

/** The repositories and linked accounts of an organization whose names contain a text. */
export const searchRepositories = async (tenant: string, text: string): Promise<readonly FileMatch[]> => {
  const [repositories, accounts] = await Promise.all([
    queryClient.fetchQuery({ ...repositoriesQuery(tenant), staleTime: 15_000 }),
    queryClient.fetchQuery({ ...accountsQuery(tenant), staleTime: 15_000 }),
  ])
  const found = [
    ...repositories.map((it) => ({ id: it.id, isRepository: true, name: it.full_name, detail: it.host })),
    ...accounts.map((account) => ({
      id: account.id,
      isRepository: false,
      name: accountName(account),
      detail: providerNames[account.provider],
    })),
  ]
  const wanted = text.trim().toLowerCase()
  return found.filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(wanted)).slice(0, most)
}
