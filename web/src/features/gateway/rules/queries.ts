import { queryOptions } from '@tanstack/react-query'
import { gatewayApi } from '../../../../../src/api/gateway.ts'
import { gatewayRecordsApi } from '../../../../../src/api/gateway-records.ts'
import { call } from '../../../call.ts'
import { pageSize } from '../../../query-client.ts'
import { environmentInput, keyOf, type EnvironmentAt } from '../queries.ts'

const keyBelow = ({ tenant, environment }: EnvironmentAt, ...rest: readonly unknown[]) =>
  keyOf(tenant, 'of', environment, ...rest)

export const exceptionsQuery = (at: EnvironmentAt, isAll: boolean) =>
  queryOptions({
    queryKey: keyBelow(at, 'exceptions', isAll),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(gatewayApi.exceptions, { params, query: { ...query, include_expired: isAll } })
    },
  })

/** The narrowest exception that would have let an event pass. It is read once: what was edited since must not change. */
export const draftQuery = (at: EnvironmentAt, event: string) =>
  queryOptions({
    queryKey: keyBelow(at, 'draft', event),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(gatewayRecordsApi.draftException, { params: { ...params, event_id: event }, query })
    },
    enabled: event !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })

export const eventFilters = ['ruleRef', 'action', 'route', 'releaseId', 'region', 'source'] as const
/** What events are narrowed to; empty words narrow nothing. */
export type EventFilter = Readonly<Record<(typeof eventFilters)[number], string>>

export const eventsQuery = (at: EnvironmentAt, filter: EventFilter, offset: number) =>
  queryOptions({
    queryKey: keyBelow(at, 'events', filter, offset),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
      const { events, ...page } = await call(gatewayRecordsApi.events, {
        params,
        query: { ...query, ...given, limit: pageSize, offset },
      })
      return { ...page, items: events }
    },
  })
