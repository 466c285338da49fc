import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type NotificationRecord, notificationTypes } from '../../../../src/api/notifications.ts'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { type InboxFilter, inboxQuery, markRead, placeOf } from './queries.ts'
import { typeNames } from './target-queries.ts'

const NotificationRow = ({ tenant, notification }: { tenant: string; notification: NotificationRecord }) => {
  const { history } = useRouter()
  const place = placeOf(notification.payload.url)
  return (
    <Row>
      <span
        className={`size-2 rounded-full ${notification.read_at === null ? 'bg-info-dot' : ''}`}
        title={notification.read_at === null ? 'unread' : undefined}
      >
        {notification.read_at === null ? <span className="sr-only">unread</span> : null}
      </span>
      <a
        className={`truncate hover:underline max-md:flex-1 ${notification.read_at === null ? 'font-medium' : ''}`}
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
      <span className="truncate text-soft max-md:w-full" title={notification.payload.excerpt ?? undefined}>
        {notification.payload.excerpt}
      </span>
      <span className="truncate text-soft">{notification.actor?.name}</span>
      <span className="text-soft">
        <Moment at={notification.created_at} />
      </span>
      <span className="flex justify-end">
        {notification.read_at === null ? (
          <Button look="quiet" onClick={() => void markRead(tenant, [notification.id])}>
            Mark as read<span className="sr-only">: {notification.payload.title}</span>
          </Button>
        ) : null}
      </span>
    </Row>
  )
}

/** The notifications of a page. */
const Inbox = ({ tenant, items }: { tenant: string; items: readonly NotificationRecord[] }) => (
  <List label="Notifications" columns="0.5rem minmax(0,1.4fr) minmax(0,1.4fr) minmax(0,9rem) 7rem 8.5rem">
    {items.map((notification) => (
      <NotificationRow key={notification.id} tenant={tenant} notification={notification} />
    ))}
  </List>
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
      <Toolbar>
        <FilterSelect
          label="Type"
          value={given.type}
          all="All types"
          options={notificationTypes.map((value) => ({ value: value as string, name: typeNames[value] }))}
          onChange={(type) => filter({ type })}
        />
        <Choices
          label="Read or not"
          value={given.unread ? 'unread' : null}
          choices={[{ value: 'unread', name: 'Only unread' }]}
          onChange={(value) => filter({ unread: value === null ? '' : 'yes' })}
        />
      </Toolbar>
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
