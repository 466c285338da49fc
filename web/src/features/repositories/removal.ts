import { useNavigate } from '@tanstack/react-router'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { dropRepository, refreshRepositories, type RepositoryAt, repositoryParams } from './queries.ts'

/** Removes the registration of a repository, and shows the list without it. */
export const useRemoval = (at: RepositoryAt) => {
  const navigate = useNavigate()
  const { tenant } = at
  return async (): Promise<void> => {
    await call(repositoriesApi.remove, { params: repositoryParams(at) })
    dropRepository(at)
    await navigate({ to: '/t/$tenant/-/repositories', params: { tenant }, replace: true })
    await refreshRepositories(tenant)
  }
}
