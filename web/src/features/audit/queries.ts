import { queryOptions } from '@tanstack/react-query'
import { tenantsApi } from '../../../../src/api/tenants.ts'
import { call } from '../../call.ts'
import { pageSize } from '../../query-client.ts'

export interface AuditFilter {
  readonly action: string
  readonly actor: string
  /** Days, as "2026-11-21", in the reader's own zone. */
  readonly since: string
  readonly until: string
}

/** The first moment of a day, and of the one after it, where the reader is. */
const dayStart = (day: string, later = 0): string | null => {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  const at = new Date(year, month - 1, date + later)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

export const auditQuery = (tenant: string, { action, actor, since, until }: AuditFilter, offset: number) => {
  const from = dayStart(since)
  const to = dayStart(until, 1)
  return queryOptions({
    queryKey: ['audit', tenant, action, actor, since, until, offset],
    queryFn: () =>
      call(tenantsApi.audit, {
        params: { tenant_slug: tenant },
        query: {
          limit: pageSize,
          offset,
          ...(action === '' ? {} : { action }),
          ...(actor === '' ? {} : { actor }),
          ...(from === null ? {} : { since: from }),
          ...(to === null ? {} : { until: to }),
        },
      }),
    placeholderData: (before) => before,
  })
}
