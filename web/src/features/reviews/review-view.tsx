import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { reviewsApi, type Review } from '../../../../src/api/reviews.ts'
import type { Thread } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { CheckField, Form, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { allMembersQuery } from '../members/queries.ts'
import { versionParams, versionQuery, type VersionRef } from '../versions/queries.ts'
import { refreshReviews, reviewsQuery } from './queries.ts'
import { Threads } from './threads.tsx'

const tones: Readonly<Record<Review['status'], Tone>> = {
  pending: 'info',
  approved: 'ok',
  changes_requested: 'danger',
  stale: 'warn',
  withdrawn: 'plain',
}

type Reviewer = Review['reviewers'][number]

const answerOf = ({ state, counts, reason, carried }: Reviewer): string => {
  if (state !== 'approved') return state.replaceAll('_', ' ')
  if (!counts) return `approved, but it does not count (${reason ?? ''})`
  return carried === null ? 'approved' : 'approved; it still counts, since the policy allows the edits made after it'
}

const Decide = ({ at, review }: { at: VersionRef; review: Review }) => {
  const version = useQuery(versionQuery(at))
  const [decision, setDecision] = useState<'approved' | 'changes_requested'>('approved')
  const { bind, ...change } = useForm({ note: '' }, async ({ note }) => {
    const digest = version.data?.digest
    await call(reviewsApi.decide, {
      params: { ...versionParams(at), review_id: review.id },
      body: { decision, note, ...(digest === undefined ? {} : { expected_digest: digest }) },
    })
    await refreshReviews(at.tenant)
  })
  return (
    <Form change={change} submit={decision === 'approved' ? 'Approve' : 'Request changes'}>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="mb-1 text-sm font-medium">Your answer</legend>
        {(['approved', 'changes_requested'] as const).map((it) => (
          <label key={it} className="flex items-baseline gap-2">
            <input
              type="radio"
              name={`decision-${review.id}`}
              checked={decision === it}
              onChange={() => setDecision(it)}
            />
            {it === 'approved' ? 'Approve' : 'Request changes'}
          </label>
        ))}
      </fieldset>
      <TextField label="Note (optional)" hint="Markdown" rows={2} {...bind('note')} />
    </Form>
  )
}

const ReviewItem = ({ at, review }: { at: VersionRef; review: Review }) => {
  const session = useQuery(sessionQuery)
  const me = session.data?.user?.id
  const mine = review.reviewers.find((it) => it.user_id === me)
  const isRequester = review.requested_by?.id === me
  const withdraw = useMutation({
    mutationFn: async () => {
      await call(reviewsApi.withdraw, { params: { ...versionParams(at), review_id: review.id } })
      await refreshReviews(at.tenant)
    },
  })
  const mayWithdraw = isRequester || (mine !== undefined && mine.state !== 'pending' && mine.state !== 'withdrawn')
  return (
    <li className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">Requested by {review.requested_by?.name ?? 'the service'}</h3>
        <Badge tone={tones[review.status]}>{review.status.replaceAll('_', ' ')}</Badge>
        <span className="text-sm text-soft">
          <Moment at={review.created_at} exact />
        </span>
      </div>
      {review.note === '' ? null : <Markdown text={review.note} />}
      <ul className="grid gap-1" aria-label="Reviewers">
        {review.reviewers.map((it) => (
          <li key={it.user_id} className="text-sm wrap-anywhere">
            <span className="font-medium">{it.name}</span>: {answerOf(it)}
            {it.note === '' ? '' : `: ${it.note}`}
          </li>
        ))}
      </ul>
      {mine !== undefined && !review.closed ? <Decide at={at} review={review} /> : null}
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
      {mayWithdraw && !review.closed ? (
        <div>
          <Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {isRequester ? 'Withdraw the request' : 'Withdraw your answer'}
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
          {candidates.map((it) => (
            <CheckField
              key={it.user_id}
              checked={chosen.includes(it.user_id)}
              onChange={(on) =>
                setChosen((before) => (on ? [...before, it.user_id] : before.filter((id) => id !== it.user_id)))
              }
            >
              {it.name} <span className="text-sm text-soft">{it.role}</span>
            </CheckField>
          ))}
        </fieldset>
        <TextField label="Note (optional)" hint="Markdown" rows={2} {...bind('note')} />
      </Form>
    </div>
  )
}

/** Who is asked to review a version and what they answered, and what is discussed about it. */
export const ReviewView = ({
  at,
  status,
  offset,
}: {
  at: VersionRef
  status: Thread['status'] | ''
  offset: number
}) => {
  const reviews = useQuery(reviewsQuery(at))
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const isDraft = version.data?.status === 'draft'
  const mayRequest = isDraft && holds(identity.data, at.tenant, 'versions:edit')
  return (
    <section aria-label="Review" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Toolbar>
        <p className="flex flex-wrap gap-x-4 text-sm">
          <Link to="/t/$tenant/$project/$version/changes" params={at} className="link py-1">
            What changes
          </Link>
          <Link to="/t/$tenant/$project/$version/findings" params={at} className="link py-1">
            What lint found
          </Link>
          <Link to="/t/$tenant/$project/$version/publishing" params={at} className="link py-1">
            What publishing needs
          </Link>
        </p>
        <CommandHint command={svcCommand(at.tenant, ['review', 'list', at.project, at.version])} />
      </Toolbar>
      <Section title="Reviews" description="An approval applies to the content of the draft at that time.">
        {mayRequest ? <RequestReview at={at} /> : null}
        <Read query={reviews} what="the reviews">
          {({ reviews: items }) =>
            items.length === 0 ? (
              <Empty title="No reviews yet">
                <p>Ask a member who did not write this draft to review it.</p>
              </Empty>
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
      <Threads at={at} status={status} offset={offset} isDraft={isDraft} />
    </section>
  )
}
