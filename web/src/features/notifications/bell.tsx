import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bell as Icon } from 'lucide-react'
import { Badge } from '../../parts/badge.tsx'
import { later } from '../../parts/later.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { unreadQuery } from './unread.ts'

const most = 99

const Latest = later('notifications', async () => (await import('./latest.tsx')).Latest)

/** The bell of the header: how many notifications are unread, and the latest twenty. */
export const Bell = ({ tenant }: { tenant: string }) => {
  const unread = useQuery(unreadQuery(tenant))
  const navigate = useNavigate()
  const total = unread.data?.total ?? 0
  const shown = total > most ? `${most}+` : String(total)
  return (
    <Menu
      align="end"
      label={
        <>
          <Icon size={17} aria-hidden="true" />
          <span className="sr-only">Notifications{total === 0 ? '' : `, ${shown} unread`}</span>
          {total === 0 ? null : (
            <span aria-hidden="true">
              <Badge tone="accent">{shown}</Badge>
            </span>
          )}
        </>
      }
    >
      <Latest tenant={tenant} />
      <MenuItem onClick={() => void navigate({ to: '/t/$tenant/-/notifications', params: { tenant } })}>
        All notifications
      </MenuItem>
      <MenuItem onClick={() => void navigate({ to: '/t/$tenant/-/notifications/settings', params: { tenant } })}>
        Where news go
      </MenuItem>
    </Menu>
  )
}
