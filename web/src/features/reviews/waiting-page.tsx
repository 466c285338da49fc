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
import { Moment, Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { environmentsQuery, policyQuery } from '../gateway/queries.ts'
import { WebhookTrouble } from '../webhooks/trouble-notice.tsx'
import { isWaitingFor, reviewsOfQuery, waitingQuery } from './queries.ts'
import { reviewTones } from './reviews-section.tsx'

/** What the page lists, as the address names it. */
export type Waiting = '' | 'authored' | 'all'

const choices = [
  { value: 'authored', name: 'Requested by you' },
  { value: 'all', name: 'All open reviews' },
] as const

const nothing: Readonly<Record<Waiting, readonly [title: string, text: string]>> = {
  '': ['Nothing waits for you', 'When a member asks for your review, the draft is listed here.'],
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

/** Changes of one environment that another person requested. */
const EnvironmentChanges = ({
  tenant,
  environment,
  name,
  me,
}: {
  tenant: string
  environment: string
  name: string
  me: string | undefined
}) => {
  const policy = useQuery(policyQuery({ tenant, environment }))
  const pending = (policy.data?.pendingApprovals ?? []).filter((it) => it.requestedBy.id !== me)
  return pending.map((approval) => (
    <li key={approval.id} className="grid gap-0.5 px-4 py-3">
      <Link
        to="/t/$tenant/-/gateway/$environment/approvals"
        params={{ tenant, environment }}
        className="link w-fit font-medium wrap-anywhere"
      >
        {name}: {approval.summary.join(' ')}
      </Link>
      <p className="text-sm text-soft">
        requested by {approval.requestedBy.name} <Moment at={approval.requestedAt} />, ends{' '}
        <Moment at={approval.expiresAt} />
      </p>
    </li>
  ))
}

/** Risky changes of gateway policies that the person may approve. */
const GatewayChanges = ({ tenant, me }: { tenant: string; me: string | undefined }) => {
  const environments = useQuery(environmentsQuery(tenant, 0))
  const items = environments.data?.items ?? []
  if (items.length === 0) return null
  return (
    <div className="has-[ul:empty]:hidden">
      <Section title="Changes of gateway policies" description="Risky changes wait for another person.">
        <ul className="card divide-y" aria-label="Changes of gateway policies">
          {items.map((it) => (
            <EnvironmentChanges key={it.id} tenant={tenant} environment={it.slug} name={it.name} me={me} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** The reviews that wait for the person who is signed in, those they requested, and all that are open. */
export const WaitingPage = ({ tenant, show }: { tenant: string; show: Waiting }) => {
  const waiting = useQuery({ ...waitingQuery(tenant), enabled: show === '' })
  const others = useQuery({ ...reviewsOfQuery(tenant, show === 'authored' ? show : 'all'), enabled: show !== '' })
  const session = useQuery(sessionQuery)
  const identity = useQuery(identityQuery)
  const { filter } = useAddress()
  const me = session.data?.user?.id
  const [title, text] = nothing[show]
  const isShown = (review: Review): boolean => {
    if (show === '') return isWaitingFor(review, me)
    return show !== 'all' || (!review.closed && review.status !== 'withdrawn')
  }
  return (
    <Page
      title="Waiting for you"
      description="Drafts that you are asked to review, and changes that wait for an approval."
      actions={<CommandHint command={svcCommand(tenant, ['review', 'mine'])} />}
    >
      <WebhookTrouble tenant={tenant} />
      <Choices
        label="Reviews"
        value={show === '' ? null : show}
        onChange={(value) => filter({ show: value ?? '' })}
        choices={choices}
      />
      <Read query={show === '' ? waiting : others} what="your reviews">
        {({ reviews }) => {
          const shown = reviews.filter(isShown)
          return shown.length === 0 ? (
            <Empty title={title}>
              <p>{text}</p>
            </Empty>
          ) : (
            <ul className="card divide-y" aria-label="Reviews">
              {shown.map((it) => (
                <ReviewRow key={it.id} tenant={tenant} review={it} me={me} />
              ))}
            </ul>
          )
        }}
      </Read>
      {show === '' && holds(identity.data, tenant, 'security:edit') ? <GatewayChanges tenant={tenant} me={me} /> : null}
    </Page>
  )
}
