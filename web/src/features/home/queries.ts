import { queryOptions } from '@tanstack/react-query'
import { homeApi } from '../../../../src/api/home.ts'
import { call } from '../../call.ts'
import type { ListedKind } from './kinds.ts'

/** As many as the service lists at once. */
const mostItems = 200

const homeKey = (tenant: string) => ['home', tenant] as const
const waitMs = 2000

/** While drafts are being checked it is asked again. */
export const homeQuery = (tenant: string, only: ListedKind | null) =>
  queryOptions({
    queryKey: [...homeKey(tenant), only],
    queryFn: () =>
      call(homeApi.show, {
        params: { tenant_slug: tenant },
        query: only === null ? {} : { only, items: mostItems },
      }),
    staleTime: 5000,
    refetchInterval: ({ state }) => ((state.data?.pending ?? 0) > 0 ? waitMs : false),
  })
