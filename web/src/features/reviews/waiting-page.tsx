import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Review } from '../../../../src/api/reviews.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Moment, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { sessionQuery } from '../../session.ts'
import { reviewsOfQuery } from './queries.ts'
import { reviewTones } from './reviews-section.tsx'

/** What the page lists, as the address names it. */
export type Waiting = 'authored' | 'all'

const choices = [
  { value: 'authored', name: 'Requested by you' },
  { value: 'all', name: 'All open reviews' },
] as const

const nothing: Readonly<Record<Waiting, readonly [title: string, text: string]>> = {
  authored: ['You requested no reviews', 'Open a draft and choose Review to request a review.'],
  all: ['No open reviews', 'Reviews of drafts are listed here until they are answered or the draft is published.'],
}

const answerTones: Readonly<Record<string, Tone>> = { approved: 'ok', changes_requested: 'danger' }

/** Who is asked, with what they answered. */
const Reviewers = ({ of, me }: { of: Review['reviewers']; me: string | undefined }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-label="Reviewers">
    {of.map((reviewer) => (
      <li key={reviewer.user_id} className="flex items-baseline gap-1.5">
        <span className="wrap-anywhere">{reviewer.user_id === me ? 'You' : reviewer.name}</span>
        <Badge tone={answerTones[reviewer.state] ?? 'plain'}>{reviewer.state.replaceAll('_', ' ')}</Badge>
      </li>
    ))}
  </ul>
)

const ReviewRow = ({ tenant, review: request, me }: { tenant: string; review: Review; me: string | undefined }) => (
  <li className="grid gap-1.5 px-4 py-3">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        to="/t/$tenant/$project/$version/review"
        params={{ tenant, project: request.project_slug, version: request.version_label }}
        className="link font-medium wrap-anywhere"
      >
        {request.project_slug} {request.version_label}
      </Link>
      <Badge tone={reviewTones[request.status]}>{request.status.replaceAll('_', ' ')}</Badge>
      <span className="min-w-0 text-sm text-soft">
        requested by {request.requested_by?.id === me ? 'you' : (request.requested_by?.name ?? 'the service')}{' '}
        <Moment at={request.created_at} />
      </span>
      <Link
        to="/t/$tenant/$project/$version/changes"
        params={{ tenant, project: request.project_slug, version: request.version_label }}
        className="link ml-auto text-sm"
      >
        Changes<span className="sr-only"> of {`${request.project_slug} ${request.version_label}`}</span>
      </Link>
    </div>
    {request.note === '' ? null : (
      <div className="line-clamp-3 max-w-[75ch] text-sm wrap-anywhere text-soft">
        <Markdown text={request.note} />
      </div>
    )}
    <Reviewers of={request.reviewers} me={me} />
  </li>
)

/** The reviews that the person requested, or all that are open. */
export const WaitingPage = ({ tenant, show }: { tenant: string; show: Waiting }) => {
  const query = useQuery(reviewsOfQuery(tenant, show))
  const me = useQuery(sessionQuery).data?.user?.id
  const { filter } = useAddress()
  const [title, text] = nothing[show]
  const isShown = (review: Review): boolean => show !== 'all' || (!review.closed && review.status !== 'withdrawn')
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/inbox" params={{ tenant }} className="link">
          Inbox
        </Link>
      }
      title="Reviews"
      description="Drafts that members were asked to review. What waits for you is in your inbox."
      actions={<CommandHint command={svcCommand(tenant, ['review', 'mine'])} />}
    >
      <Choices label="Reviews" value={show} onChange={(value) => filter({ show: value ?? show })} choices={choices} />
      <Read query={query} what="the reviews">
        {({ reviews, total }) => {
          const shown = reviews.filter(isShown)
          return shown.length === 0 ? (
            <Empty title={title}>
              <p>{text}</p>
            </Empty>
          ) : (
            <>
              <ul className="card divide-y" aria-label="Reviews">
                {shown.map((it) => (
                  <ReviewRow key={it.id} tenant={tenant} review={it} me={me} />
                ))}
              </ul>
              {total !== null && total > reviews.length ? (
                <p className="text-sm text-soft">
                  Of the newest {reviews.length.toLocaleString()} of {total.toLocaleString()} reviews.
                </p>
              ) : null}
            </>
          )
        }}
      </Read>
    </Page>
  )
}
