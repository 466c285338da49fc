import { defineOutboxReader } from '../outbox/door.ts'

/** Writes a delivery for each subscription that receives an event. */
export const webhookReader = defineOutboxReader({
  name: 'webhooks',
  work: async (deps, tx, event) => (await import('./fan-out.ts')).fanOut(deps, tx, [event]),
  workOnAll: async (deps, tx, events) => (await import('./fan-out.ts')).fanOut(deps, tx, events),
})
