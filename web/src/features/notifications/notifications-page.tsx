import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type NotificationRecord, notificationTypes } from '../../../../src/api/notifications.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { CheckField, SelectField } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { type InboxFilter, inboxQuery, markRead, placeOf } from './queries.ts'
import { typeNames } from './target-queries.ts'

const Row = ({ tenant, notification }: { tenant: string; notification: NotificationRecord }) => {
  const { history } = useRouter()
  const place = placeOf(notification.payload.url)
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <p className="flex flex-wrap items-center gap-2">
          <a
            className="link min-w-0 font-medium wrap-anywhere"
            href={place}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              if (notification.read_at === null) void markRead(tenant, [notification.id])
              history.push(place)
            }}
          >
            {notification.payload.title}
          </a>
          {notification.read_at === null ? <Badge tone="accent">unread</Badge> : null}
        </p>
        {notification.payload.excerpt ? (
          <p className="text-sm wrap-anywhere text-soft">{notification.payload.excerpt}</p>
        ) : null}
        <p className="text-sm text-soft">
          {notification.actor ? `${notification.actor.name}, ` : ''}
          <Moment at={notification.created_at} />
        </p>
      </div>
      {notification.read_at === null ? (
        <Button onClick={() => void markRead(tenant, [notification.id])}>
          Mark as read<span className="sr-only">: {notification.payload.title}</span>
        </Button>
      ) : null}
    </li>
  )
}

/** The notifications of a page. */
const Inbox = ({ tenant, items }: { tenant: string; items: readonly NotificationRecord[] }) => (
  <ul className="card divide-y" aria-label="Notifications">
    {items.map((notification) => (
      <Row key={notification.id} tenant={tenant} notification={notification} />
    ))}
  </ul>
)

/** The inbox of a person in one organization, fifty at a time. */
export const NotificationsPage = ({
  tenant,
  given,
  offset,
}: {
  tenant: string
  given: InboxFilter
  offset: number
}) => {
  const inbox = useQuery(inboxQuery(tenant, given, offset))
  const { filter, move } = useAddress()
  const filtered = given.type !== '' || given.unread
  const clear = (): void => filter({ type: '', unread: '' })
  return (
    <Page
      title="Notifications"
      description="What happened that concerns you: mentions, reviews, threads and published versions."
      actions={
        <>
          <Link to="/t/$tenant/-/notifications/settings" params={{ tenant }} className={buttonClass()}>
            Where news go
          </Link>
          <Button onClick={() => void markRead(tenant, null)}>Mark all as read</Button>
          <CommandHint command={svcCommand(tenant, ['notification', 'list'])} />
        </>
      }
    >
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          label="Type"
          value={given.type}
          options={[
            { value: '', name: 'All types' },
            ...notificationTypes.map((value) => ({ value: value as string, name: typeNames[value] })),
          ]}
          onChange={(type) => filter({ type })}
        />
        <CheckField checked={given.unread} onChange={(unread) => filter({ unread: unread ? 'yes' : '' })}>
          Only unread
        </CheckField>
      </div>
      <Listing
        query={inbox}
        what="the notifications"
        one="notification"
        filtered={filtered}
        onClear={clear}
        onMove={move}
        empty={
          <Empty title="No notifications yet">
            <p>You are notified of mentions, reviews, resolved threads and published versions.</p>
          </Empty>
        }
      >
        {(items) => <Inbox tenant={tenant} items={items} />}
      </Listing>
    </Page>
  )
}
