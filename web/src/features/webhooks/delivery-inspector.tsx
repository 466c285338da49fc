import { useQuery } from '@tanstack/react-query'
import type { DeliveryDetail } from '../../../../src/api/webhooks.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { Inspector, InspectorPart } from '../../parts/inspector.tsx'
import { SmallJson, writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useRedelivery } from './changes.ts'
import { deliveryQuery } from './queries.ts'
import { hasEnded, reasonOf, statusNames, statusTones, subjectOf } from './words.ts'

const code = (text: string) => <code className="font-mono text-xs break-all">{text}</code>

/** What became of an attempt; its status is beside it. */
const resultOf = ({ error_class: error }: DeliveryDetail['attempts'][number]): string => {
  if (error === null) return 'Accepted'
  return error.startsWith('http-') ? 'Not accepted' : reasonOf(error).name
}

const Attempt = ({ attempt }: { attempt: DeliveryDetail['attempts'][number] }) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-1.5">
    <span className="font-medium">Attempt {attempt.attempt}</span>
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
  <InspectorPart title="Attempts">
    {delivery.attempts.length === 0 ? (
      <p className="text-soft">
        {hasEnded(delivery) ? 'No attempt was made.' : 'The first attempt is made in a moment.'}
      </p>
    ) : (
      <ol className="divide-y" aria-label="Attempts">
        {delivery.attempts.map((one) => (
          <Attempt key={one.attempt} attempt={one} />
        ))}
      </ol>
    )}
    <p className="text-xs text-soft">The beginning of the answer is kept where the subscription asks for it.</p>
  </InspectorPart>
)

/** What every attempt sends beside the body: timestamp and signature are those of each attempt. */
const Headers = ({ id }: { id: string }) => (
  <InspectorPart title="Headers">
    <Facts
      facts={[
        ['content-type', code('application/json')],
        ['webhook-id', code(id)],
        ['webhook-timestamp', 'When the attempt is made, in seconds since 1970.'],
        ['webhook-signature', 'One signature for each secret that is valid at that time, separated by blanks.'],
      ]}
    />
  </InspectorPart>
)

const Overview = ({ of: delivery }: { of: DeliveryDetail }) => {
  const reason = delivery.lastError === null ? null : reasonOf(delivery.lastError)
  return (
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
  )
}

const Shown = ({ tenant, of: delivery, isOff }: { tenant: string; of: DeliveryDetail; isOff: boolean }) => {
  const identity = useQuery(identityQuery)
  const again = useRedelivery(tenant)
  const may = holds(identity.data, tenant, 'webhooks:edit')
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {may && delivery.status !== 'delivering' && !isOff ? (
          <Button busy={again.isPending} onClick={() => again.mutate(delivery.id)}>
            {hasEnded(delivery) ? 'Send again' : 'Send now'}
          </Button>
        ) : null}
        <CommandHint command={svcCommand(tenant, ['webhooks', 'delivery', delivery.id])} />
        <span role="status" className="text-sm text-soft empty:hidden">
          {isOff && may ? 'The subscription is off: switch it on to send this delivery again.' : ''}
        </span>
      </div>
      {again.error ? <Failure error={again.error} /> : null}
      <Overview of={delivery} />
      <Attempts of={delivery} />
      <Headers id={delivery.id} />
      <InspectorPart title="Body" actions={<CopyButton text={writeJson(delivery.payload)} what="the body" />}>
        <SmallJson value={delivery.payload} label="Body" tone="bg-surface max-h-none" />
      </InspectorPart>
    </>
  )
}

/** One delivery: what became of it, each attempt, and what was sent. */
export const DeliveryInspector = ({
  tenant,
  delivery,
  isOff,
  onClose,
}: {
  tenant: string
  delivery: string
  /** Whether its subscription is off: nothing is sent then. */
  isOff: boolean
  onClose: () => void
}) => {
  const query = useQuery(deliveryQuery(tenant, delivery))
  const known = query.data
  return (
    <Inspector
      name={delivery}
      what="the delivery"
      all="All deliveries"
      onClose={onClose}
      heading={
        known ? (
          <>
            <span className="font-mono text-sm">{known.eventType}</span>
            {subjectOf(known) === '' ? null : <span>{subjectOf(known)}</span>}
          </>
        ) : (
          'Delivery'
        )
      }
      badge={known ? <Badge tone={statusTones[known.status]}>{statusNames[known.status]}</Badge> : null}
    >
      <Read query={query} what="the delivery">
        {(read) => <Shown tenant={tenant} of={read} isOff={isOff} />}
      </Read>
    </Inspector>
  )
}
