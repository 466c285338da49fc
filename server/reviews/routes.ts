import { reviewsApi } from '../../src/api/reviews.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { decideReview, requestReview, withdrawReview } from './decide.ts'
import { hunksOf } from './hunks.ts'
import { listMine, listReviews } from './service.ts'
import { versionRefsOf } from '../records/door.ts'

/** The routes of reviews. */
export const reviewRoutes = (deps: Deps): Route[] =>
  routesOf(reviewsApi, {
    list: ({ params, query }, { grant }) =>
      listReviews(deps, grant, versionRefsOf(params), stablePageOf('reviews', query)),
    request: ({ params, body }, { grant }) => requestReview(deps, grant, versionRefsOf(params), body),
    decide: ({ params, body }, { grant }) => decideReview(deps, grant, versionRefsOf(params), params.review_id, body),
    withdraw: ({ params }, { grant }) => withdrawReview(deps, grant, versionRefsOf(params), params.review_id),
    hunks: ({ params, query }, { grant }) => {
      const { offset = 0, limit = 500, lines = 50 } = query ?? {}
      return hunksOf(deps, grant, versionRefsOf(params), { offset, limit, lines })
    },
    mine: ({ query }, { grant }) =>
      listMine(deps, grant, {
        ...stablePageOf('organization-reviews', query),
        mine: query?.mine ?? null,
        status: query?.status ?? null,
      }),
  })
