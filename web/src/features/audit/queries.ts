import { queryOptions } from '@tanstack/react-query'
import { type AuditRecord, tenantsApi } from '../../../../src/api/tenants.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize } from '../../query-client.ts'

export interface AuditFilter {
  readonly action: string
  readonly actor: string
  /** Id of what the events are about. */
  readonly target: string
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

const askedOf = ({ action, actor, target, since, until }: AuditFilter) => {
  const from = dayStart(since)
  const to = dayStart(until, 1)
  return {
    ...(action === '' ? {} : { action }),
    ...(actor === '' ? {} : { actor }),
    ...(target === '' ? {} : { target }),
    ...(from === null ? {} : { since: from }),
    ...(to === null ? {} : { until: to }),
  }
}

export const auditQuery = (tenant: string, filter: AuditFilter, offset: number) =>
  queryOptions({
    queryKey: ['audit', tenant, filter, offset],
    queryFn: () =>
      call(tenantsApi.audit, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...askedOf(filter) },
      }),
    placeholderData: (before) => before,
  })

/** The service lists no further than this. */
const furthest = 10_000

/** All events that fit, as far as the service lists them, newest first. */
export const readAudit = async (tenant: string, filter: AuditFilter): Promise<readonly AuditRecord[]> => {
  const all: AuditRecord[] = []
  for (let offset = 0; offset <= furthest; offset += pieceSize) {
    const { items, total } = await call(tenantsApi.audit, {
      params: { tenant_slug: tenant },
      query: { limit: pieceSize, offset, ...askedOf(filter) },
    })
    all.push(...items)
    if (items.length === 0 || all.length >= total) break
  }
  return all
}
