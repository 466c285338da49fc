import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { call } from '../../call.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { awaitScan, type RepositoryAt, repositoryParams } from './queries.ts'

/** Has the branches and files of a repository indexed again. */
export const useScan = (at: RepositoryAt) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async (before: Repository) => {
      awaitScan(before)
      await call(repositoriesApi.scan, { params: repositoryParams(at) })
      await refreshRepositories(at.tenant)
    },
  })

/** Has imported files compared with the repository and imported again: all of them, or one. */
export const useRefresh = (at: RepositoryAt) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async (only: { readonly branch?: string; readonly path?: string }) => {
      const done = await call(repositoriesApi.refreshNow, { params: repositoryParams(at), body: { ...only } })
      await refreshRepositories(at.tenant)
      return done
    },
  })

export const patchRepository = async (
  at: RepositoryAt,
  body: { auto_refresh_enabled?: boolean; pull_request_reports?: boolean; linked_account_id?: string | null },
): Promise<void> => {
  await call(repositoriesApi.update, { params: repositoryParams(at), body })
  await refreshRepositories(at.tenant)
}
