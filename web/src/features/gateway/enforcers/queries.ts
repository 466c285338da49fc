import { queryOptions } from '@tanstack/react-query'
import { enforcersApi } from '../../../../../src/api/gateway-enforcers.ts'
import { call } from '../../../call.ts'
import { type EnvironmentAt, environmentInput, keyOf } from '../queries.ts'

/** No environment has more gateways. */
const mostEnforcers = 20
/** A gateway is silent after two minutes: the page follows what gateways report. */
const followMs = 10_000

export const enforcersQuery = (at: EnvironmentAt) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'enforcers'),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(enforcersApi.list, { params, query: { ...query, limit: mostEnforcers } })
    },
    refetchInterval: followMs,
  })
