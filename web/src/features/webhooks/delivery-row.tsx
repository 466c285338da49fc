import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DeadLetter } from '../../../../src/api/webhooks.ts'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { reasonOf, subjectOf } from './words.ts'

/** A delivery in a list: what it is about, when, how often it was tried, and why it did not arrive. */
export const DeliveryRow = ({
  tenant,
  delivery,
  badge,
  next = null,
  children,
}: {
  tenant: string
  delivery: DeadLetter
  badge?: Parameters<typeof Badge>[0]
  /** When the next attempt is made. */
  next?: string | null
  /** Buttons. */
  children?: ReactNode
}) => {
  const subject = subjectOf(delivery)
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 hover:bg-raised">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to="/t/$tenant/-/webhooks/$subscription/$delivery"
            params={{ tenant, subscription: delivery.subscriptionId, delivery: delivery.id }}
            className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
          >
            <span className="font-mono text-sm">{delivery.eventType}</span>
            {subject === '' ? '' : ` ${subject}`}
          </Link>
          {badge ? <Badge {...badge} /> : null}
        </p>
        <p className="text-sm text-soft">
          {delivery.createdAt ? <Moment at={delivery.createdAt} /> : null}
          {delivery.attemptCount === 0 ? '' : `, ${count(delivery.attemptCount, 'attempt', 'attempts')}`}
          {delivery.lastError === null ? '' : `, ${reasonOf(delivery.lastError).name}`}
          {next ? (
            <>
              , next attempt <Moment at={next} exact />
            </>
          ) : null}
        </p>
      </div>
      {children ? <div className="relative z-10">{children}</div> : null}
    </li>
  )
}
