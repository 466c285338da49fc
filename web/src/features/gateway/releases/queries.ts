import { queryOptions } from '@tanstack/react-query'
import { releasesApi } from '../../../../../src/api/gateway-releases.ts'
import type { DialectName } from '../../../../../src/gateway/door.ts'
import { call } from '../../../call.ts'
import { pageSize } from '../../../query-client.ts'
import { type EnvironmentAt, environmentInput, keyOf } from '../queries.ts'

export const releasesQuery = (at: EnvironmentAt, offset: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'releases', offset),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const { releases, ...page } = await call(releasesApi.list, {
        params,
        query: { ...query, limit: pageSize, offset },
      })
      return { ...page, items: releases }
    },
  })

/** What differs between two releases, by their numbers. */
export const releaseComparisonQuery = (at: EnvironmentAt, from: number, to: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'releases', 'comparison', from, to),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const { comparison } = await call(releasesApi.list, {
        params,
        query: { ...query, limit: 1, from: String(from), to: String(to) },
      })
      return comparison
    },
  })

export const releaseQuery = (at: EnvironmentAt, release: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'release', release),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(releasesApi.get, { params: { ...params, release_id: release }, query })
    },
  })

/** One file of a release: releases never change. */
export const releaseFileQuery = (at: EnvironmentAt, release: string, engine: DialectName, path: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'release', release, 'file', engine, path),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(releasesApi.file, {
        params: { ...params, release_id: release, file_path: path },
        query: { ...query, engine },
      })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
