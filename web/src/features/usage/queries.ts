import { queryOptions } from '@tanstack/react-query'
import { tenantsApi } from '../../../../src/api/tenants.ts'
import { call } from '../../call.ts'

export const licenseQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['usage', tenant, 'license'],
    queryFn: () => call(tenantsApi.license, { params: { tenant_slug: tenant } }),
  })

export const tenantQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['usage', tenant, 'contents'],
    queryFn: () => call(tenantsApi.get, { params: { tenant_slug: tenant } }),
  })
