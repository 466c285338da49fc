import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment } from '../../parts/page.tsx'
import { latestQuery, markRead, placeOf } from './queries.ts'

/** The latest notifications, in the menu of the bell. */
export const Latest = ({ tenant }: { tenant: string }) => {
  const latest = useQuery(latestQuery(tenant))
  const { history } = useRouter()
  const shown = latest.data?.notifications ?? []
  const waiting = latest.data ? 'No notifications.' : 'Loading …'
  if (shown.length === 0)
    return (
      <p role="status" className="px-3 py-1.5 text-sm text-soft">
        {latest.error ? 'Notifications could not be loaded.' : waiting}
      </p>
    )
  const items = shown.map((notification) => (
    <MenuItem
      key={notification.id}
      onClick={() => {
        if (notification.read_at === null) void markRead(tenant, [notification.id])
        history.push(placeOf(notification.payload.url))
      }}
    >
      <span className={notification.read_at === null ? 'font-medium' : 'text-soft'}>
        {notification.read_at === null ? <span className="sr-only">Unread: </span> : null}
        {notification.payload.title}
      </span>
      <span className="block text-xs text-soft">
        {notification.actor ? `${notification.actor.name}, ` : ''}
        <Moment at={notification.created_at} />
      </span>
    </MenuItem>
  ))
  return (
    <>
      {items}
      <MenuLine />
      <MenuItem onClick={() => void markRead(tenant, null)}>Mark all as read</MenuItem>
    </>
  )
}
