import type { Static } from '@sinclair/typebox'
import { queryOptions } from '@tanstack/react-query'
import { gatewayCoverageApi, gatewayEventsApi } from '../../../../../src/api/gateway-events.ts'
import { call } from '../../../call.ts'
import { environmentInput, keyOf, type EnvironmentAt } from '../queries.ts'

export type EventCounts = Static<typeof gatewayEventsApi.eventCounts.response>

/** How far back counts are shown. */
export const ranges = {
  'two-hours': { name: '2 hours', span: 'minute', ms: 2 * 3_600_000 },
  day: { name: '24 hours', span: 'hour', ms: 24 * 3_600_000 },
  month: { name: '30 days', span: 'hour', ms: 30 * 24 * 3_600_000 },
} as const
export type RangeName = keyof typeof ranges

/** Counts of requests over time. */
export const countsQuery = (at: EnvironmentAt, range: RangeName) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'event-counts', range),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      const { span, ms } = ranges[range]
      const from = new Date(Date.now() - ms).toISOString()
      return call(gatewayEventsApi.eventCounts, { params, query: { ...query, span, from } })
    },
  })

/** Which operations were called in the last days. */
export const coverageQuery = (at: EnvironmentAt, days: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'coverage', days),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(gatewayCoverageApi.coverage, { params, query: { ...query, days } })
    },
  })
