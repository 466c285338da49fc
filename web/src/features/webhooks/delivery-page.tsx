import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeliveryDetail } from '../../../../src/api/webhooks.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { SmallJson, writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Moment, Page, Section, Toolbar } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useRedelivery } from './changes.ts'
import { deliveryQuery, subscriptionQuery } from './queries.ts'
import { hasEnded, nameOf, reasonOf, statusNames, statusTones, subjectOf } from './words.ts'

const code = (text: string) => <code className="font-mono text-xs break-all">{text}</code>

/** What became of an attempt; its status is beside it. */
const resultOf = ({ error_class: error }: DeliveryDetail['attempts'][number]): string => {
  if (error === null) return 'Accepted'
  return error.startsWith('http-') ? 'Not accepted' : reasonOf(error).name
}

const Attempt = ({ attempt }: { attempt: DeliveryDetail['attempts'][number] }) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
    <span className="w-24 font-medium">Attempt {attempt.attempt}</span>
    <span className="text-sm text-soft">
      <Moment at={attempt.started_at} exact />
    </span>
    <span className="text-sm text-soft tabular-nums">{attempt.duration_ms.toLocaleString()} ms</span>
    {attempt.status_code === null ? null : (
      <Badge tone={attempt.error_class === null ? 'ok' : 'danger'}>{attempt.status_code}</Badge>
    )}
    <span className="text-sm">{resultOf(attempt)}</span>
    {attempt.answer === null ? null : (
      <details className="w-full">
        <summary className="cursor-pointer text-sm text-soft">
          {attempt.answer === '' ? 'The answer had no body' : 'What the receiver answered'}
        </summary>
        {attempt.answer === '' ? null : (
          // The receiver wrote it: it is shown as text and never read as markup.
          <pre
            tabIndex={0}
            aria-label={`Answer to attempt ${attempt.attempt}`}
            className="mt-1 max-h-60 overflow-auto rounded-lg border px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
          >
            {attempt.answer}
          </pre>
        )}
      </details>
    )}
  </li>
)

const Attempts = ({ of: delivery }: { of: DeliveryDetail }) => (
  <Section
    title="Attempts"
    description="Status, duration and reason of each attempt are kept; the beginning of the answer where the subscription asks for it."
  >
    {delivery.attempts.length === 0 ? (
      <p className="card border-dashed px-4 py-6 text-soft">
        {hasEnded(delivery) ? 'No attempt was made.' : 'The first attempt is made in a moment.'}
      </p>
    ) : (
      <ol className="card divide-y" aria-label="Attempts">
        {delivery.attempts.map((one) => (
          <Attempt key={one.attempt} attempt={one} />
        ))}
      </ol>
    )}
  </Section>
)

/** What every attempt sends beside the body: timestamp and signature are those of each attempt. */
const Headers = ({ id }: { id: string }) => (
  <div className="card p-4">
    <Facts
      facts={[
        ['content-type', code('application/json')],
        ['webhook-id', code(id)],
        ['webhook-timestamp', 'When the attempt is made, in seconds since 1970.'],
        ['webhook-signature', 'One signature for each secret that is valid at that time, separated by blanks.'],
      ]}
    />
  </div>
)

const Overview = ({ of: delivery }: { of: DeliveryDetail }) => {
  const reason = delivery.lastError === null ? null : reasonOf(delivery.lastError)
  return (
    <div className="card p-4">
      <Facts
        facts={[
          ['Event', delivery.createdAt ? <Moment at={delivery.createdAt} exact /> : null],
          [
            'webhook-id',
            <span key="id" className="inline-flex max-w-full items-center gap-1">
              {code(delivery.id)}
              <CopyButton text={delivery.id} what="the webhook-id" />
            </span>,
          ],
          ['Attempts', delivery.attemptCount.toLocaleString()],
          ['Next attempt', delivery.nextRetryAt ? <Moment at={delivery.nextRetryAt} exact /> : null],
          ['Reason', reason ? `${reason.name}.` : null],
          ['What to do', reason ? reason.advice : null],
        ]}
      />
    </div>
  )
}

/** One delivery: what became of it, each attempt, and what was sent. */
export const DeliveryPage = ({
  tenant,
  subscription,
  delivery,
}: {
  tenant: string
  subscription: string
  delivery: string
}) => {
  const query = useQuery(deliveryQuery(tenant, delivery))
  const receiver = useQuery(subscriptionQuery({ tenant, subscription }))
  const identity = useQuery(identityQuery)
  const again = useRedelivery(tenant)
  const it = query.data
  const may = holds(identity.data, tenant, 'webhooks:edit')
  const isOff = receiver.data?.active === false
  return (
    <Page
      trail={
        <>
          <Link to="/t/$tenant/-/webhooks" params={{ tenant }} className="link">
            Webhooks
          </Link>
          <span aria-hidden="true">/</span>
          <Link
            to="/t/$tenant/-/webhooks/$subscription"
            params={{ tenant, subscription }}
            className="link min-w-0 wrap-anywhere"
          >
            {receiver.data ? nameOf(receiver.data) : 'Subscription'}
          </Link>
        </>
      }
      title={it ? [it.eventType, subjectOf(it)].filter(Boolean).join(' ') : 'Delivery'}
      badges={it ? <Badge tone={statusTones[it.status]}>{statusNames[it.status]}</Badge> : null}
      actions={
        it && may && it.status !== 'delivering' && !isOff ? (
          <Button busy={again.isPending} onClick={() => again.mutate(it.id)}>
            {hasEnded(it) ? 'Send again' : 'Send now'}
          </Button>
        ) : null
      }
    >
      <Read query={query} what="the delivery">
        {(delivery) => (
          <>
            {again.error ? <Failure error={again.error} /> : null}
            <Toolbar>
              <span role="status" className="text-sm text-soft">
                {isOff && may ? 'The subscription is off: switch it on to send this delivery again.' : ''}
              </span>
              <CommandHint command={svcCommand(tenant, ['webhooks', 'delivery', delivery.id])} />
            </Toolbar>
            <Overview of={delivery} />
            <Attempts of={delivery} />
            <Section title="Headers">
              <Headers id={delivery.id} />
            </Section>
            <Section title="Body" actions={<CopyButton text={writeJson(delivery.payload)} what="the body" />}>
              <SmallJson value={delivery.payload} label="Body" tone="bg-surface max-h-none" />
            </Section>
          </>
        )}
      </Read>
    </Page>
  )
}
