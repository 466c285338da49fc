import { useMutation, useQuery } from '@tanstack/react-query'
import { type Review, reviewsApi } from '../../../../src/api/reviews.ts'
import { call } from '../../call.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Person } from '../../parts/marks.tsx'
import { Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { sessionQuery } from '../../session.ts'
import { versionParams, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { refreshReviews, reviewsQuery } from './queries.ts'

export const reviewTones: Readonly<Record<Review['status'], Tone>> = {
  pending: 'info',
  approved: 'ok',
  changes_requested: 'danger',
  stale: 'warn',
  withdrawn: 'plain',
}

type Reviewer = Review['reviewers'][number]

/** What an approval that still counts was not given for. */
const sinceWords = {
  none: 'only the formatting changed since',
  'docs-only': 'it still counts: only documentation changed since',
  'non-breaking': 'it still counts: what changed since breaks no client',
  breaking: 'it still counts',
} as const

const answerOf = ({ state, counts, reason, carried }: Reviewer): string => {
  if (state !== 'approved') return state.replaceAll('_', ' ')
  if (!counts) return `approved, but it does not count (${reason ?? ''})`
  return carried === null ? 'approved the current content' : `approved; ${sinceWords[carried.severity ?? 'none']}`
}

const columns = '14rem minmax(0,1.4fr) minmax(0,1fr) 7rem'

const stateTones: Readonly<Record<Reviewer['state'], Tone>> = {
  pending: 'info',
  approved: 'ok',
  changes_requested: 'danger',
  withdrawn: 'plain',
}

const ReviewerRow = ({ reviewer }: { reviewer: Reviewer }) => (
  <Row>
    <span className="flex items-center gap-2 font-medium">
      <Person name={reviewer.name} />
      <span className="min-w-0 wrap-anywhere">{reviewer.name}</span>
    </span>
    <span>
      <Badge tone={reviewer.state === 'approved' && !reviewer.counts ? 'warn' : stateTones[reviewer.state]}>
        {answerOf(reviewer)}
      </Badge>
    </span>
    <div className="text-sm text-soft">{reviewer.note === '' ? null : <Markdown text={reviewer.note} />}</div>
    <span className="text-xs text-soft">{reviewer.decided_at ? <Moment at={reviewer.decided_at} /> : null}</span>
  </Row>
)

/** What was asked for, and a row for each who was asked. */
const ReviewItem = ({ at, review }: { at: VersionRef; review: Review }) => {
  const session = useQuery(sessionQuery)
  const me = session.data?.user?.id
  const isRequester = review.requested_by?.id === me
  const withdraw = useMutation({
    mutationFn: async () => {
      await call(reviewsApi.withdraw, { params: { ...versionParams(at), review_id: review.id } })
      await refreshReviews(at.tenant)
    },
  })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <h3 className="font-semibold">Requested by {review.requested_by?.name ?? 'the service'}</h3>
        <Badge tone={reviewTones[review.status]}>{review.status.replaceAll('_', ' ')}</Badge>
        <span className="text-soft">
          <Moment at={review.created_at} />
        </span>
        {review.note === '' ? null : (
          <div className="min-w-0 grow basis-56 text-soft">
            <Markdown text={review.note} />
          </div>
        )}
        {isRequester && !review.closed ? (
          <Button look="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw the request
          </Button>
        ) : null}
      </div>
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
      <List label="Reviewers" columns={columns}>
        {review.reviewers.map((reviewer) => (
          <ReviewerRow key={reviewer.user_id} reviewer={reviewer} />
        ))}
      </List>
    </li>
  )
}

/** Who is asked to review a version, what they answered, and whether that still counts. */
export const ReviewsSection = ({ at }: { at: VersionRef }) => {
  const reviews = useQuery(reviewsQuery(at))
  const version = useQuery(versionQuery(at))
  const isDraft = version.data?.status === 'draft'
  return (
    <>
      <h2 className="sr-only">Reviews</h2>
      <Read query={reviews} what="the reviews">
        {({ reviews: items }) =>
          items.length === 0 ? (
            <p className="text-sm text-soft">
              No reviews yet. {isDraft ? 'Ask a member who did not write this draft.' : ''}
            </p>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Reviews">
              {items.map((it) => (
                <ReviewItem key={it.id} at={at} review={it} />
              ))}
            </ul>
          )
        }
      </Read>
    </>
  )
}
