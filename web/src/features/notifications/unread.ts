import { queryOptions } from '@tanstack/react-query'
import { notificationsApi, type NotificationType, notificationTypes } from '../../../../src/api/notifications.ts'
import { call } from '../../call.ts'
import { useSyncExternalStore } from 'react'

export const inboxKey = (tenant: string) => ['notifications', tenant] as const
const everyMinute = 60_000

/** How many are unread; asked each minute while the page is visible. The browser sends the ETag of the last answer. */
export const unreadQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...inboxKey(tenant), 'unread'],
    queryFn: () => call(notificationsApi.unreadCount, { params: { tenant_slug: tenant } }),
    // Not while the page is hidden, which is the default.
    refetchInterval: everyMinute,
  })

const key = 'svc-notifications-off'
const listeners = new Set<() => void>()

const read = (): readonly NotificationType[] => {
  // Storage may be forbidden; then every type is on.
  try {
    const kept = (localStorage.getItem(key) ?? '').split(' ')
    return notificationTypes.filter((it) => kept.includes(it))
  } catch {
    return []
  }
}

let off = read()

/** The types that are switched off in this browser: they are not shown and not counted, and nothing is deleted. */
export const useTypesOff = (): readonly NotificationType[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => off,
  )

/** Switches a type on or off in this browser. */
export const switchType = (type: NotificationType, on: boolean): void => {
  off = notificationTypes.filter((it) => (it === type ? !on : off.includes(it)))
  try {
    localStorage.setItem(key, off.join(' '))
  } catch {
    // It holds until the page is left, then.
  }
  for (const listener of listeners) listener()
}
