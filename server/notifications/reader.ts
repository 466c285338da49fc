import { defineOutboxReader } from '../outbox/define.ts'

/** Writes the notifications of events. */
export const notificationReader = defineOutboxReader({
  name: 'notifications',
  types: ['version.published', 'comment.mentioned', 'thread.resolved', 'review.requested', 'review.decided'],
  work: async (deps, tx, event) => (await import('./from-event.ts')).notifyOf(deps, tx, event),
})
