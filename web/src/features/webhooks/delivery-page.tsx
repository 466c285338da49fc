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
import { hasEnded, reasonOf, shortUrl, statusNames, statusTones, subjectOf } from './words.ts'

const code = (text: string) => <code className="font-mono text-xs break-all">{text}</code>

/** What became of an attempt; its status is beside it. */
const resultOf = ({ error_class: error }: DeliveryDetail['attempts'][number]): string => {
  if (error === null) return 'Accepted'
  return error.startsWith('http-') ? 'Not accepted' : reasonOf(error).name
}

const Attempt = ({ it }: { it: DeliveryDetail['attempts'][number] }) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
    <span className="w-24 font-medium">Attempt {it.attempt}</span>
    <span className="text-sm text-soft">
      <Moment at={it.started_at} exact />
    </span>
    <span className="text-sm text-soft tabular-nums">{it.duration_ms.toLocaleString()} ms</span>
    {it.status_code === null ? null : <Badge tone={it.error_class === null ? 'ok' : 'danger'}>{it.status_code}</Badge>}
    <span className="text-sm">{resultOf(it)}</span>
  </li>
)

const Attempts = ({ of: it }: { of: DeliveryDetail }) => (
  <Section
    title="Attempts"
    description="Status, duration and reason of each attempt are kept; the body of the receiver's response is not."
  >
    {it.attempts.length === 0 ? (
      <p className="card border-dashed px-4 py-6 text-soft">
        {hasEnded(it) ? 'No attempt was made.' : 'The first attempt is made in a moment.'}
      </p>
    ) : (
      <ol className="card divide-y" aria-label="Attempts">
        {it.attempts.map((one) => (
          <Attempt key={one.attempt} it={one} />
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

const Overview = ({ of: it }: { of: DeliveryDetail }) => {
  const reason = it.lastError === null ? null : reasonOf(it.lastError)
  return (
    <div className="card p-4">
      <Facts
        facts={[
          ['Event', it.createdAt ? <Moment at={it.createdAt} exact /> : null],
          [
            'webhook-id',
            <span key="id" className="inline-flex max-w-full items-center gap-1">
              {code(it.id)}
              <CopyButton text={it.id} what="the webhook-id" />
            </span>,
          ],
          ['Attempts', it.attemptCount.toLocaleString()],
          ['Next attempt', it.nextRetryAt ? <Moment at={it.nextRetryAt} exact /> : null],
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
            {receiver.data ? shortUrl(receiver.data.url) : 'Subscription'}
          </Link>
        </>
      }
      title={it ? [it.eventType, subjectOf(it)].filter(Boolean).join(' ') : 'Delivery'}
      badges={it ? <Badge tone={statusTones[it.status]}>{statusNames[it.status]}</Badge> : null}
      actions={
        it && may && hasEnded(it) && !isOff ? (
          <Button busy={again.isPending} onClick={() => again.mutate(it.id)}>
            Send again
          </Button>
        ) : null
      }
    >
      <Read query={query} what="the delivery">
        {(it) => (
          <>
            {again.error ? <Failure error={again.error} /> : null}
            <Toolbar>
              <span role="status" className="text-sm text-soft">
                {isOff && may ? 'The subscription is off: switch it on to send this delivery again.' : ''}
              </span>
              <CommandHint command={svcCommand(tenant, ['webhooks', 'delivery', it.id])} />
            </Toolbar>
            <Overview of={it} />
            <Attempts of={it} />
            <Section title="Headers">
              <Headers id={it.id} />
            </Section>
            <Section title="Body" actions={<CopyButton text={writeJson(it.payload)} what="the body" />}>
              <SmallJson value={it.payload} label="Body" tone="bg-surface max-h-none" />
            </Section>
          </>
        )}
      </Read>
    </Page>
  )
}
