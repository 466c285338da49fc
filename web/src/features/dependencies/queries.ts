import { queryOptions } from '@tanstack/react-query'
import { dependenciesApi } from '../../../../src/api/dependencies.ts'
import { call } from '../../call.ts'

export const dependenciesQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['dependencies', tenant],
    queryFn: () => call(dependenciesApi.get, { params: { tenant_slug: tenant } }),
  })
