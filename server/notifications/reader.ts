import { defineOutboxReader } from '../outbox/define.ts'

/** The types of events that people are notified of. */
export const notifiedTypes = [
  'version.published',
  'comment.mentioned',
  'thread.resolved',
  'review.requested',
  'review.decided',
] as const

/** Writes the notifications of events. */
export const notificationReader = defineOutboxReader({
  name: 'notifications',
  types: notifiedTypes,
  work: async (deps, tx, event) => (await import('./from-event.ts')).notifyOf(deps, tx, event),
})
