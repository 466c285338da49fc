import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DeadLetter } from '../../../../src/api/webhooks.ts'
import { Badge } from '../../parts/badge.tsx'
import { List, Row } from '../../parts/list.tsx'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { reasonOf, subjectOf } from './words.ts'

/** A delivery in a list: what it is about, when, how often it was tried, and why it did not arrive. */
export const DeliveryRow = ({
  tenant,
  delivery,
  badge,
  next = null,
  beside = false,
  isNarrow = false,
  children,
}: {
  tenant: string
  delivery: DeadLetter
  badge?: Parameters<typeof Badge>[0]
  /** When the next attempt is made. */
  next?: string | null
  /** Whether it opens beside this list; else on the page of its subscription. */
  beside?: boolean
  /** Beside a delivery that is shown there is room for what and how only. */
  isNarrow?: boolean
  /** Buttons. */
  children?: ReactNode
}) => {
  const subject = subjectOf(delivery)
  const reason = delivery.lastError === null ? null : reasonOf(delivery.lastError).name
  return (
    <Row>
      <Link
        to="/t/$tenant/-/webhooks/$subscription"
        params={{ tenant, subscription: delivery.subscriptionId }}
        search={(before) => ({ ...(beside ? before : {}), delivery: delivery.id })}
        resetScroll={!beside}
        className="min-w-0 truncate font-medium after:absolute after:inset-0 max-md:w-full"
        title={`${delivery.eventType} ${subject}`}
      >
        <span className="font-mono text-sm">{delivery.eventType}</span>
        {subject === '' ? '' : ` ${subject}`}
      </Link>
      <span>{badge ? <Badge {...badge} /> : null}</span>
      {isNarrow ? null : (
        <>
          <span className="truncate text-soft" title={reason ?? ''}>
            {reason}
          </span>
          <span className="text-soft">
            {delivery.attemptCount === 0 ? '' : count(delivery.attemptCount, 'attempt', 'attempts')}
            {next ? (
              <>
                , next <Moment at={next} />
              </>
            ) : null}
          </span>
          <span className="text-soft">{delivery.createdAt ? <Moment at={delivery.createdAt} /> : null}</span>
          <span className="relative z-10 flex justify-end empty:hidden">{children}</span>
        </>
      )}
    </Row>
  )
}

/** Deliveries with columns; the children are rows. */
export const DeliveryList = ({
  label,
  isNarrow = false,
  children,
}: {
  label: string
  isNarrow?: boolean
  children: ReactNode
}) => (
  <List
    label={label}
    columns={isNarrow ? 'minmax(0,1fr) 7rem' : 'minmax(0,1.5fr) 7rem minmax(0,1.2fr) minmax(0,1fr) 8rem 6.5rem'}
    heads={isNarrow ? [] : ['Event', 'State', 'Reason', 'Attempts', 'Created']}
  >
    {children}
  </List>
)
