import { useSyncExternalStore } from 'react'
import { notificationTypes, type NotificationType } from '../../../../src/api/notifications.ts'

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
