import { queryOptions } from '@tanstack/react-query'
import { reviewsApi, type Review } from '../../../../src/api/reviews.ts'
import { threadsApi, type Thread } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'
import { type VersionRef, versionParams, versionsKey } from '../versions/queries.ts'

const keyOf = ({ tenant, project, version }: VersionRef) =>
  [...versionsKey(tenant), 'review', project, version] as const

export const reviewsQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: [...keyOf(at), 'reviews'],
    queryFn: () => call(reviewsApi.list, { params: versionParams(at), query: { limit: pageSize } }),
  })

export const threadsQuery = (at: VersionRef, status: Thread['status'] | '', offset: number) =>
  queryOptions({
    queryKey: [...keyOf(at), 'threads', status, offset],
    queryFn: async () => {
      const { threads: items, ...page } = await call(threadsApi.list, {
        params: versionParams(at),
        query: { limit: pageSize, offset, ...(status === '' ? {} : { status }) },
      })
      return { items, ...page }
    },
    placeholderData: (before) => before,
  })

/** The reviews that wait for the person who is signed in. */
export const waitingQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'waiting'],
    queryFn: () =>
      call(reviewsApi.mine, { params: { tenant_slug: tenant }, query: { mine: 'requested', limit: pieceSize } }),
  })

/** Whether a review waits for an answer of a person. */
export const isWaitingFor = ({ reviewers, closed }: Review, userId: string | undefined): boolean =>
  !closed && reviewers.some((it) => it.user_id === userId && it.state === 'pending')

/** Reads everything of the organization's versions again: a decision or a suggestion changes the gates and the document. */
export const refreshReviews = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: versionsKey(tenant) })
