import { queryOptions } from '@tanstack/react-query'
import { portalApi } from '../../../../src/api/portal.ts'
import { call } from '../../call.ts'

/** Whether the portal of an organization is on, and its address. */
export const portalQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['portal', tenant],
    queryFn: () => call(portalApi.setting, { params: { tenant_slug: tenant } }),
  })
