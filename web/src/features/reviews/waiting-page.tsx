import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Review } from '../../../../src/api/reviews.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { List, Row } from '../../parts/list.tsx'
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
  <ul className="flex min-w-0 flex-wrap gap-x-3" aria-label="Reviewers">
    {of.map((reviewer) => (
      <li key={reviewer.user_id} className="flex min-w-0 items-baseline gap-1.5">
        <span className="truncate">{reviewer.user_id === me ? 'You' : reviewer.name}</span>
        <Badge tone={answerTones[reviewer.state] ?? 'plain'}>{reviewer.state.replaceAll('_', ' ')}</Badge>
      </li>
    ))}
  </ul>
)

const ReviewRow = ({ tenant, review: request, me }: { tenant: string; review: Review; me: string | undefined }) => (
  <Row>
    <Link
      to="/t/$tenant/$project/$version/review"
      params={{ tenant, project: request.project_slug, version: request.version_label }}
      className="truncate font-medium after:absolute after:inset-0"
    >
      {request.project_slug} {request.version_label}
    </Link>
    <Badge tone={reviewTones[request.status]}>{request.status.replaceAll('_', ' ')}</Badge>
    <div className="line-clamp-1 text-soft max-md:w-full" title={request.note === '' ? undefined : request.note}>
      {request.note === '' ? null : <Markdown text={request.note} />}
    </div>
    <Reviewers of={request.reviewers} me={me} />
    <span className="truncate text-soft">
      by {request.requested_by?.id === me ? 'you' : (request.requested_by?.name ?? 'the service')}
    </span>
    <span className="text-soft">
      <Moment at={request.created_at} />
    </span>
  </Row>
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
              <List
                label="Reviews"
                columns="minmax(0,1.2fr) 9.5rem minmax(0,1fr) minmax(0,1.6fr) minmax(0,9rem) 7rem"
                heads={['Draft', 'State', 'Note', 'Reviewers', 'Requested', 'When']}
              >
                {shown.map((it) => (
                  <ReviewRow key={it.id} tenant={tenant} review={it} me={me} />
                ))}
              </List>
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
