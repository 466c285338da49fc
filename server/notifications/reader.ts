import { defineOutboxReader } from '../outbox/door.ts'

/** Writes the notifications of events. */
export const notificationReader = defineOutboxReader({
  name: 'notifications',
  work: async (deps, tx, event) => (await import('./from-event.ts')).notifyOf(deps, tx, event),
})
