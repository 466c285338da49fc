import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Review, reviewsApi } from '../../../../src/api/reviews.ts'
import { call } from '../../call.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CheckField, Form, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { allMembersQuery } from '../members/queries.ts'
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
    <li className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">Requested by {review.requested_by?.name ?? 'the service'}</h3>
        <Badge tone={reviewTones[review.status]}>{review.status.replaceAll('_', ' ')}</Badge>
        <span className="text-sm text-soft">
          <Moment at={review.created_at} />
        </span>
      </div>
      {review.note === '' ? null : <Markdown text={review.note} />}
      <ul className="grid gap-1" aria-label="Reviewers">
        {review.reviewers.map((reviewer) => (
          <li key={reviewer.user_id} className="grid gap-1 text-sm wrap-anywhere">
            <p>
              <span className="font-medium">{reviewer.name}</span>: {answerOf(reviewer)}
            </p>
            {reviewer.note === '' ? null : (
              <div className="border-l-2 border-edge pl-3">
                <Markdown text={reviewer.note} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
      {isRequester && !review.closed ? (
        <div>
          <Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw the request
          </Button>
        </div>
      ) : null}
    </li>
  )
}

const RequestReview = ({ at }: { at: VersionRef }) => {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const members = useQuery({ ...allMembersQuery(at.tenant), enabled: open })
  const session = useQuery(sessionQuery)
  const { bind, ...change } = useForm({ note: '' }, async ({ note }) => {
    await call(reviewsApi.request, { params: versionParams(at), body: { reviewer_ids: [...chosen], note } })
    setChosen([])
    setOpen(false)
    await refreshReviews(at.tenant)
  })
  if (!open)
    return (
      <Toolbar>
        <Button onClick={() => setOpen(true)}>Request a review …</Button>
      </Toolbar>
    )
  const candidates = (members.data?.items ?? []).filter(
    (it) => it.status === 'active' && it.role !== 'viewer' && it.user_id !== session.data?.user?.id,
  )
  return (
    <div className="card w-full p-4">
      <Form change={change} submit="Request the review" disabled={chosen.length === 0} onCancel={() => setOpen(false)}>
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-medium">Reviewers</legend>
          {members.data && candidates.length === 0 ? (
            <p className="text-soft">No other member can decide reviews. Invite one, or change a role.</p>
          ) : null}
          {candidates.map((candidate) => (
            <CheckField
              key={candidate.user_id}
              checked={chosen.includes(candidate.user_id)}
              onChange={(on) =>
                setChosen((before) =>
                  on ? [...before, candidate.user_id] : before.filter((id) => id !== candidate.user_id),
                )
              }
            >
              {candidate.name} <span className="text-sm text-soft">{candidate.role}</span>
            </CheckField>
          ))}
        </fieldset>
        <TextField label="Note (optional)" hint="Markdown" rows={2} {...bind('note')} />
      </Form>
    </div>
  )
}

/** Who is asked to review a version, what they answered, and whether that still counts. */
export const ReviewsSection = ({ at }: { at: VersionRef }) => {
  const reviews = useQuery(reviewsQuery(at))
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const isDraft = version.data?.status === 'draft'
  const mayRequest = isDraft && holds(identity.data, at.tenant, 'versions:edit')
  return (
    <Section title="Reviews" description="An approval applies to the content of the draft at that time.">
      {mayRequest ? <RequestReview at={at} /> : null}
      <Read query={reviews} what="the reviews">
        {({ reviews: items }) =>
          items.length === 0 ? (
            <p className="card px-4 py-3 text-sm text-soft">
              No reviews yet. {isDraft ? 'Ask a member who did not write this draft.' : ''}
            </p>
          ) : (
            <ul className="grid gap-3" aria-label="Reviews">
              {items.map((it) => (
                <ReviewItem key={it.id} at={at} review={it} />
              ))}
            </ul>
          )
        }
      </Read>
    </Section>
  )
}
